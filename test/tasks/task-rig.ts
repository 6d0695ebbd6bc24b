import { z } from 'zod';
import { FlowError } from '../../src/model/errors.ts';
import type { Event } from '../../src/model/events/event.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { defineNodeType, type NodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { createRun } from '../../src/runner/create-flow-run.ts';
import type { FlowRun, RunOptions, FlowRunResult } from '../../src/runner/flow-run.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import type { TaskFlowSource } from '../../src/runner/tasks/task-world.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';

/** Attempts of `test.work` that have not ended, and the number of calls to listeners that it leaves behind. */
export const left = { attempts: 0, heard: 0 };

/** A task that takes a time, and then fails or returns its value. */
const work = defineNodeType({
  name: 'test.work',
  description: 'Takes a time, and then fails or gives a value.',
  input: z.strictObject({
    ms: z.number().default(0),
    value: z.unknown().optional(),
    /** The number of attempts that fail. */
    failures: z.number().default(0),
    /** It does not listen to its signal, and leaves a timer and a listener behind. */
    stubborn: z.boolean().default(false),
  }),
  output: z.strictObject({ value: z.unknown() }),
  async run({ ms, value = null, failures, stubborn }, { clock, hub, signal, key, state }) {
    const attempt = Number((await state.get(key)) ?? 0) + 1;
    await state.set(key, attempt);
    if (stubborn) hub.subscribe('*', () => void (left.heard += 1));
    else left.attempts += 1;
    await new Promise<void>((resolve, reject) => {
      const cancel = clock.schedule(ms, resolve);
      if (stubborn) return;
      signal.addEventListener('abort', () => {
        cancel();
        reject(new Error('aborted'));
      });
    }).finally(() => void (stubborn || (left.attempts -= 1)));
    if (attempt <= failures) throw new FlowError('test-failed', `attempt ${attempt} failed.`);
    return { value };
  },
});

/** The same as a write: once begun, its end is awaited. */
const write: NodeType = { ...work, name: 'test.write', capabilities: { writes: true } };

/** The built-in types and those of tests. */
export const catalog = createCatalog([...builtinCatalog.values(), work, write]);

export interface Rig {
  readonly clock: VirtualClock;
  readonly instance: FlowRun;
  /** The events of tasks, agents and the run, one line each, with the milliseconds since the start. */
  lines(events: readonly Event[]): readonly string[];
}

const startAt = Date.UTC(2030, 0, 7, 9);

/** A runner in virtual time, with counted ids and no jitter. */
export function rig(flow: TaskFlowSource, options: Partial<RunOptions> = {}, types = catalog): Rig {
  const clock = createVirtualClock(startAt);
  const instance = createRun(flow, {
    catalog: types,
    sessionId: 'session',
    clock,
    ids: createCountingIds(),
    random: { next: () => 0 },
    ...options,
  });
  return { clock, instance, lines: (events) => events.map(line) };
}

function line({ time, type, data, runId }: Event): string {
  const facts = Object.entries(data as JsonObject).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [`${time - startAt}`, type, ...(runId === undefined ? [] : [`(${runId})`]), ...facts].join(' ');
}

/** Runs to the end in virtual time, however long that takes. */
export async function finished({ instance, clock }: Rig): Promise<{ result: FlowRunResult; clock: VirtualClock }> {
  let result: FlowRunResult | undefined;
  void instance.run().then((ended) => (result = ended));
  await clock.runUntil(() => result !== undefined, 10_000_000);
  if (result === undefined) throw new Error('The run has not ended.');
  return { result, clock };
}

/** A flow of the one task `a`. */
export function one(node: string, flow = '{}'): string {
  return `flow: ${flow}\nnodes:\n  a: ${node}\n`;
}
