import { sameValue } from '../../../src/flow/expression/same-value.ts';
import { isGeneratorFlow } from '../../../src/flow/document/generator.ts';
import { type KeyRule, keyRuleOf } from '../../../src/kernel/keys/key-rule.ts';
import { confirmationIn, isConfirmation } from '../../../src/kernel/state/draft.ts';
import type { Graph } from '../../../src/flow/graph/graph.ts';
import type { SessionState } from '../../../src/kernel/state/state.ts';
import type { ScriptedReply, ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import { createVirtualClock, settleLiveKit } from '../../../src/testing/virtual-clock.ts';
import { createChance } from '../chance.ts';
import { differences, foldLog } from '../fold-log.ts';
import type { Meaning } from '../talk/said.ts';
import { authorsEnds, today } from '../talk/talk.ts';
import { createWatch } from '../watch.ts';
import { openLine } from './call-line.ts';
import { createAwkwardCaller } from './caller.ts';
import { consentOpenings } from './consents.ts';
import type { Coverage } from './coverage.ts';
import { type Broken, createLedger } from './ledger.ts';
import { faultOfKeys, watchSecrets } from './keys-law.ts';
import { restOfEntry } from './pressing.ts';
import { type Quirk, type QuirkMemory, quirkyReply } from './quirks.ts';
import type { Scene } from './scene.ts';
import { compiled, type FlowFault, graphOf } from './scene-graph.ts';
import { ownScenes } from './scenes/own.ts';
import { type ActName, acts, cutActs, keyActs, type Utterance } from './utterance.ts';

/** An awkward call to play. */
export interface AwkwardTalk {
  readonly seed: number;
  readonly name: string;
  readonly scene: Scene;
  readonly quirk: Quirk;
  /** Share of awkward answers, between 0 and 1. */
  readonly awkwardness: number;
  /** Whether the caller is awkward only at yes-or-no questions, which they interrupt at any word. */
  readonly atConsent: boolean;
  /** A realtime model instead of a pipeline. Its lines cannot be interrupted here. */
  readonly model?: 'realtime';
  /** One act at each question instead of random acts. */
  readonly script?: Script;
  readonly coverage?: Coverage;
  /** A deliberate fault: changes the flow that is played. The call is judged by the scene's flow. */
  readonly fault?: FlowFault;
}

/** One act at each question: after the line, into it, or after the model's question. `first` precedes it. */
export interface Script {
  readonly act: ActName;
  readonly at: 'line' | 'cut' | 'model';
  readonly first?: ActName;
  /** The number of words of a yes-or-no question that the caller hears. Default: one word of any line. */
  readonly words?: number;
}

export interface AwkwardOutcome {
  readonly findings: readonly Broken[];
  readonly end: string | null;
  readonly turns: number;
  readonly transcript: readonly string[];
}

/** Maximum caller turns in a call. */
const mostTurns = 70;
/** Maximum awkward acts in a random call. After them the caller only answers. */
const mostActs = 9;
/** Maximum awkward acts in a scripted call. */
const mostScripted = 40;
const silenceMs = 8_000;
/** How long LiveKit may take for a reply on a busy machine, in milliseconds of the machine's clock. */
const settledWithinMs = 3_000;
const patienceMs = 60_000;

/** End reasons that Roomflow uses if a flow has no route out of trouble. */
const ladderEnds = new Set(['no-match', 'no-input', 'refused', 'failed']);

/** Plays one call on a real AgentSession under virtual time and returns the broken laws. */
export async function holdAwkward(talk: AwkwardTalk): Promise<AwkwardOutcome> {
  const { scene, seed } = talk;
  const chance = createChance(seed);
  const clock = createVirtualClock(Date.parse(`${today}T09:00:00Z`), settleLiveKit);
  const transcript: string[] = [];
  const note = (line: string): void => void transcript.push(line);
  const isWrite = (name: string): boolean =>
    scene.consents?.[name] !== undefined ||
    [...graph.nodes.values()].some(({ functions }) => functions.some((one) => one.name === name && one.write));
  const graph = talk.fault === undefined ? graphOf(scene) : compiled(scene, talk.fault);
  const openings = consentOpenings(graphOf(scene), scene);
  const ledger = createLedger(scene, graphOf(scene));
  const caller = createAwkwardCaller(scene, chance);
  const meanings = new Map<string, Meaning>();
  const memory: QuirkMemory = { proposed: null, turns: 0 };
  const reply = (request: ScriptedRequest): ScriptedReply => {
    secrets.keep(request);
    const made = quirkyReply(request, { graph, state: line.runner.state, meanings }, talk.quirk, scene, memory, chance);
    const calls = (made.calls ?? []).map(({ name, arguments: args }) => `${name} ${JSON.stringify(args ?? {})}`);
    note(`        [${calls.join(', ')}${made.text ? ` "${made.text}"` : ''}]`);
    return made;
  };
  const line = openLine({
    ...{ scene, graph, clock, reply, note },
    isRealtime: talk.model === 'realtime',
    // The shipped flows read the results of their functions.
    isEmptyHanded: talk.quirk === 'empty_results' && ownScenes.includes(scene),
    onCall: (name, args) => {
      if (!isWrite(name)) return;
      ledger.wrote(name, args);
      since.writes.push(name);
    },
    onDone: (name, result) => void (isWrite(name) && !isFailure(result) && ledger.made(name)),
    onFailed: (reason) => ledger.broken('throws', reason),
    onEvent: (event) => {
      secrets.keep(event);
      if (event.type === 'transition:taken') since.entered.push(event.data.to);
    },
  });

  const secrets = watchSecrets(secretDigits(scene));
  /** The nodes entered and the writes made since the caller last pressed keys. */
  let since = { entered: [] as string[], writes: [] as string[] };
  const most = talk.script === undefined ? mostActs : mostScripted;
  let turns = 0;
  let done = 0;
  /** The words played since the caller's last answer. */
  let heard = '';
  let before = '';
  let known = '{}';
  let asked = { node: '', heard: '', before: '' };
  const listen = async (ms = 3_000): Promise<void> => {
    await clock.advance(ms);
    const played = line.voice.take();
    secrets.keep(played);
    heard = `${heard} ${played}`.trim();
    if (ms > 0 || played !== '') note(`agent   ${played}${line.voice.isStopped ? ' …' : ''}`);
    const slots = JSON.stringify(
      Object.fromEntries(Object.entries(line.runner.state.knowledge.slots).map(([name, { value }]) => [name, value])),
    );
    if (slots !== known) note(`        ${(known = slots)}`);
  };
  const plan = (): void => {
    const isAwkward = done < most && chance.often(talk.awkwardness);
    if (talk.script?.words !== undefined) line.voice.stopAfter(done < most ? talk.script.words : Infinity, openings);
    else if (talk.script !== undefined) line.voice.stopAfter(talk.script.at === 'cut' && done < most ? 1 : Infinity);
    else if (talk.atConsent)
      line.voice.stopAfter(isAwkward ? 1 + chance.below(chance.pick([5, 10, 25])) : Infinity, openings);
    else
      line.voice.stopAfter(isAwkward && chance.often(0.6) ? 1 + chance.below(chance.often(0.5) ? 30 : 12) : Infinity);
  };
  const speak = async (utterance: Utterance): Promise<void> => {
    note(
      `caller  ${spelled(utterance)}   {${utterance.act}, ${utterance.stance}${line.voice.isStopped ? ', cuts in' : ''}}`,
    );
    const isCut = line.voice.isStopped;
    ledger.spoke({ heard, isCut, utterance }, line.runner.state);
    caller.spoke(utterance);
    if (utterance.text !== '') meanings.set(utterance.text, utterance.means);
    const { state: was } = line.runner;
    since = { entered: [], writes: [] };
    before = heard;
    heard = '';
    turns += 1;
    // A line without an inference is sent before the clock moves.
    const isPlanned = talk.script !== undefined && !isCut;
    if (isPlanned) plan();
    const sent = transmit(utterance);
    // LiveKit counts a word as heard once it was sent. This sends the last words.
    await clock.advance(0);
    if (!isPlanned) plan();
    if (isCut) line.voice.cut();
    await listen();
    // A flow that waits for something else answers when it arrives.
    const waits = line.ended !== null || line.voice.isStopped || isWaiting(line.runner.state);
    if (waits) void sent.catch(() => undefined);
    else await sent;
    const after = { before: was, after: line.runner.state, ...since };
    const fault = utterance.keys === undefined ? null : faultOfKeys(graph, utterance, after);
    if (fault !== null) ledger.broken('keys', fault);
    entry = restOfEntry(utterance);
  };
  /** The keys of an entry that the caller has spoken into. */
  let entry: Utterance | null = null;
  const transmit = ({ text, keys, around }: Utterance): Promise<unknown> => {
    if (keys !== undefined) return line.runner.press(keys);
    if (around !== undefined) void line.runner.press(around[0]).catch(() => undefined);
    return line.runner.send(text, { eventId: `turn_${turns}` });
  };
  const rest = async (): Promise<void> => {
    const isOver = (): boolean => line.ended !== null || line.runner.state.status !== 'active';
    const isDue = (): boolean => heard === '' && !isOver() && !line.runner.state.dialogue.patience;
    // On a busy machine LiveKit needs more rounds of the event loop for a reply. No time passes for the caller.
    const latest = performance.now() + settledWithinMs;
    for (let round = 0; isDue() && (round < 20 || performance.now() < latest); round += 1) await listen(0);
    // A reply that came late may still wait for a timer. The flow itself speaks to a silent caller later than that.
    if (isDue()) await listen();
    if (isOver()) return;
    if (isDue()) ledger.broken('silent', `in ${line.runner.currentNode}`);
    ledger.answered(heard, line.runner.state);
  };

  const disturbed = new Set<string>();
  const begun = new Set<string>();
  let lastPlace = '';
  const nextAct = (): ActName => {
    if (done >= most) return 'answer';
    if (talk.script !== undefined) {
      // Once at each question, so that the call can end.
      const { modelAsked } = line.runner.state.dialogue;
      const isBehind = talk.script.at === 'model' && modelAsked && lastPlace !== '';
      const place = isBehind ? `${lastPlace} (model)` : placeIn(line.runner.state);
      const { first } = talk.script;
      if (first !== undefined && !isBehind && !begun.has(place)) {
        begun.add(place);
        return first;
      }
      if (disturbed.has(place)) return 'answer';
      disturbed.add(place);
      if (talk.script.at !== 'model' || isBehind) return talk.script.act;
      lastPlace = place;
      return 'unrelated';
    }
    const isAwkward = line.voice.isStopped || chance.often(talk.awkwardness);
    if (!isAwkward || (talk.atConsent && !openings.test(heard))) return 'answer';
    if (scene.keys !== undefined && chance.often(0.3)) return chance.pick(keyActs);
    return chance.pick(line.voice.isStopped && chance.often(0.5) ? cutActs : acts);
  };
  plan();
  await line.start();
  await listen();
  await rest();
  while (line.ended === null && turns < mostTurns) {
    if (entry !== null) {
      const isAside = talk.script?.at === 'model' && !line.runner.state.dialogue.modelAsked;
      const aside = isAside ? caller.does('unrelated', heard, false) : null;
      const open: Utterance = entry;
      if (aside !== null) await speak(aside);
      else await speak(open);
      if (aside !== null) entry = open;
      await rest();
      continue;
    }
    const act = nextAct();
    if (act === 'silence' && !line.voice.isStopped) {
      done += 1;
      note('caller  (says nothing)');
      const was = heard;
      heard = '';
      plan();
      await listen(line.runner.state.dialogue.patience ? patienceMs : silenceMs);
      await rest();
      before = `${before} ${was}`;
      if (heard === '') heard = was;
      continue;
    }
    if (act === 'resume') {
      done += 1;
      note('        (another process goes on)');
      await line.resume();
      if (line.ended !== null) break;
      ledger.resumed();
      heard = '';
      before = '';
      await listen();
      await rest();
      continue;
    }
    const { state } = line.runner;
    const keysNow = { node: state.position.node, rule: keyRuleOf(graph, state) };
    const awkward =
      act === 'answer' ? null : caller.does(act, heard, line.voice.isStopped, wantedIn(graph, state), keysNow);
    if (awkward !== null) done += 1;
    if (line.voice.isStopped && (awkward === null || (line.isProtected && awkward.keys === undefined))) {
      // The caller lets the agent finish.
      line.voice.goOn();
      await listen();
      await rest();
      continue;
    }
    const { node } = state.position;
    if (caller.answer(heard, before) !== null) asked = { node, heard, before };
    // The node's question before the model's.
    const remembered = asked.node === node ? caller.answer(asked.heard, asked.before) : null;
    const answers = [caller.answer(heard, before), caller.answer(before, ''), remembered];
    const utterance = awkward ?? answers.find((one) => one !== null && isFit(one, keysNow.rule)) ?? unknown(scene);
    await speak(utterance);
    await rest();
  }
  if (line.ended === null) ledger.broken('end', `after ${turns} turns in ${line.runner.currentNode}`);
  else if (
    !authorsEnds(graphOf(scene)).has(line.ended) &&
    !(graph.onTrouble === null && ladderEnds.has(line.ended)) &&
    !isGenerator(scene)
  )
    ledger.broken('end', `ended "${line.ended}" in ${line.runner.state.position.node}`);
  const log = await line.close();
  secrets.keep(...log, ...(await line.left()));
  const leak = secrets.found();
  if (leak !== null) ledger.broken('secret', leak);
  const watch = createWatch(seed, scene.name);
  const folded = foldLog(watch, new Map([[graph.hash, graph]]), graph, log, (state, signal) => {
    if (signal.type === 'user:turn') talk.coverage?.spoke(graph, state, signal);
  });
  if (watch.finding !== null) ledger.broken('log', `${watch.finding.invariant}: ${watch.finding.detail}`);
  else if (!sameValue(folded, line.runner.state)) ledger.broken('log', differences(folded, line.runner.state));
  note(`        end: ${line.ended ?? 'none'}, ${turns} turns`);
  return { findings: ledger.findings, end: line.ended, turns, transcript };
}

/** Whether a function of a shipped flow had no effect: the time was taken, or the calendar was down. */
function isFailure(result: unknown): boolean {
  const { status } = (result ?? {}) as { readonly status?: unknown };
  return status === 'taken' || status === 'day_full' || status === 'full' || status === 'unavailable';
}

function isGenerator({ source }: Scene): boolean {
  return isGeneratorFlow(source);
}

function isWaiting({ effects }: SessionState): boolean {
  return Object.values(effects).some((effect) => effect.kind === 'wait' && !isConfirmation(effect));
}

/** The first digits of the personal slot that takes keys; null if there is none. */
function secretDigits({ keys, values }: Scene): string | null {
  const value = keys === undefined ? undefined : values[keys.secret]?.[0].value;
  return typeof value === 'string' ? value.slice(0, 6) : null;
}

/** Whether the caller's answer fits the meaning of keys: digits of a personal slot are entered only for that slot. */
function isFit({ keys, states }: Utterance, rule: KeyRule | null): boolean {
  return keys === undefined || (rule?.kind === 'slot' && states[rule.slot.name] !== undefined);
}

/** The words of an utterance, or its keys. */
function spelled({ text, keys, around }: Utterance): string {
  const pressed = keys ?? around?.[0];
  return pressed === undefined ? text : `(keys ${pressed}) ${text}`.trim();
}

/** Identifies the open question independently of its wording. */
function placeIn(state: SessionState): string {
  const subject = confirmationIn(state)?.payload.subject;
  const about = subject?.kind === 'slot' ? subject.slot : subject?.kind === 'call' ? subject.call.name : subject?.node;
  const asked = state.position.generator?.lastYield;
  return [state.position.node, state.dialogue.asked, about, asked?.type === 'ask' ? asked.key : ''].join(' ');
}

/** Returns the type of the requested value, even if the question was cut or the model asked something since. */
function wantedIn(graph: Graph, { dialogue: { asked }, position: { generator } }: SessionState): string | undefined {
  const question = generator?.lastYield;
  const type = question?.type === 'ask' ? question.expects?.slot?.['type'] : undefined;
  if (typeof type === 'string') return type;
  return graph.slots.get(asked?.split('slot:')[1] ?? '')?.type;
}

function unknown({ phrases, otherwise }: Scene): Utterance {
  const { text, means } = otherwise ?? { text: phrases.unknown, means: {} };
  return { text, act: 'answer', stance: 'neither', isWeak: false, states: {}, means };
}
