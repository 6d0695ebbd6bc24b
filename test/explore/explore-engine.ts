import { setImmediate as nextRound } from 'node:timers/promises';
import { sameValue } from '../../src/flow/expression/same-value.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ToolPayload } from '../../src/model/effect.ts';
import type { CallNext } from '../../src/model/signals/signal.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { hashOf } from '../../src/flow/graph/hash.ts';
import { createHub } from '../../src/engine/hub/create-hub.ts';
import { functionIn, nodeOf } from '../../src/kernel/move/offers.ts';
import type { View } from '../../src/kernel/state/view.ts';
import type { Cancellable } from '../../src/model/ports/cancellable.ts';
import type { SpeakingModel } from '../../src/model/ports/model.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import type { Completion } from '../../src/engine/reply/completion.ts';
import { systemCivilTime } from '../../src/system.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import type { Inbound } from '../../src/engine/inbound.ts';
import { createExecutor, type ExecutorOptions } from '../../src/engine/calls/executor.ts';
import type { TurnHost } from '../../src/engine/performer.ts';
import { createChance } from './chance.ts';
import { countedClock } from './counted-clock.ts';
import { type Chunk, createFakeHost } from './fake-host.ts';
import type { Fault, FaultyWalk } from './fault.ts';
import { fixedFlows, flowFor } from './flows.ts';
import { differences, foldLog } from './fold-log.ts';
import { createLedger } from './ledger.ts';
import { randomRun, type RandomRun } from './random-function.ts';
import { randomReply, randomWords } from './random-replies.ts';
import { createWatch, type Finding, type Watch } from './watch.ts';

/** Virtual time within which a caller must have an answer once model and functions behave. */
const patienceMs = 90_000;

