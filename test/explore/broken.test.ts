import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/model/effect.ts';
import type { SettledCall } from '../../src/model/signals/signal.ts';
import type { Graph, GraphNode } from '../../src/flow/graph/graph.ts';
import type { LoggedSignal, Store } from '../../src/model/ports/store.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createCancellation } from '../../src/engine/cancellation.ts';
import { explore, report } from './explore.ts';
import { altered, type Fault, type SessionFault } from './fault.ts';

/** For each invariant of the engine, a fault that breaks it and none that is checked earlier. */
const faults: Readonly<Record<string, Fault>> = {
  'nothing of a turn throws': {
    engine: (engine) => altered(engine, { receive: () => Promise.reject(new Error('No.')) }),
  },
  'the current node exists': {
    // The new flow shares only the name with the old one.
    engine: (engine) =>
      altered(engine, {
        flows: altered(engine.flows, {
          swap: (graph) => engine.flows.swap(alone({ ...graph, nodes: new Map(), initial: '' })),
        }),
      }),
  },
  'every settled call has an output': {
    engine: (engine) => altered(engine, { calls: altered(engine.calls, { outputOf: () => undefined }) }),
  },
  'no function runs that was not offered, or with wrong arguments': {
    engine: (engine) => openingCompletions(engine, (call) => ({ ...call, rawArguments: '{"amount": 1}' })),
  },
  'no function runs that its node does not offer': {
    executor: (executor) => ({ execute: (key, call, signal) => executor.execute(key, { ...call, name: '?' }, signal) }),
  },
  'no function runs whose step is over': {
    executor: (executor, { pause }) => ({
      async execute(key, call) {
        if (!call.write) await pause(9_000);
        return await executor.execute(key, call, createCancellation());
      },
    }),
  },
  'nothing to be confirmed runs without a yes': {
    graph: withoutConfirmations,
    engine: (engine, { graph }) =>
      altered(engine, {
        // Nothing was removed from flows that the walk has moved on to.
        get graph() {
          return engine.graph.hash === graph.hash ? graph : engine.graph;
        },
      }),
  },
  'only a plain yes is a yes': {
    engine: (engine) => altered(engine, { receive: (inbound) => engine.receive({ ...inbound, text: 'yes' }) }),
  },
  'no write runs before its intent is durable': {
    store(store) {
      let last: Promise<void> = Promise.resolve();
      return {
        ...store,
        // Resolves before the commit is durable.
        steps: {
          ...store.steps,
          create: async (commit) => void (last = last.then(() => store.steps.create(commit))),
          // All other functions are correct.
          list: async (sessionId) => await last.then(() => store.steps.list(sessionId)),
        },
        leases: {
          ...store.leases,
          release: async (lease) => await last.then(() => store.leases.release(lease)),
        },
      };
    },
  },
  'one call has one key': {
    executor: (executor) => ({
      execute(key, call, signal) {
        if (!call.write) void executor.execute(`${key}/again`, call, signal);
        return executor.execute(key, call, signal);
      },
    }),
  },
  'no write runs beside its equal': {
    executor: (executor) => ({
      execute(key, call, signal) {
        const outcome = executor.execute(key, call, signal);
        if (call.write) void executor.execute(`${key}/beside`, call, signal);
        return outcome;
      },
    }),
  },
  'keys are unique': {
    executor: (executor) => ({
      execute: (key, call, signal) => executor.execute(call.write ? key : 's/1/1', call, signal),
    }),
  },
  'no key runs twice at a time': {
    executor: (executor, { secondExecutor }) => ({
      execute(key, call, signal) {
        if (!call.write) void secondExecutor.execute(key, call, signal);
        return executor.execute(key, call, signal);
      },
    }),
  },
  'no write runs twice': {
    executor: (executor) => ({
      async execute(key, call, signal) {
        const outcome = await executor.execute(key, call, signal);
        return outcome.ok && call.write ? await executor.execute(key, call, signal) : outcome;
      },
    }),
  },
  'no function is left running': { hangsAfterMs: 30_000 },
  'what was done is kept': {
    store: (store) => telling(store, withoutWrites),
  },
  'the log has no gap': {
    store: (store) => telling(store, (log) => log.map((entry) => ({ ...entry, seq: entry.seq + 1 }))),
  },
  'the log folds to the state': {
    store: (store) => telling(store, (log) => log.slice(0, -1)),
  },
  'the store holds the state': {
    store: (store) => ({
      ...store,
      sessions: {
        ...store.sessions,
        async get(sessionId) {
          const kept = await store.sessions.get(sessionId);
          return kept === null ? null : { ...kept, state: null };
        },
      },
    }),
  },
  'an end is performed': {
    host: (host) => ({ ...host, end: () => undefined }),
  },
  'the caller has an answer': {
    engine: (engine) => altered(engine, { receive: () => Promise.resolve('over') }),
  },
  'the agent comes to rest': {
    // Disables the limits that would cut an endless reply.
    engine: (engine) =>
      altered(engine, { limits: { ...engine.limits, replyMs: 100_000_000, replyCharacters: 100_000_000 } }),
    model: (model, { pause }) => ({
      ...model,
      async *ask() {
        for (;;) {
          await pause(1_000);
          yield { text: 'and ', calls: [] };
        }
      },
    }),
  },
  'nothing is left unsaid': {
    engine(engine, { clock }) {
      const add = (): (() => void) =>
        clock.schedule(30_000, () => {
          engine.outbox.add([lineOf(engine)]);
          cancel = add();
        });
      let cancel = add();
      return altered(engine, {
        close(reason) {
          cancel();
          return engine.close(reason);
        },
      });
    },
  },
  'no timer is left': {
    store: (store, { clock }) => ({
      ...store,
      leases: {
        ...store.leases,
        async release(lease) {
          clock.schedule(1_000_000, () => undefined);
          await store.leases.release(lease);
        },
      },
    }),
  },
  'no timer is left after a while': {
    executor: (executor, { pause }) => ({
      async execute(key, call, signal) {
        void pause(1_000_000);
        return await executor.execute(key, call, signal);
      },
    }),
  },
  'no promise is left': {
    engine: (engine) => altered(engine, { close: () => new Promise(() => undefined) }),
  },
};

