import { z } from 'zod';
import { createMemoryStore } from '../../../src/durable/memory-store.ts';
import type { JsonObject } from '../../../src/events/json.ts';
import { sameValue } from '../../../src/expression/same-value.ts';
import { isGeneratorFlow } from '../../../src/flow/generator.ts';
import type { Graph } from '../../../src/graph/graph.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { checkFlow } from '../../../src/load/check-flow.ts';
import { builtinCatalog } from '../../../src/nodes/builtin.ts';
import { FlowRunner } from '../../../src/runner/flow-runner.ts';
import { createCountingIds } from '../../../src/testing/counting-ids.ts';
import { OpenMicrophone } from '../../../src/testing/open-microphone.ts';
import { ScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import { createVirtualClock, settleLiveKit } from '../../../src/testing/virtual-clock.ts';
import { createChance } from '../chance.ts';
import { differences, foldLog } from '../fold-log.ts';
import type { Meaning } from '../talk/said.ts';
import { authorsEnds, lastQuestion, today } from '../talk/talk.ts';
import { createWatch } from '../watch.ts';
import { createAwkwardCaller } from './caller.ts';
import { consentOpenings } from './consents.ts';
import type { Coverage } from './coverage.ts';
import { type Broken, createLedger } from './ledger.ts';
import { type Quirk, type QuirkMemory, quirkyReply } from './quirks.ts';
import type { Scene } from './scene.ts';
import { createStallingVoice } from './stalling-voice.ts';
import { type ActName, acts, cutActs, type Utterance } from './utterance.ts';

/** A call to be held. */
export interface AwkwardTalk {
  readonly seed: number;
  readonly name: string;
  readonly scene: Scene;
  readonly quirk: Quirk;
  /** How often the caller does something awkward, between 0 and 1. */
  readonly awkwardness: number;
  /** Awkward only at questions of yes or no, which they cut into at any word. */
  readonly atConsent: boolean;
  /** One act, done once at each question, instead of acts by chance; `isCut` cuts into the line with it. */
  readonly script?: { readonly act: ActName; readonly isCut: boolean };
  readonly coverage?: Coverage;
}

export interface AwkwardOutcome {
  readonly findings: readonly Broken[];
  readonly end: string | null;
  readonly turns: number;
  readonly transcript: readonly string[];
}

/** No call takes so many turns of its caller. */
const mostTurns = 70;
/** Awkward acts in one call: then the caller only answers. */
const mostActs = 9;
const silenceMs = 8_000;
const patienceMs = 60_000;

/** Ends that the product gives a call whose flow names no way out of trouble. */
const ladderEnds = new Set(['no-match', 'no-input', 'refused', 'failed']);

/** Holds one call on a real AgentSession under virtual time, and tells which laws it breaks. */
export async function holdAwkward(talk: AwkwardTalk): Promise<AwkwardOutcome> {
  const { scene, seed } = talk;
  const chance = createChance(seed);
  const clock = createVirtualClock(Date.parse(`${today}T09:00:00Z`), settleLiveKit);
  const transcript: string[] = [];
  const note = (line: string): void => void transcript.push(line);
  const desk = scene.tools();
  const isWrite = (name: string): boolean =>
    scene.consents?.[name] !== undefined ||
    [...graph.nodes.values()].some(({ functions }) => functions.some((one) => one.name === name && one.write));
  const tools = Object.keys(desk).map((name) =>
    flowTool({
      name,
      description: name,
      parameters: z.looseObject({}),
      execute: async (input, { key }) => {
        note(`        (${name} ${JSON.stringify(input)})`);
        if (isWrite(name)) ledger.wrote(name, input as JsonObject); // Arguments of a call are JSON.
        const result = await desk[name]?.(input, { key });
        if (isWrite(name) && !isFailure(result)) ledger.made(name);
        return result;
      },
    }),
  );
  const graph = graphOf(scene);
  const openings = consentOpenings(graph, scene);
  const ledger = createLedger(scene, graph);
  const caller = createAwkwardCaller(scene, chance);
  const meanings = new Map<string, Meaning>();
  const memory: QuirkMemory = { proposed: null, turns: 0 };
  const reply = (request: ScriptedRequest): ScriptedReply => {
    const made = quirkyReply(request, { graph, state: runner.state, meanings }, talk.quirk, scene, memory, chance);
    const calls = (made.calls ?? []).map(({ name, arguments: args }) => `${name} ${JSON.stringify(args ?? {})}`);
    note(`        [${calls.join(', ')}${made.text ? ` "${made.text}"` : ''}]`);
    return made;
  };
  const voice = createStallingVoice();
  const session = createTextSession(new ScriptedModel(reply, { clock }), voice);
  session.input.audio = new OpenMicrophone();
  const store = createMemoryStore({ clock });
  const runner = new FlowRunner({
    session,
    flow: isGeneratorFlow(scene.source) ? scene.source : graph.document,
    sessionId: 's',
    timeZone: 'UTC',
    tools,
    handlers: Object.fromEntries(
      Object.keys(desk).map((name) => [
        name,
        async (data: JsonObject, { key }: { key: string }) => void (await desk[name]?.(data, { key })),
      ]),
    ),
    store,
    clock,
    ids: createCountingIds(),
  });
  let ended: string | null = null;
  void runner.ended.then((reason) => (ended = reason));
  runner.hub.subscribe('*', (event) => {
    if (event.type === 'transition:taken') note(`        -> ${event.data.to}`);
    if (event.type === 'response:failed' && event.data.stage === 'turn') ledger.broken('throws', event.data.reason);
  });

  let turns = 0;
  let done = 0;
  /** What was played and not answered yet. */
  let heard = '';
  let before = '';
  let known = '{}';
  const listen = async (ms = 3_000): Promise<void> => {
    await clock.advance(ms);
    const played = voice.take();
    heard = `${heard} ${played}`.trim();
    note(`agent   ${played}${voice.isStopped ? ' …' : ''}`);
    const slots = JSON.stringify(
      Object.fromEntries(Object.entries(runner.state.slots).map(([name, { value }]) => [name, value])),
    );
    if (slots !== known) note(`        ${(known = slots)}`);
  };
  const plan = (): void => {
    const isAwkward = done < mostActs && chance.often(talk.awkwardness);
    if (talk.script !== undefined)
      voice.stopAfter(talk.script.isCut && done < mostActs ? 1 + chance.below(5) : Infinity);
    else if (talk.atConsent)
      voice.stopAfter(isAwkward ? 1 + chance.below(chance.pick([5, 10, 25])) : Infinity, openings);
    else voice.stopAfter(isAwkward && chance.often(0.6) ? 1 + chance.below(chance.often(0.5) ? 30 : 12) : Infinity);
  };
  const speak = async (utterance: Utterance): Promise<void> => {
    note(`caller  ${utterance.text}   {${utterance.act}, ${utterance.stance}${voice.isStopped ? ', cuts in' : ''}}`);
    const isCut = voice.isStopped;
    talk.coverage?.spoke(graph, runner.state, utterance, heard, isCut);
    ledger.spoke({ heard, isCut, utterance }, runner.state);
    caller.spoke(utterance);
    meanings.set(utterance.text, utterance.means);
    before = heard;
    heard = '';
    turns += 1;
    const sent = runner.send(utterance.text, { eventId: `turn_${turns}` });
    // LiveKit counts a word as heard once it was given out: nothing more is, from here on.
    await clock.advance(0);
    plan();
    if (isCut) voice.cut();
    await listen();
    if (ended === null && !voice.isStopped) await sent;
    else void sent.catch(() => undefined);
  };
  const rest = (): void => {
    if (ended !== null || runner.state.status !== 'active') return;
    if (heard === '' && !runner.state.patience) ledger.broken('silent', `in ${runner.currentNode}`);
    ledger.answered(heard, runner.state);
  };

  const disturbed = new Set<string>();
  const nextAct = (): ActName => {
    if (done >= mostActs) return 'answer';
    if (talk.script !== undefined) {
      // Once at each question, so that the call goes on.
      const place = `${runner.state.node} ${lastQuestion(heard) || heard}`;
      if (disturbed.has(place)) return 'answer';
      disturbed.add(place);
      return talk.script.act;
    }
    const isAwkward = voice.isStopped || chance.often(talk.awkwardness);
    if (!isAwkward || (talk.atConsent && !openings.test(heard))) return 'answer';
    return chance.pick(voice.isStopped && chance.often(0.5) ? cutActs : acts);
  };
  plan();
  void runner.start().catch(() => undefined);
  await listen();
  rest();
  while (ended === null && turns < mostTurns) {
    const act = nextAct();
    if (act === 'silence' && !voice.isStopped) {
      done += 1;
      note('caller  (says nothing)');
      talk.coverage?.spoke(graph, runner.state, null, heard, false);
      const was = heard;
      heard = '';
      plan();
      await listen(runner.state.patience ? patienceMs : silenceMs);
      rest();
      before = `${before} ${was}`;
      if (heard === '') heard = was;
      continue;
    }
    const awkward = act === 'answer' ? null : caller.does(act, heard, voice.isStopped);
    if (awkward !== null) done += 1;
    else if (voice.isStopped) {
      // The caller lets the agent finish.
      voice.goOn();
      await listen();
      rest();
      continue;
    }
    const utterance = awkward ?? caller.answer(heard, before) ?? caller.answer(before, '') ?? unknown(scene);
    await speak(utterance);
    rest();
  }
  if (ended === null) ledger.broken('end', `after ${turns} turns in ${runner.currentNode}`);
  else if (
    !authorsEnds(graph).has(ended) &&
    !(graph.onTrouble === null && ladderEnds.has(ended)) &&
    !isGenerator(scene)
  )
    ledger.broken('end', `ended "${String(ended)}" in ${runner.state.node}`);
  voice.cut();
  void runner.stop('explored').catch(() => undefined);
  void session.close().catch(() => undefined);
  for (let second = 0; second < 20; second += 1) await clock.advance(1_000);
  const watch = createWatch(seed, scene.name);
  const folded = foldLog(watch, new Map([[graph.hash, graph]]), graph, await store.readLog('s'));
  if (watch.finding !== null) ledger.broken('log', `${watch.finding.invariant}: ${watch.finding.detail}`);
  else if (!sameValue(folded, runner.state)) ledger.broken('log', differences(folded, runner.state));
  note(`        end: ${ended ?? 'none'}, ${turns} turns`);
  return { findings: ledger.findings, end: ended, turns, transcript };
}

/** Whether a function of a shipped flow has done nothing: the time was taken, or its calendar is down. */
function isFailure(result: unknown): boolean {
  const { status } = (result ?? {}) as { readonly status?: unknown };
  return status === 'taken' || status === 'day_full' || status === 'full' || status === 'unavailable';
}

function isGenerator({ source }: Scene): boolean {
  return isGeneratorFlow(source);
}

function unknown({ phrases }: Scene): Utterance {
  return { text: phrases.unknown, act: 'answer', stance: 'neither', isWeak: false, states: {}, means: {} };
}

const graphs = new Map<Scene, Graph>();

/** The flow of a scene, compiled once for all calls. */
export function graphOf(scene: Scene): Graph {
  const known = graphs.get(scene);
  if (known !== undefined) return known;
  const functions = new Set(Object.keys(scene.tools()));
  const { graph, diagnostics } = checkFlow(scene.source, { catalog: builtinCatalog, functions, handlers: functions });
  if (graph === null)
    throw new Error(`${scene.name} does not compile: ${diagnostics.map(({ message }) => message).join('; ')}`);
  graphs.set(scene, graph);
  return graph;
}