/** Walks at random through one flow on the bare engine. Returns the first broken invariant. */
export async function exploreEngine(seed: number, fault: Fault = {}): Promise<Finding | null> {
  const chance = createChance(seed);
  const flow = flowFor(seed);
  const clock = createVirtualClock();
  const watch = createWatch(seed, flow.name);
  const graphs = new Map<string, Graph>([[flow.graph.hash, flow.graph]]);
  const ids = createCountingIds();
  const hub = createHub({ clock, ids, sessionId: 's' });
  const store = createMemoryStore({ clock });
  let behaves = false;
  let ended: string | null = null;
  let engine: Engine | undefined;
  const current = (): Engine => {
    if (engine === undefined) throw new Error('The engine is used before it was made.');
    return engine;
  };
  // Timers of the walk itself, such as the duration of a function.
  const own = countedClock(clock);
  const { pause } = own;
  const ledger = createLedger(watch, current);

  const functionOf = ({ node, name }: ToolPayload) => {
    const from = nodeOf(current().graph, current().state, node);
    return from === null ? null : functionIn(current().graph, from, name);
  };
  const functions: ExecutorOptions = {
    clock,
    policyOf: (call) => {
      const offered = functionOf(call);
      return {
        timeoutMs: offered?.timeoutMs ?? 15_000,
        maxAttempts: offered?.retry.maxAttempts ?? 1,
        backoffMs: offered?.retry.backoffMs ?? 0,
      };
    },
    run: async (key, call, attempt, over) => {
      const finish = ledger.begin(key, call, attempt);
      const run = behaves ? goodRun : randomRun(chance, current().graph, functionOf(call), call.name);
      if (run.durationMs > (fault.hangsAfterMs ?? Infinity)) await new Promise(() => undefined);
      if (run.durationMs > 0) await pause(run.durationMs);
      // A result after the timeout is dropped.
      finish(run.succeeds && !over.isCancelled);
      if (!run.succeeds) throw new Error('The function fails.');
      return { ok: true, result: run.result, ...nextOf(run, current().graph) };
    },
    errorText: () => 'It failed.',
  };
  const walk: FaultyWalk = { clock, pause, graph: flow.graph, secondExecutor: createExecutor(functions) };
  const slowStore: Store = {
    ...store,
    steps: {
      ...store.steps,
      create: async (commit) => {
        const delayMs = behaves ? 0 : chance.pick([0, 0, 0, 5, 400]);
        if (delayMs > 0) await pause(delayMs);
        await store.steps.create(commit);
        ledger.kept(commit.effects);
      },
    },
  };
  const kept = fault.store?.(slowStore, walk) ?? slowStore;

  let calls = 0;
  async function* ask(view: View, { signal }: Cancellable): AsyncGenerator<Chunk> {
    if (behaves) {
      yield { text: 'I am here.', calls: [] };
      return;
    }
    const reply = randomReply(chance, current().graph, view.functions);
    if (reply.delayMs > 0) await pause(reply.delayMs);
    if (reply.fails === 'error') throw new Error('The model fails.');
    for (const [index, word] of (reply.text.match(/\S+\s*/g) ?? []).entries()) {
      if (signal.aborted) return;
      if (index === reply.fails) throw new Error('The model breaks off.');
      if (reply.wordMs > 0 && index > 0) await pause(reply.wordMs);
      yield { text: word, calls: [] };
    }
    for (const { name, rawArguments, mayRun } of reply.calls) {
      const callId = `call_${(calls += 1)}`;
      ledger.made({ callId, name, rawArguments }, mayRun);
      yield { text: '', calls: [{ callId, name, rawArguments }] };
      if (chance.often(0.2)) await pause(40);
    }
  }

  const model: SpeakingModel<View, Chunk> = {
    ask,
    offered: () => null,
    read: (chunk) => chunk,
    write: () => [],
  };
  const world: TurnHost = {
    clock,
    act: async () => {
      if (!behaves) await pause(chance.pick([0, 100, 3_000]));
      return { state: behaves || chance.often(0.7) ? 'done' : 'failed' };
    },
    changeContext: async () => {
      if (!behaves) await pause(chance.pick([0, 500, 4_000]));
      return behaves || chance.often(0.7) ? 'What was said so far.' : null;
    },
    runTask: () => Promise.resolve({ state: 'failed', error: 'not here' }),
    // The person answers, and hangs up again.
    transfer: ({ payload: { wait: key } }) => {
      const resolution = { decision: 'answered' };
      current().dispatch({ signal: { type: 'wait:resolved', at: clock.now(), key, resolution, actor: null } });
    },
    end: (effect) => (ended = effect.payload.reason),
  };
  const host = createFakeHost(
    current,
    own,
    fault.host?.(world) ?? world,
    fault.model?.(model, walk) ?? model,
    () => (behaves ? 0 : chance.pick([0, 0, 0, 10, 200])),
    (error) =>
      watch.broken('nothing of a turn throws', error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );

  hub.subscribe('*', (event) => {
    watch.note(`${event.type} ${JSON.stringify(event.data)}`, clock.now());
    ledger.hear(event);
  });
  const executor = createExecutor(functions);
  const sound = await createEngine({
    graph: fault.graph?.(flow.graph) ?? flow.graph,
    sessionId: 's',
    store: kept,
    executor: fault.executor?.(executor, walk) ?? executor,
    hub,
    clock,
    civilTime: systemCivilTime,
    ids,
    timeZone: 'UTC',
    writeCapMs: 10_000,
  });
  engine = fault.engine?.(sound, walk) ?? sound;

  const underway = new Set<Promise<unknown>>();
  const spawn = (name: string, doing: () => Promise<unknown>): void => {
    const work = doing().catch((error: unknown) =>
      watch.broken(
        'nothing of a turn throws',
        `${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      ),
    );
    underway.add(work);
    void work.finally(() => underway.delete(work));
  };

  let turns = 0;
  const say = (text: string, yes: boolean, eventId = `turn_${(turns += 1)}`): void => {
    const inbound = { eventId, text, via: chance.pick<Inbound['via']>(['speech', 'text', 'dtmf']) };
    watch.note(`caller: ${JSON.stringify(text)} ${eventId}`, clock.now());
    const byVoice = chance.often(0.5);
    if (byVoice) host.interrupt();
    spawn('turn', async () => {
      if (!byVoice) await host.hush();
      ledger.turn(eventId, yes);
      await host.take(inbound);
    });
  };

  const actions: readonly [weight: number, act: () => unknown][] = [
    [
      10,
      () => {
        const { text, yes } = randomWords(chance);
        say(text, yes);
      },
    ],
    [6, () => undefined],
    [2, () => host.interrupt()],
    [1, () => turns > 0 && say('once more', false, `turn_${Math.max(1, turns - chance.below(2))}`)],
    [
      1,
      () => {
        const to = chance.any([...current().graph.nodes.keys(), 'nowhere']) ?? 'nowhere';
        spawn('enter', async () => {
          await host.hush();
          current().dispatch({ signal: { type: 'node:requested', at: clock.now(), to } });
          host.speakUp();
        });
      },
    ],
    [
      0.4,
      () => {
        const next = chance.often(0.5) ? flow : (chance.any(fixedFlows()) ?? flow);
        graphs.set(next.graph.hash, next.graph);
        spawn('swap', async () => {
          await host.hush();
          if (current().state.status === 'active') await Promise.resolve(current().flows.swap(next.graph));
          host.speakUp();
        });
      },
    ],
  ];

  await engine.start({});
  host.speakUp();
  for (let move = 0; move < 14 && watch.finding === null && ended === null; move += 1) {
    await clock.advance(chance.pick([0, 0, 30, 300, 900, 2_500, 7_000, 20_000]));
    for (let round = chance.below(4); round > 0; round -= 1) await nextRound();
    chance.weighted(actions)?.();
    check(watch, current(), host.seen);
  }

  // Sometimes the caller hangs up without a clean end.
  if (watch.finding === null && !chance.often(0.15)) {
    behaves = true;
    watch.note('from here on everybody behaves', clock.now());
    await endWell();
  } else watch.note('hangs up', clock.now());
  check(watch, current(), host.seen);
  host.close();
  await settled(engine.close('explored'), 'closing');
  // A request to a model ends at its deadline. A write may outlive the session, with the timer that ends it.
  await clock.advance(5_000);
  if (!ledger.isRunning && clock.pending > own.open)
    watch.broken('no timer is left', `${clock.pending - own.open} timers`);
  await clock.advance(60_000);
  if (watch.finding === null) {
    ledger.settled();
    if (clock.pending > 0) watch.broken('no timer is left after a while', `${clock.pending} timers`);
    if (underway.size > 0) watch.broken('no promise is left', `${underway.size} turns have not ended`);
    const log = await kept.steps.list('s');
    ledger.keeps(log);
    const folded = foldLog(watch, graphs, flow.graph, log);
    if (!sameValue(folded, engine.state)) watch.broken('the log folds to the state', differences(folded, engine.state));
    const snapshot = await kept.sessions.get('s');
    if (!sameValue(snapshot?.state, engine.state))
      watch.broken('the store holds the state', differences(snapshot?.state, engine.state));
  }
  return watch.finding;

  /** Checks the end: the next words get an answer, or the conversation is over. */
  async function endWell(): Promise<void> {
    await clock.advance(patienceMs);
    if (ended !== null || current().state.status !== 'active') {
      if (ended === null) watch.broken('an end is performed', `status ${current().state.status}, but nothing ended`);
      return;
    }
    const before = host.heard.length;
    // A node that waits in silence by design answers only later words.
    for (
      let attempt = 0;
      attempt < 3 && host.heard.length === before && current().state.status === 'active';
      attempt += 1
    ) {
      say('hello?', false);
      await clock.advance(patienceMs);
    }
    const isOver = current().state.status !== 'active';
    if (host.heard.length === before && !isOver)
      watch.broken('the caller has an answer', `in ${current().state.position.node}`);
    if (host.isSpeaking) watch.broken('the agent comes to rest', `in ${current().state.position.node}`);
    if (current().outbox.speaks() && !isOver)
      watch.broken('nothing is left unsaid', JSON.stringify(current().outbox.peek()));
    if (isOver && ended === null)
      watch.broken('an end is performed', `status ${current().state.status}, but nothing ended`);
  }

  async function settled(work: Promise<unknown>, name: string): Promise<void> {
    let done = false;
    spawn(name, () => work.finally(() => (done = true)));
    for (let round = 0; round < 40 && !done; round += 1) await clock.advance(1_000);
    if (!done) watch.broken('no promise is left', `${name} does not end`);
  }
}

/** Checks the invariants that hold at every moment. */
function check(watch: Watch, engine: Engine, seen: ReadonlyMap<string, Completion>): void {
  const { state, graph } = engine;
  if (nodeOf(graph, state, state.position.node) === null) watch.broken('the current node exists', state.position.node);
  for (const [callId, completion] of seen)
    if (completion.isSettled && engine.calls.outputOf(callId) === undefined)
      watch.broken('every settled call has an output', callId);
}

const goodRun: RandomRun = { durationMs: 100, succeeds: true, result: { ok: true }, next: undefined };

/** The move that a function requests, in the host's format. */
function nextOf({ next }: RandomRun, graph: Graph): { next?: CallNext } {
  if (next === undefined) return {};
  if (next === null) return { next: { kind: 'stay' } };
  if (typeof next === 'string') return { next: { kind: 'node', to: next } };
  return graph.dynamicNode(next) === null ? {} : { next: { kind: 'dynamic', to: hashOf(next), node: next } };
}
