import fc from 'fast-check';
import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Event } from '../../src/model/events/event.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import { mortal } from '../durable/crash/mortal.ts';
import { newPlace } from './durable-rig.ts';
import { finished, left, rig } from './task-rig.ts';

interface RandomTask {
  readonly ms: number;
  readonly value: number;
  readonly failures: number;
  readonly maxAttempts: number;
  readonly continues: boolean;
  readonly stubborn: boolean;
  readonly pure: boolean;
  readonly write: boolean;
  /** For each earlier task: no edge, an edge, or an edge for even or for odd values. */
  readonly edges: readonly ('none' | 'always' | 'even' | 'odd')[];
}

const randomTask = fc.record({
  ms: fc.nat(50),
  value: fc.nat(3),
  failures: fc.constantFrom(0, 0, 0, 1, 2),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  continues: fc.boolean(),
  stubborn: fc.boolean(),
  pure: fc.boolean(),
  write: fc.boolean(),
  edges: fc.array(fc.constantFrom('none', 'none', 'always', 'even', 'odd'), { minLength: 12, maxLength: 12 }),
});

const randomTasks: fc.Arbitrary<readonly RandomTask[]> = fc.array(randomTask, { minLength: 1, maxLength: 12 });

const idOf = (index: number): string => `t${index}`;

function edgesOf(tasks: readonly RandomTask[]): { from: number; to: number; kind: 'always' | 'even' | 'odd' }[] {
  return tasks.flatMap(({ edges }, to) =>
    edges.slice(0, to).flatMap((kind, from) => (kind === 'none' ? [] : [{ from, to, kind }])),
  );
}

function flowOf(tasks: readonly RandomTask[], policy: { failFast: boolean; concurrency: number }): TaskFlow {
  const nodes = tasks.map(({ ms, value, failures, maxAttempts, continues, stubborn, pure, write }, index) => ({
    id: idOf(index),
    ...(pure
      ? { type: 'control.noop', input: { value } }
      : { type: write ? 'test.write' : 'test.work', input: { ms, value, failures, stubborn } }),
    policy: { retry: { maxAttempts, backoffMs: 20 }, continueOnError: continues },
  }));
  const edges = edgesOf(tasks).map(({ from, to, kind }) => ({
    from: idOf(from),
    to: idOf(to),
    ...(kind === 'always'
      ? {}
      : { when: { in: { var: `${idOf(from)}.value`, values: kind === 'even' ? [0, 2] : [1, 3] } } }),
  }));
  return { flow: { name: 'random', policy }, nodes, edges };
}

/** Returns the outcome of each task by the rules, computed without any time. */
function expected(tasks: readonly RandomTask[]): readonly ('done' | 'marked' | 'failed' | 'skipped')[] {
  const fates: ('done' | 'marked' | 'failed' | 'skipped')[] = [];
  const edges = edgesOf(tasks);
  for (const [index, task] of tasks.entries()) {
    const incoming = edges.filter(({ to }) => to === index);
    const fires = incoming.some(({ from, kind }) => {
      const fate = fates[from];
      if (fate === 'failed' || fate === 'skipped') return false;
      // An error marker has no value, so only an edge without condition leads on from it.
      if (kind === 'always') return true;
      return fate === 'done' && (tasks[from]?.value ?? 0) % 2 === (kind === 'even' ? 0 : 1);
    });
    if (incoming.length > 0 && !fires) fates.push('skipped');
    else if (task.pure || task.failures < task.maxAttempts) fates.push('done');
    else fates.push(task.continues ? 'marked' : 'failed');
  }
  return fates;
}

/** Counts the listeners of signals that have not aborted and were created in `within`. Other code in this process has its own signals. */
function watchAborts() {
  const here = new AsyncLocalStorage<AbortSignal[]>();
  const Controller = class extends AbortController {
    constructor() {
      super();
      here.getStore()?.push(this.signal);
    }
  };
  vi.stubGlobal('AbortController', Controller);
  onTestFinished(() => void vi.unstubAllGlobals());
  return {
    within: (work: (listening: () => number) => Promise<void>): Promise<void> => {
      const signals: AbortSignal[] = [];
      const listening = (): number =>
        signals.filter(({ aborted }) => !aborted).flatMap((signal) => getEventListeners(signal, 'abort')).length;
      return here.run(signals, () => work(listening));
    },
  };
}

const terminal: ReadonlySet<string> = new Set(['task:complete', 'task:failed', 'task:skipped']);

function byTask(one: { readonly taskId: string }, other: { readonly taskId: string }): number {
  return one.taskId < other.taskId ? -1 : 1;
}

function taskOf({ data }: Event): string {
  return 'taskId' in data ? data.taskId : '';
}

