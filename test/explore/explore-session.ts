import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { sameValue } from '../../src/flow/expression/same-value.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { functionIn, functionsIn, nodeOf } from '../../src/kernel/move/offers.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { type FlowToolContext, flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { next } from '../../src/livekit/tools/next.ts';
import { declarationsOf, type FunctionTool } from '../../src/livekit/tools/function-tool.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createPacedSpeech } from '../../src/testing/paced-speech.ts';
import { ScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../src/testing/scripted-model.ts';
import { createVirtualClock, settleLiveKit } from '../../src/testing/virtual-clock.ts';
import { createChance } from './chance.ts';
import { type ExploredFlow, fixedFlows, flowFor, handlerNames, toolNames } from './flows.ts';
import type { SessionFault } from './fault.ts';
import { differences, foldLog } from './fold-log.ts';
import { createLedger } from './ledger.ts';
import { randomRun } from './random-function.ts';
import { randomReply, randomWords } from './random-replies.ts';
import { createWatch, type Finding } from './watch.ts';

// LiveKit adds six listeners to a reply's signal and two for each call. Three concurrent calls would trigger Node's
// warning.
setMaxListeners(20);

/** Virtual time within which a caller must have an answer once model and functions behave. */
const patienceMs = 60_000;

/** Walks at random through one flow on a real AgentSession. Returns the first broken invariant. */
export async function exploreSession(seed: number, fault: SessionFault = {}): Promise<Finding | null> {
  const chance = createChance(seed);
  const flow = flowFor(seed);
  const clock = createVirtualClock(undefined, settleLiveKit);
  const watch = createWatch(seed, flow.name);
  const store = createMemoryStore({ clock });
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.schedule(ms, resolve));
  const heard: string[] = [];
  let behaves = false;
  let ended: string | null = null;
  let failedHandlers = 0;

  const run = async (name: string, ...call: [JsonObject, FlowToolContext]) => {
    const { input, context } = fault.given?.(...call) ?? { input: call[0], context: call[1] };
    const { key, node, attempt, signal } = context;
    const { state } = runner;
    const graph = current();
    const from = nodeOf(graph, state, node);
    const offered =
      from === null ? undefined : functionsIn(graph, from).find((one) => one.handler === name || one.name === name);
    const place = `${name} of ${node}, key ${key}, attempt ${attempt}`;
    const effect = state.effects[key];
    const finish = effect?.kind === 'tool' ? ledger.begin(key, effect.payload, attempt) : null;
    if (finish === null && offered?.write === true) watch.broken('no write runs without its intent', place);
    if (finish === null && offered === undefined) watch.broken('no function runs that its node does not offer', place);
    if (JSON.stringify(input).includes('"not":["this"]')) watch.broken('no function runs with wrong arguments', place);
    const one = randomRun(chance, graph, from === null ? null : functionIn(graph, from, offered?.name ?? name), name);
    if (one.durationMs > (fault.hangsAfterMs ?? Infinity)) await new Promise(() => undefined);
    if (one.durationMs > 0) await pause(behaves ? 100 : one.durationMs);
    const succeeds = behaves || one.succeeds;
    finish?.(succeeds && !signal.aborted);
    if (!succeeds) throw new Error('The function fails.');
    return behaves || one.next === undefined ? one.result : next(one.result, one.next);
  };
  const tools = toolsFor([flow, ...fixedFlows()], run);
  const compiled = (one: ExploredFlow): Graph => {
    const options = { functions: new Set(tools.map(({ name }) => name)), handlers: new Set(handlerNames) };
    const checked = checkFlow(one.source, { catalog: builtinCatalog, ...options, declared: declarationsOf(tools) });
    return checked.graph ?? one.graph;
  };
  const first = compiled(flow);
  const graphs = new Map([[first.hash, first]]);
  /** The graph of the active flow. */
  const current = (): Graph => graphs.get(runner.state.position.flow.hash) ?? first;

  const reply = (request: ScriptedRequest): ScriptedReply => {
    const items = fault.shown?.(request.items) ?? request.items;
    const made = items.filter((item) => item.startsWith('call: ')).length;
    const answered = items.filter((item) => item.startsWith('output: ')).length;
    if (made !== answered)
      watch.broken('every call that the model is shown has an output', `${made} calls, ${answered} outputs`);
    if (behaves) return { text: 'I am here.' };
    const graph = current();
    const node = nodeOf(graph, runner.state, runner.state.position.node);
    const one = randomReply(chance, graph, node === null ? [] : functionsIn(graph, node));
    for (const call of one.calls) ledger.made(call, call.mayRun);
    const { text, delayMs, wordMs, fails } = one;
    return { text, calls: one.calls, delayMs, wordMs, ...(fails === null ? {} : { fails }) };
  };
  const model = new ScriptedModel(reply, { clock });
  const speech = createPacedSpeech(clock, () => 300);
  const session = createTextSession(model, speech);
  const slowStore: Store = {
    ...store,
    steps: {
      ...store.steps,
      create: async (commit) => {
        if (!behaves && chance.often(0.2)) await pause(chance.pick([5, 400]));
        await store.steps.create(commit);
        ledger.kept(commit.effects);
      },
    },
  };
  const kept = fault.store?.(slowStore) ?? slowStore;
  const act = async (): Promise<void> => {
    if (behaves) return;
    await pause(chance.pick([0, 100, 3_000]));
    if (!chance.often(0.3)) return;
    failedHandlers += 1;
    throw new Error('The handler fails.');
  };
  const runner = createRunner({
    session,
    flow: flow.source,
    sessionId: 's',
    timeZone: 'UTC',
    tools,
    handlers: Object.fromEntries(handlerNames.map((name) => [name, act])),
    store: kept,
    clock,
    ids: createCountingIds(),
  });
  const ledger = createLedger(watch, () => ({ graph: current(), state: runner.state }));
  runner.hub.subscribe('*', (event) => {
    watch.note(`${event.type} ${JSON.stringify(event.data)}`, clock.now());
    ledger.hear(event);
    // An author's handler that throws is reported by this event. No other error is expected.
    if (event.type === 'response:failed' && event.data.stage === 'turn' && (failedHandlers -= 1) < 0)
      watch.broken('nothing of a turn throws', event.data.reason);
  });
  runner.onSpeech((text, interrupted) => {
    watch.note(`agent: ${text}${interrupted ? ' …' : ''}`, clock.now());
    heard.push(text);
  });
  void runner.ended.then((reason) => (ended = reason));

  const underway = new Set<string>();
  const spawn = (name: string, doing: () => Promise<unknown>): void => {
    const label = `${name} at ${clock.now()}`;
    underway.add(label);
    const failed = (error: unknown): void =>
      watch.broken(
        'nothing of a turn throws',
        `${name}: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
      );
    void doing()
      .catch(failed)
      .finally(() => underway.delete(label));
  };
  let turns = 0;
  const say = (text: string, yes: boolean, eventId = `turn_${(turns += 1)}`): void => {
    watch.note(`caller: ${JSON.stringify(text)} ${eventId}`, clock.now());
    ledger.turn(eventId, yes);
    spawn(`send ${eventId}`, () => runner.send(text, { eventId, via: chance.pick(['text', 'dtmf']) }));
  };
  const moves: readonly [number, () => unknown][] = [
    [
      10,
      () => {
        const { text, yes } = randomWords(chance);
        say(text, yes);
      },
    ],
    [5, () => undefined],
    [3, () => spawn('hush', () => runner.hush())],
    [1, () => turns > 0 && say('once more', false, `turn_${Math.max(1, turns - chance.below(2))}`)],
    [
      0.8,
      () => {
        const to = chance.any([...current().nodes.keys()]) ?? first.initial;
        spawn(`enter ${to}`, () => runner.enter(to));
      },
    ],
    [0.3, () => spawn('recap', () => runner.recap())],
    [
      0.3,
      () => {
        const other = chance.often(0.5) ? flow : (chance.any(fixedFlows()) ?? flow);
        const nextGraph = compiled(other);
        graphs.set(nextGraph.hash, nextGraph);
        spawn('swap', () => runner.swapFlow(other.source));
      },
    ],
  ];

  spawn('start', () => runner.start());
  await clock.advance(0);
  for (let move = 0; move < 8 && watch.finding === null && ended === null; move += 1) {
    await clock.advance(chance.pick([0, 30, 300, 900, 2_500, 7_000]));
    if (ended === null) chance.weighted(moves)?.();
    check();
  }
  const hangsUp = chance.often(0.15);
  if (watch.finding === null && !hangsUp) {
    behaves = true;
    watch.note('from here on everybody behaves', clock.now());
    await endWell();
  } else watch.note('hangs up', clock.now());
  check();
  spawn('stop', () => runner.stop('explored'));
  // The session closes after 0.5 s of wall-clock time. The test does not wait for it.
  void session.close().catch(() => undefined);
  for (let second = 0; second < 60 && (second < 20 || clock.pending > 0); second += 1) {
    speech.cut();
    await clock.advance(1_000);
  }
  if (watch.finding === null) {
    ledger.settled();
    if (clock.pending > 0) watch.broken('no timer is left', `${clock.pending} timers`);
    if (underway.size > 0) watch.broken('no promise is left', [...underway].join(', '));
    const log = await kept.steps.list('s');
    ledger.keeps(log);
    const folded = foldLog(watch, graphs, first, log);
    if (!sameValue(folded, runner.state)) watch.broken('the log folds to the state', differences(folded, runner.state));
  }
  return watch.finding;

  function check(): void {
    if (nodeOf(current(), runner.state, runner.state.position.node) === null)
      watch.broken('the current node exists', runner.state.position.node);
  }

  /** Checks the end: the next words get an answer, or the conversation is over. */
  async function endWell(): Promise<void> {
    await clock.advance(patienceMs);
    const before = heard.length;
    // A node that waits in silence by design answers only later words.
    for (let attempt = 0; attempt < 3 && heard.length === before && runner.state.status === 'active'; attempt += 1) {
      say('hello?', false);
      await clock.advance(patienceMs);
    }
    if (heard.length === before && runner.state.status === 'active')
      watch.broken('the caller has an answer', `in ${runner.currentNode}`);
    if (runner.state.status !== 'active' && ended === null)
      watch.broken('an end is performed', `status ${runner.state.status}, but nothing ended`);
    if (underway.size > 0) watch.broken('the agent comes to rest', [...underway].join(', '));
  }
}

/** Returns a stub for each function that the flows name. */
function toolsFor(
  flows: readonly ExploredFlow[],
  run: (name: string, input: JsonObject, context: FlowToolContext) => Promise<unknown>,
): readonly FunctionTool[] {
  const names = new Set(flows.flatMap(({ graph }) => [...toolNames(graph)]));
  return [...names].map((name) =>
    flowTool({
      name,
      description: name,
      parameters: z.looseObject({}),
      execute: (input, context) => run(name, input as JsonObject, context), // Arguments of a call are JSON.
    }),
  );
}
