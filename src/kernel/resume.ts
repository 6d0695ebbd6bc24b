import type { Effect } from '../events/effect.ts';
import type { SessionResumed } from '../events/signal.ts';
import type { GraphNode } from '../graph/graph.ts';
import { askCaller, askNext, reply } from './answer.ts';
import {
  beginTurn,
  changeEffect,
  confirmationIn,
  type Draft,
  intend,
  isConfirmation,
  keyStart,
  openOfKind,
  settle,
  turnOf,
} from './draft.ts';
import { changeFrame, goOnWaiting } from './generator-frame.ts';
import { resumeGenerator } from './generator-trouble.ts';
import { isWaitingIn, keepCompany } from './company.ts';
import { isNews, isSpeech } from './news.ts';
import { owedSilently } from './owed.ts';
import { callUnderWay, isPending } from './pending-calls.ts';
import { travel } from './travel.ts';
import { wayOut } from './ways-out.ts';
import { speakHere } from './names.ts';
import { hasBegun } from './has-begun.ts';
import { nodeOf } from './offers.ts';

/**
 * A new process goes on where the old one stopped. Words of the caller that nobody has answered are answered; what was
 * being spoken is not said again word for word; writes and other effects that did not settle are asked for again under
 * the same key; the open question is asked anew.
 */
export function resume(draft: Draft, { byText, silent }: SessionResumed): void {
  const { graph, state } = draft;
  // Nothing was said or asked yet: the first words of the person begin the flow.
  if (!hasBegun(state)) return;
  // The task that has asked runs anew, and asks again.
  state.taskQuestion = null;
  countAttempts(draft);
  if (byText === true) return goOnWriting(draft);
  if (silent === true) return goOnUnheard(draft);
  if (state.unattended !== null && sayUnheard(draft, state.unattended)) return;
  if (state.generator !== null && (state.status === 'active' || state.status === 'parked')) {
    beginTurn(draft);
    for (const effect of Object.values(state.effects)) if (effect.kind === 'say') settle(draft, effect, 'unknown');
    resumeGenerator(draft);
    return;
  }
  const open = Object.values(state.effects);
  const lastTurn = keyStart(state);
  const unheard = open.find((one): one is LineEffect => isLineOfNode(one, state.visit) && one.key.startsWith(lastTurn));
  const notices = open.filter(isNotice).filter(({ key }) => key.startsWith(lastTurn));
  const isUnanswered = openOfKind(state, 'reply') !== undefined;
  beginTurn(draft);
  forgetSpeech(draft);
  if (state.status === 'active') ownUpToGap(draft);
  askAgain(draft);
  if (state.status !== 'active') return;
  // They were the reply to the caller's last words.
  for (const { payload } of notices) intend(draft, { kind: 'say', payload: { text: payload.text, reason: 'recap' } });
  // A tool or a task under way decides what is said next, or the flow that the caller is led to.
  const working =
    callUnderWay(state) || (['task', 'handoff'] as const).some((kind) => openOfKind(state, kind) !== undefined);
  const node = nodeOf(graph, state, state.node);
  if (isUnanswered && !working && node !== null) {
    reply(draft, node, 'return');
    return;
  }
  const wait = confirmationIn(state);
  if (wait !== undefined) {
    changeEffect(draft, { ...wait, state: 'intended' });
    intend(draft, { kind: 'say', payload: { text: wait.payload.say, reason: 'recap' } });
    return;
  }
  if (!working && node !== null) askAnew(draft, node, unheard);
}

/** Between two written turns nothing is missed: what is intended is done as it stands, under its key. */
function goOnWriting(draft: Draft): void {
  draft.state.unattended = null;
  for (const effect of Object.values(draft.state.effects))
    if (effect.kind !== 'wait' || (isConfirmation(effect) && effect.state === 'intended')) draft.effects.push(effect);
}

/** Nobody listens: nothing is said or asked anew, and what needs no listener is asked for again. */
function goOnUnheard(draft: Draft): void {
  const { state } = draft;
  beginTurn(draft);
  state.unattended ??= state.turn;
  if (state.generator !== null && (state.status === 'active' || state.status === 'parked')) {
    resumeGenerator(draft);
    // Whoever hears of it is told of the gap when they call.
    changeFrame(draft, { recapDue: false });
  }
  const owed = new Set(owedSilently(Object.values(state.effects)));
  // A pending call is asked for again as well: its run may have ended meanwhile.
  for (const effect of Object.values(state.effects))
    if ((owed.has(effect) || isPending(effect)) && !draft.effects.includes(effect)) draft.effects.push(effect);
}

/**
 * What came while nobody listened is said now, after a short recap, and stays news until it is heard; what was cut off before
 * that is not said again. False where there is no such thing.
 */