/** Start before complete, nothing after complete, each task once, all under harness. */
function expectWellFormed(events: readonly Event[], tasks: readonly RandomTask[]): void {
  const types = events.map(({ type }) => type);
  expect(types.slice(0, 2)).toEqual(['harness:start', 'phase:start']);
  expect(types.slice(-2)).toEqual(['phase:complete', 'harness:complete']);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  for (const index of tasks.keys()) {
    const own = events.filter((event) => taskOf(event) === idOf(index)).map(({ type }) => type);
    expect(own.filter((type) => terminal.has(type))).toHaveLength(1);
    expect(terminal.has(own.at(-1) ?? '')).toBe(true);
    if (own.at(-1) === 'task:skipped') expect(own).toEqual(['task:skipped']);
    else expect(own[0]).toBe('task:start');
    expect(own.slice(1, -1).every((type) => type === 'task:retry')).toBe(true);
  }
}

/** Each task began when all tasks that lead to it had ended. */
function expectOrdered(events: readonly Event[], tasks: readonly RandomTask[]): void {
  const ended = new Set<string>();
  const edges = edgesOf(tasks);
  for (const event of events) {
    if (event.type === 'task:start') {
      const to = Number(taskOf(event).slice(1));
      for (const { from } of edges.filter((edge) => edge.to === to)) expect(ended).toContain(idOf(from));
    }
    if (terminal.has(event.type)) ended.add(taskOf(event));
  }
}

/** Returns the largest number of tasks that ran at once. */
function mostAtOnce(events: readonly Event[]): number {
  let [running, most] = [0, 0];
  for (const { type } of events) {
    if (type === 'task:start') running += 1;
    if (type === 'task:complete' || type === 'task:failed') running -= 1;
    most = Math.max(most, running);
  }
  return most;
}

describe('for any flow, whatever its conditions, failures and durations', () => {
  test('each task is completed, failed or skipped once and in order, as the rules say and not as time would have it', async () => {
    const times = fc.array(fc.nat(50), { minLength: 12, maxLength: 12 });
    const policy = fc.record({ failFast: fc.constant(false), concurrency: fc.integer({ min: 1, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(randomTasks, times, policy, async (tasks, others, rules) => {
        const fates = expected(tasks);
        for (const timed of [tasks, tasks.map((task, index) => ({ ...task, ms: others[index] ?? 0 }))]) {
          const { result, clock } = await finished(rig(flowOf(timed, rules)));
          expectWellFormed(result.events, tasks);
          expectOrdered(result.events, tasks);
          expect(mostAtOnce(result.events)).toBeLessThanOrEqual(rules.concurrency);
          expect(result.status).toBe(fates.includes('failed') ? 'failed' : 'complete');
          expect(clock.pending).toBe(0);
          const outputs = fates.map((fate, index) => {
            const output = result.outputs[idOf(index)] as JsonObject | undefined;
            if (fate === 'done') return expect(output).toEqual({ value: tasks[index]?.value });
            if (fate === 'marked')
              return expect(output).toMatchObject({ failed: true, error: { code: 'test-failed' } });
            return expect(output).toBeUndefined();
          });
          expect(outputs).toHaveLength(tasks.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('an abort at any moment, or the first failure, leaves no timer, listener or attempt behind, and a log that is well-formed', async () => {
    const aborts = watchAborts();
    await fc.assert(
      fc.asyncProperty(randomTasks, fc.nat(120), fc.integer({ min: 1, max: 12 }), (tasks, abortMs, concurrency) =>
        aborts.within(async (listening) => {
          // Runs of other tests, whose processes were killed, may have left attempts.
          const { attempts } = left;
          const one = rig(flowOf(tasks, { failFast: true, concurrency }));
          const cancel = one.clock.schedule(abortMs, () => one.instance.abort());
          const { result, clock } = await finished(one);
          cancel();
          expectWellFormed(result.events, tasks);
          expectOrdered(result.events, tasks);
          expect(one.instance.status).toBe(result.status);
          expect(clock.pending).toBe(0);
          expect(listening()).toBe(0);
          expect(left.attempts).toBeLessThanOrEqual(attempts);
          const { heard } = left;
          one.instance.emit('session:message', { content: 'Is anybody there?' });
          expect(left.heard).toBe(heard);
        }),
      ),
      { numRuns: 80 },
    );
  });

  test('a crash at any write of its store, and another one later, change neither its outputs nor its failures', async () => {
    const policy = fc.record({ failFast: fc.constant(false), concurrency: fc.integer({ min: 1, max: 12 }) });
    const crash = fc.record({ write: fc.nat(40), when: fc.constantFrom('before', 'after') });
    await fc.assert(
      fc.asyncProperty(randomTasks, policy, crash, crash, async (tasks, rules, first, second) => {
        const flow = flowOf(tasks, rules);
        const whole = newPlace();
        const expected = await whole.run(flow);
        const place = newPlace();
        for (const { write, when } of [first, second]) {
          let isDead = false;
          const { store } = mortal(place.store, { at: 'write', nth: write + 1, when }, () => (isDead = true));
          await place.run(flow, { store }, () => isDead);
          place.die();
        }
        const found = await place.run(flow);
        expect(found?.outputs).toEqual(expected?.outputs);
        expect(found?.failures.toSorted(byTask)).toEqual(expected?.failures.toSorted(byTask));
      }),
      { numRuns: 20 },
    );
  });
});
