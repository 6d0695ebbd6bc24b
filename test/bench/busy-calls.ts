import { cpuUsage } from 'node:process';
import { createTextSession } from '../../dist/livekit/agent/text-session.js';
import { flowTool } from '../../dist/livekit/tools/flow-tool.js';
import type { Store } from '../../dist/model/ports/store.js';
import { FlowRunner } from '../../dist/runner/flow-runner.js';
import { ScriptedModel } from '../../dist/testing/scripted-model.js';
import { median, type Reading } from './measure.ts';

const work = flowTool({ name: 'work', description: 'Do the work.', execute: () => ({ ok: true }) });

async function openCall(kept: { readonly store?: Store; readonly sessionId?: string }) {
  const model = new ScriptedModel(({ userText }) => {
    model.requests.length = 0;
    return userText === '' ? { text: 'Fine, thank you.' } : { calls: [{ name: 'work' }] };
  });
  const node = (next: string) => ({
    taskMessages: [{ role: 'system' as const, content: 'You are the receptionist of a small clinic.' }],
    functions: [{ name: 'work', transitionTo: next }],
  });
  const session = createTextSession(model);
  const runner = new FlowRunner({
    ...{ session, tools: [work], ...kept },
    flow: { name: 'bench', initialNode: 'a', nodes: { a: { ...node('b'), respondImmediately: false }, b: node('a') } },
  });
  await runner.start();
  return { session, runner };
}

/** Concurrent calls; with `kept`, in a store under separate names. */
export interface BusyCalls {
  readonly sessions: number;
  readonly turnsASession: number;
  readonly kept?: { readonly store: Store; readonly name: string };
}

/** Open calls, each in its first turn. */
export interface OpenCalls {
  /** Runs this many turns in all calls at once. Returns turns per second of CPU time of this process. */
  talk(turns: number): Promise<number>;
  close(): Promise<void>;
}

/** Opens calls. Each turn calls a tool and moves to the other node. */
export async function openCalls({ sessions, kept }: Omit<BusyCalls, 'turnsASession'>): Promise<OpenCalls> {
  const calls = await Promise.all(
    Array.from({ length: sessions }, (_none, index) =>
      openCall(kept === undefined ? {} : { store: kept.store, sessionId: `${kept.name}-${index}` }),
    ),
  );
  const talk = async (turns: number): Promise<number> => {
    const started = cpuUsage();
    await Promise.all(
      calls.map(async ({ runner }) => {
        for (let turn = 0; turn < turns; turn += 1) await runner.send('I would like to go on, please.');
        assertOpen(runner);
      }),
    );
    // Work that a turn defers to idle time is part of its cost.
    await new Promise((resolve) => setImmediate(resolve));
    const { user, system } = cpuUsage(started);
    return (sessions * turns) / ((user + system) / 1e6);
  };
  await talk(1);
  return {
    talk,
    async close() {
      for (const { runner, session } of calls) {
        await (kept === undefined ? runner.stop() : runner.leave());
        void session.close();
      }
    },
  };
}

/** Throws if the conversation is over: the turns of an ended session cost nothing. */
export function assertOpen({ state }: FlowRunner): void {
  if (state.status !== 'active') throw new Error(`The conversation of the benchmark is ${state.status}.`);
}

/** Opens calls and returns their turns per second of CPU time. */
export async function turnsPerSecond({ turnsASession, ...open }: BusyCalls): Promise<number> {
  const calls = await openCalls(open);
  const rate = await calls.talk(turnsASession);
  await calls.close();
  return rate;
}

/**
 * Measures two rates alternately. Returns how many times faster the candidate is than the baseline: the median of the
 * pairs, with their quartiles as the uncertainty.
 */
export async function rateRatio({
  candidate,
  baseline,
  baselineName,
  repetitions,
}: {
  readonly candidate: (repetition: number) => Promise<number>;
  readonly baseline: (repetition: number) => Promise<number>;
  readonly baselineName: string;
  readonly repetitions: number;
}): Promise<Reading> {
  const candidates: number[] = [];
  const baselines: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    // Alternating the order spreads the effect of the other's garbage.
    if (repetition % 2 === 0) candidates.push(await candidate(repetition));
    baselines.push(await baseline(repetition));
    if (repetition % 2 === 1) candidates.push(await candidate(repetition));
  }
  const reference = median(baselines);
  // Neighbours are compared, because the machine's speed varies over minutes.
  const pairs = candidates.map((rate, index) => rate / (baselines[index] ?? reference)).toSorted((a, b) => a - b);
  const quarter = (part: number): string => (pairs[Math.floor((pairs.length - 1) * part)] ?? Number.NaN).toFixed(2);
  return {
    value: median(pairs),
    baseline: `${baselineName}, ${reference.toPrecision(3)} turns/s; half between ${quarter(0.25)} and ${quarter(0.75)}`,
    runs: repetitions,
  };
}