function sayUnheard(draft: Draft, since: number): boolean {
  const { state } = draft;
  const isUnheard = ({ key }: Effect): boolean => turnOf(key, state) >= since;
  const unheard = Object.values(state.effects).filter((effect) => isNews(effect) && isUnheard(effect));
  if (unheard.length === 0) {
    // Words of the model that nobody has heard are thought anew, and are news until they are heard.
    if (state.speaking === null) state.unattended = null;
    state.speaking = null;
    return false;
  }
  beginTurn(draft);
  for (const effect of Object.values(state.effects))
    if (isSpeech(effect) && !unheard.includes(effect)) settle(draft, effect, 'unknown');
  // To whom nothing was said yet nothing has to be explained.
  if (since > 1) greetAgain(draft);
  for (const effect of Object.values(state.effects))
    if (!draft.effects.includes(effect) && (effect.kind !== 'wait' || unheard.includes(effect)))
      draft.effects.push(effect);
  return true;
}

/** The conversation goes on where it stands: the open question is asked anew, else what the node says or asks. */
export function goOnHere(draft: Draft): void {
  const { graph, state } = draft;
  const wait = confirmationIn(state);
  const node = nodeOf(graph, state, state.node);
  const isBusy =
    callUnderWay(state) ||
    (['task', 'handoff', 'advance'] as const).some((kind) => openOfKind(state, kind) !== undefined);
  if (state.status !== 'active' || node === null || isBusy) return;
  if (wait !== undefined) {
    changeEffect(draft, { ...wait, state: 'intended' });
    intend(draft, { kind: 'say', payload: { text: wait.payload.say, reason: 'recap' } });
  } else askAnew(draft, node, undefined);
}

/** What of a stopped process is left to a session that goes on in another flow, which says and asks what comes next. */
export function takeOver(draft: Draft): void {
  countAttempts(draft);
  forgetSpeech(draft);
  ownUpToGap(draft);
  askAgain(draft);
}

/** A call that has not settled may have been begun: whoever runs it again is told that it is not the first attempt. */
function countAttempts(draft: Draft): void {
  for (const effect of Object.values(draft.state.effects))
    if (effect.kind === 'tool' && !isPending(effect))
      changeEffect(draft, { ...effect, payload: { ...effect.payload, attempt: (effect.payload.attempt ?? 1) + 1 } });
}

/** Nobody knows any more what was heard. */
function forgetSpeech(draft: Draft): void {
  for (const effect of Object.values(draft.state.effects)) if (isSpeech(effect)) settle(draft, effect, 'unknown');
}

function ownUpToGap(draft: Draft): void {
  draft.state.modelAsked = false;
  intend(draft, { kind: 'say', payload: { text: draft.graph.speech.lines.recap[0], reason: 'aside' } });
}

/** The caller was away, and is told what came of it. */
function greetAgain(draft: Draft): void {
  const [gap, again = gap] = draft.graph.speech.lines.recap;
  draft.state.modelAsked = false;
  intend(draft, { kind: 'say', payload: { text: again, reason: 'aside' } });
}

/** The host is asked anew for what has not settled; a question waits for the caller. */
function askAgain(draft: Draft): void {
  const unsettled = Object.values(draft.state.effects).filter((effect) => !draft.effects.includes(effect));
  for (const effect of unsettled) if (effect.kind !== 'wait') draft.effects.push(effect);
}

/**
 * A line of the node itself is not said again, unless it is what the caller was to answer and may not have been heard, or
 * all that the node has to say; a question is asked anew, and the model goes on where it was at work.
 */
function askAnew(draft: Draft, node: GraphNode, unheard: LineEffect | undefined): void {
  const { functions, messages, say } = node;
  const recap = (text: string): void => void intend(draft, { kind: 'say', payload: { text, reason: 'recap' } });
  if (node.interrupt !== null) {
    if (isWaitingIn(draft, node)) return keepCompany(draft, node, 'recap');
    if (node.interrupt.asksCaller) return askCaller(draft, node);
    if (draft.state.generator !== null) return goOnWaiting(draft);
    const way = wayOut(draft, node);
    if (way !== null) travel(draft, way, 'answer');
  } else if (node.collect.length > 0 || node.call !== null) askNext(draft, node, 'return');
  else if (unheard !== undefined && functions.length > 0) recap(unheard.payload.text);
  else if (functions.length > 0 || messages.length > 0) reply(draft, node, 'return');
  else if (say !== null && node.task === null) recap(speakHere(draft, say));
}

type LineEffect = Extract<Effect, { kind: 'say' }>;

function isLineOfNode(effect: Effect, visit: number): effect is LineEffect {
  return effect.kind === 'say' && effect.payload.reason === 'node' && effect.visit === visit;
}

/** What a hook or a command has said instead of a reply. */
function isNotice(effect: Effect): effect is LineEffect {
  return effect.kind === 'say' && effect.payload.reason === 'notice';
}
