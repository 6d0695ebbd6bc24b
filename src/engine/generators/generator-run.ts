import { z } from 'zod';
import { FlowError } from '../../model/errors.ts';
import type { GeneratorAnswer, JournaledYield } from '../../model/signals/generator-yield.ts';
import type { Json } from '../../model/json.ts';
import type { FlowContext, FlowYield, GeneratorFlow } from '../../flow/document/generator.ts';
import { end as endOf, handoff } from '../../flow/document/generator-yields.ts';
import { hashOf } from '../../flow/graph/hash.ts';
import type { NodeType } from '../../flow/graph/nodes/node-type.ts';
import type { Clock, Ids, Random } from '../../model/ports/time.ts';
import { createDraws, type Draws } from './generator-journal.ts';
import { recordReturn, recordYield } from './generator-yield.ts';

/** A generator's sources of time, randomness and resources. */
export interface RunSources extends Partial<Pick<FlowContext, 'user' | 'replyTarget' | 'resources'>> {
  readonly session: FlowContext['session'];
  /** Returns the current language. */
  readonly language: () => string;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  /** Node types of waits outside the call, by name. Without them a generator cannot wait for people. */
  readonly interrupts?: ReadonlyMap<string, NodeType>;
}

/** One running generator. */
export interface GeneratorRun {
  readonly id: number;
  /** Number of yields taken. */
  readonly step: number;
  readonly draws: Draws;
  /** Converts a recorded answer to the generator's value, by the schema of its question if it has one. */
  understand(
    answer: GeneratorAnswer | null,
  ): Promise<{ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }>;
  /** Returns the next yield, as the same promise until it is taken. Rejects with what the generator threw. */
  next(given: unknown): Promise<JournaledYield>;
  take(): void;
  /** Runs the `finally` blocks without waiting for them, because they may take arbitrarily long. */
  close(): void;
}

export function createGeneratorRun(
  flow: GeneratorFlow,
  { id, name, input }: { readonly id: number; readonly name: string; readonly input: Json },
  sources: RunSources,
): GeneratorRun {
  const { clock, random, ids } = sources;
  const draws = createDraws();
  let step = 0;
  let last: FlowYield | null = null;
  let inbound: FlowContext['inbound'] = null;
  let underway: Promise<JournaledYield> | null = null;
  let endReason: string | null = null;
  let start: FlowYield | null = null;

  const context: FlowContext = {
    user: sources.user ?? {},
    session: sources.session,
    get language() {
      return draws.draw('language', sources.language);
    },
    get inbound() {
      return inbound;
    },
    replyTarget: sources.replyTarget ?? null,
    resources: sources.resources ?? {},
    input: structuredClone(input),
    endSession(reason = 'ended-by-flow') {
      endReason = reason;
      return endOf(reason);
    },
    startFlow(flowId, given) {
      start = { type: 'handoff', to: flowId, ...(given === undefined ? {} : { input: given }) };
      return handoff(flowId, given);
    },
    getActiveFlowState: () => ({
      flowId: name,
      step,
      lastYield: last,
      pendingAskKey: last?.type === 'ask' && underway === null ? last.key : null,
    }),
    now: () => draws.draw('now', () => clock.now()),
    random: () => draws.draw('random', () => random.next()),
    uuid: () => draws.draw('uuid', () => uuidOf(ids.create('uuid'))),
  };
  // The host provides the resources that its flows are written for.
  const generator = flow.run(context as FlowContext<never>);
  assertGenerator(generator, name);

  // A non-async generator returns no promise, and an iterator may have no `return`.
  const end = async (): Promise<unknown> => await (generator as Partial<typeof generator>).return?.(undefined);
  const close = (): void => void end().catch(() => undefined);
  const goOn = async (given: unknown): Promise<JournaledYield> => {
    const { done, value } = await generator.next(given);
    // `endSession` and `startFlow` take precedence over the yield, which may be their own result.
    if (endReason !== null || start !== null) {
      close();
      const instead =
        endReason === null ? recordYield(start) : ({ type: 'end', reason: endReason, endsSession: true } as const);
      return { draws: draws.taken(), yield: instead };
    }
    const made = done === true ? recordReturn(value) : recordYield(value, sources.interrupts);
    if (done !== true) last = value;
    return { draws: draws.taken(), yield: made };
  };
  return {
    id,
    draws,
    get step() {
      return step;
    },
    async understand(answer) {
      if (answer !== null && answer.inbound !== null) inbound = answer.inbound;
      if (answer === null || last === null || last.type === 'say') return { ok: true, value: undefined };
      // Copied, so that the flow cannot change the log.
      const value: unknown = structuredClone(answer.value);
      if (last.type !== 'ask' || !(last.expects instanceof z.ZodType)) return { ok: true, value };
      const parsed = await last.expects.safeParseAsync(value);
      if (parsed.success) return { ok: true, value: parsed.data };
      return { ok: false, problem: parsed.error.issues[0]?.message ?? 'it does not fit' };
    },
    next(given) {
      if (underway === null) {
        underway = goOn(given);
        underway.catch(() => undefined); // The code that awaits it receives the failure.
      }
      return underway;
    },
    take() {
      underway = null;
      step += 1;
    },
    close,
  };
}

/** Throws `yield-invalid` if a flow is an ordinary function; untyped code may lack the asterisk. */
function assertGenerator(made: unknown, name: string): void {
  if (typeof made === 'object' && made !== null && 'next' in made && typeof made.next === 'function') return;
  // Its rejection must not be unhandled.
  if (made instanceof Promise) made.catch(() => undefined);
  throw new FlowError('yield-invalid', `flow "${name}" does not return a generator. Write it as async function*.`);
}

/** Creates a version 4 UUID that is as hard to guess as the id it is derived from. */
function uuidOf(id: string): string {
  const hex = hashOf(id);
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