describe('every fault of the engine is found', () => {
  it.each(Object.entries(faults))('%s', { timeout: 300_000 }, async (invariant, fault) => {
    const finding = await explore({ level: 'engine', from: 1, seeds: 200, fault });
    expect(finding?.invariant).toBe(invariant);
    const { seed = 0 } = finding ?? {};
    // The same seed repeats the finding, and the report says how.
    expect(await explore({ level: 'engine', from: seed, seeds: 1, fault })).toEqual(finding);
    const told = finding === null ? '' : report(finding, 'engine');
    expect(told).toContain(`seed ${seed} on flow`);
    expect(told).toContain(`breaks: ${invariant}`);
    expect(told).toContain(`again: npm run explore -- --seeds 1 --from ${seed}`);
  });
});

/**
 * Faults for invariants that only the walk on a session checks, or checks differently, with the first seed that finds
 * each. Seeds below 14 run no write.
 */
const sessionFaults: Readonly<Record<string, readonly [from: number, SessionFault]>> = {
  'no write runs without its intent': [
    14,
    { given: (input, context) => ({ input, context: { ...context, key: 'another' } }) },
  ],
  'no function runs that its node does not offer': [
    14,
    { given: (input, context) => ({ input, context: { ...context, key: 'another', node: 'nowhere' } }) },
  ],
  'no function runs with wrong arguments': [
    14,
    { given: (_input, context) => ({ input: { amount: { not: ['this'] } }, context }) },
  ],
  'every call that the model is shown has an output': [
    12,
    { shown: (items) => items.filter((item) => !item.startsWith('output: ')) },
  ],
  'the log folds to the state': [11, { store: (store) => telling(store, (log) => log.slice(0, -1)) }],
  'no function is left running': [14, { hangsAfterMs: 0 }],
};

describe('every fault of a session is found', () => {
  it.each(Object.entries(sessionFaults))('%s', { timeout: 300_000 }, async (invariant, [from, fault]) => {
    // Changed flows may shift the seed, so the following seeds run too.
    const finding = await explore({ level: 'session', from, seeds: 48, fault });
    expect(finding?.invariant).toBe(invariant);
    const told = finding === null ? '' : report(finding, 'session');
    expect(told).toContain(`again: npm run explore -- --seeds 1 --from ${finding?.seed} --session`);
  });
});

it('every invariant of the explorer on the engine has a fault here', () => {
  const known = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !/session|test|interrupt/.test(name))
    .flatMap((name) => [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/broken\(\s*'([^']+)'/g)])
    .map((match) => match[1] ?? '');
  expect([...new Set(known)].toSorted()).toEqual(Object.keys(faults).toSorted());
});

/** An engine whose completions see changed calls. */
function openingCompletions(
  engine: Engine,
  change: (call: Parameters<ReturnType<Engine['calls']['openCompletion']>['see']>[0]) => typeof call,
): Engine {
  const calls = altered(engine.calls, {
    openCompletion(effect) {
      const completion = engine.calls.openCompletion(effect);
      return altered(completion, { see: (call) => completion.see(change(call)) });
    },
  });
  return altered(engine, { calls });
}

function withoutConfirmations(graph: Graph): Graph {
  const without = <Part extends Pick<Graph, 'functions'>>(part: Part): Part => ({
    ...part,
    functions: part.functions.map((one) => ({ ...one, confirm: null })),
  });
  const nodes = new Map([...graph.nodes].map(([id, node]): [string, GraphNode] => [id, without(node)]));
  return alone({ ...without(graph), nodes });
}

/** Makes a graph that is the same in each language, unlike a compiled one. */
function alone(graph: Graph): Graph {
  const own: Graph = { ...graph, spokenIn: () => own };
  return own;
}

/** A store that returns a different log from the one it stores. */
function telling(store: Store, change: (log: readonly LoggedSignal[]) => readonly LoggedSignal[]): Store {
  return { ...store, steps: { ...store.steps, list: async (sessionId) => change(await store.steps.list(sessionId)) } };
}

/** A log in which every write failed. */
function withoutWrites(log: readonly LoggedSignal[]): readonly LoggedSignal[] {
  const writes = new Set(log.flatMap(({ signal }) => (signal.type === 'tool:called' ? signal.key : [])));
  return log.map(({ seq, signal }) => {
    if (signal.type !== 'batch:settled') return { seq, signal };
    const failed = (call: SettledCall): SettledCall => (writes.has(call.key) ? { ...call, state: 'failed' } : call);
    return { seq, signal: { ...signal, calls: signal.calls.map(failed) } };
  });
}

/** A line that no step has produced. */
function lineOf({
  state: {
    position: { node, visit },
  },
}: Engine): Effect {
  return { key: 'x', kind: 'say', state: 'intended', node, visit, payload: { text: 'Psst.', reason: 'notice' } };
}
