import type { Effect } from '../../model/effect.ts';
import type { JournaledYield } from '../../model/signals/generator-yield.ts';
import type { Json } from '../../model/json.ts';
import type {
  AnswerRefused,
  GeneratorDiverged,
  GeneratorFailed,
  GeneratorYielded,
} from '../../model/signals/generator-signal.ts';
import { errorKind, FlowError } from '../../model/errors.ts';
import type { GeneratorFlow } from '../../flow/document/generator.ts';
import type { Clock } from '../../model/ports/time.ts';
import { createGeneratorRun, type GeneratorRun, type RunSources } from './generator-run.ts';
import { compareYields } from './generator-journal.ts';
import { timeLimit } from '../time-limit.ts';

export interface GeneratorDriverOptions extends RunSources {
  /** Returns the generator flow of a name; null if there is none. */
  generatorOf(name: string): Promise<GeneratorFlow | null>;
  /** Returns the durable part of a run's journal. */
  journal(run: number): Promise<readonly GeneratorYielded[]>;
  /** Receives what a flow's own code threw. */
  onError?(error: unknown): void;
}

export type AdvanceEffect = Extract<Effect, { kind: 'advance' }>;

type Timeless<Signal> = Signal extends { readonly at: number } ? Omit<Signal, 'at'> : never;

/** The outcome of resuming a generator. */
export type Advanced = Timeless<GeneratorYielded | GeneratorFailed | AnswerRefused | GeneratorDiverged>;

/** Runs generators one at a time: the generator of the session's flow. */
export interface GeneratorDriver {
  /** Resumes a flow's generator until it waits for the caller or other work. Never throws. */
  advance(effect: AdvanceEffect, flow: string, input: Json): Promise<Advanced>;
  /** Releases the generator; its `finally` blocks run. */
  close(): void;
}

/** Timeout between two yields, and for replaying up to the current position, in milliseconds. */
const stepTimeoutMs = 30_000;

/** How long a line waits for the generator's next yield, so that both become one step, in milliseconds. */
const patienceMs = 20;

/** Maximum number of lines in one step. */
const mostLines = 100;

/** Creates the driver. It feeds running generators with answers, and after a crash replays the journal to new ones. */
export function createGeneratorDriver(options: GeneratorDriverOptions): GeneratorDriver {
  const { clock } = options;
  let current: GeneratorRun | null = null;

  const close = (): void => {
    current?.close();
    current = null;
  };
  const advance = async ({ key, payload }: AdvanceEffect, name: string, input: Json): Promise<Advanced> => {
    const { run, step, answer } = payload;
    const reworded: number[] = [];
    if (current === null || current.id !== run || current.step !== step) {
      close();
      const flow = await options.generatorOf(name);
      if (flow === null)
        throw new FlowError('flow-unknown', `there is no generator "${name}". Name it among the flows.`);
      const again = createGeneratorRun(flow, { id: run, name, input }, options);
      current = again;
      const journal = step === 0 ? [] : await options.journal(run);
      const divergence = await within(clock, stepTimeoutMs, () => replay(again, step, journal, reworded, options));
      if (divergence !== null) {
        close();
        return { type: 'generator:diverged', key, divergence };
      }
    }
    const yielded = (yields: readonly JournaledYield[]): Advanced => {
      return { type: 'generator:yielded', key, run, step, answer, yields, reworded };
    };
    // Without an answer, the replay only checks that the generator repeats its record.
    if (answer === null && step > 0) return yielded([]);
    const given = await current.understand(answer);
    if (!given.ok) return { type: 'generator:refused', key, problem: given.problem };
    return yielded(await runOn(current, given.value, clock));
  };

  return {
    async advance(effect, name, input) {
      try {
        return await advance(effect, name, input);
      } catch (error) {
        options.onError?.(error);
        close();
        return { type: 'generator:failed', key: effect.key, reason: errorKind(error) };
      }
    },
    close,
  };
}

/** Runs until the generator waits for an answer. A line without a prompt successor is handed on, so that it is not delayed. */
async function runOn(run: GeneratorRun, given: unknown, clock: Clock): Promise<JournaledYield[]> {
  const yields: JournaledYield[] = [];
  for (;;) {
    const next = run.next(yields.length === 0 ? given : undefined);
    const made = await timeLimit(next, clock, yields.length === 0 ? stepTimeoutMs : patienceMs);
    if (made === 'late') {
      if (yields.length > 0) return yields;
      throw new FlowError('flow-late', `a flow worked longer than ${stepTimeoutMs} ms without a yield.`);
    }
    run.take();
    yields.push(made);
    if (made.yield.type !== 'say' || yields.length >= mostLines) return yields;
  }
}

/** Replays a new generator up to the recorded step. Returns the divergence, or null. */
async function replay(
  run: GeneratorRun,
  step: number,
  journal: readonly GeneratorYielded[],
  reworded: number[],
  { onError }: Pick<GeneratorDriverOptions, 'onError'>,
): Promise<GeneratorDiverged['divergence'] | null> {
  for (const { answer, yields } of journal) {
    const given = await run.understand(answer);
    const expected = yields[0]?.yield ?? null;
    // The schema rejects an answer that it accepted before: the flow's code has changed.
    if (!given.ok) return { step: run.step + 1, expected, found: null };
    for (const [index, recorded] of yields.entries()) {
      run.draws.give(recorded.draws);
      const made = await run.next(index === 0 ? given.value : undefined).catch((error: unknown) => {
        onError?.(error);
        return null;
      });
      const { mismatch } = run.draws;
      if (mismatch !== null) return { step: run.step + 1, ...mismatch };
      const found = made?.yield ?? null;
      const comparison = found === null ? 'different' : compareYields(recorded.yield, found);
      if (comparison === 'different') return { step: run.step + 1, expected: recorded.yield, found };
      run.take();
      if (comparison === 'reworded') reworded.push(run.step);
    }
  }
  if (run.step === step) return null;
  throw new FlowError('journal-incomplete', `of ${step} recorded yields of a flow the log holds ${run.step}.`);
}

async function within<Value>(clock: Clock, ms: number, work: () => Promise<Value>): Promise<Value> {
  const value = await timeLimit(work(), clock, ms);
  if (value === 'late') throw new FlowError('flow-late', `a flow took longer than ${ms} ms to run again.`);
  return value;
}
