import { z } from 'zod';
import { FlowError } from '../../errors.ts';
import type { GeneratorAnswer, JournaledYield } from '../../events/generator-yield.ts';
import type { Json } from '../../events/json.ts';
import type { FlowContext, FlowYield, GeneratorFlow } from '../../flow/generator.ts';
import { end as endOf, handoff } from '../../flow/generator-yields.ts';
import { hashOf } from '../../graph/hash.ts';
import type { NodeType } from '../../graph/node-type.ts';
import type { Clock, Ids, Random } from '../../ports/time.ts';
import { createDraws, type Draws } from './generator-journal.ts';
import { recordReturn, recordYield } from './generator-yield.ts';

/** The sources of time, chance and resources of a generator. */
export interface RunSources extends Partial<Pick<FlowContext, 'user' | 'replyTarget' | 'resources'>> {
  readonly session: FlowContext['session'];
  /** The language that is spoken by now. */
  readonly language: () => string;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  /** The node types of what is waited for outside of the call, by name; nothing is where absent. */
  readonly interrupts?: ReadonlyMap<string, NodeType>;
}

/** One generator at work. */
export interface GeneratorRun {
  readonly id: number;
  /** How many yields were taken. */
  readonly step: number;
  readonly draws: Draws;
  /** What a recorded answer is to the generator: where its question has a schema, what the schema makes of it. */
  understand(
    answer: GeneratorAnswer | null,
  ): Promise<{ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }>;
  /** The next yield: one promise until it is taken. Rejects with what the generator threw. */
  next(given: unknown): Promise<JournaledYield>;
  take(): void;
  /** Lets its `finally` blocks run; not waited for, since it may be at work for as long as it likes. */
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
  // The host has been given the resources that its flows were written for.
  const generator = flow.run(context as FlowContext<never>);
  assertGenerator(generator, name);

  // A generator that is not async returns no promise, and an iterator may have nothing to return to.
  const end = async (): Promise<unknown> => await (generator as Partial<typeof generator>).return?.(undefined);
  const close = (): void => void end().catch(() => undefined);
  const goOn = async (given: unknown): Promise<JournaledYield> => {
    const { done, value } = await generator.next(given);
    // What it has called counts, whatever it yields there: it may yield the very call.
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
      // A copy: what a flow does with it must not change the log.
      const value: unknown = structuredClone(answer.value);
      if (last.type !== 'ask' || !(last.expects instanceof z.ZodType)) return { ok: true, value };
      const parsed = await last.expects.safeParseAsync(value);
      if (parsed.success) return { ok: true, value: parsed.data };
      return { ok: false, problem: parsed.error.issues[0]?.message ?? 'it does not fit' };
    },
    next(given) {
      if (underway === null) {
        underway = goOn(given);
        underway.catch(() => undefined); // Whoever waits for it is told.
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

/** Throws `yield-invalid` for a flow that is a function like any other: code that no compiler has seen may lack the star. */
function assertGenerator(made: unknown, name: string): void {
  if (typeof made === 'object' && made !== null && 'next' in made && typeof made.next === 'function') return;
  // What it does meanwhile fails alone.
  if (made instanceof Promise) made.catch(() => undefined);
  throw new FlowError('yield-invalid', `flow "${name}" makes no generator. Write it as async function*.`);
}

/** An id in the form of a UUID of version 4, as hard to guess as the id that it is made of. */
function uuidOf(id: string): string {
  const hex = hashOf(id);
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
