import { type Effect, effectKinds } from '../../model/effect.ts';
import type { SessionResumed } from '../../model/signals/signal.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import { askCaller, askNext, reply } from '../answer.ts';
import {
  beginTurn,
  changeEffect,
  confirmationIn,
  type Draft,
  hasBegun,
  intend,
  isConfirmation,
  keyStart,
  openOfKind,
  settle,
  turnOf,
} from '../state/draft.ts';
import { ask, changeFrame, goOnWaiting, openQuestion } from '../generator/frame.ts';
import { resumeGenerator } from '../generator/trouble.ts';
import { isWaitingIn, sayWaitingLine } from './outside-waits.ts';
import { isPendingSpeech, isSpeech } from '../question/pending-speech.ts';
import { owedSilently } from '../question/unperformed-effects.ts';
import { isFlowWorking, isPending } from '../call/pending-calls.ts';
import { travel } from '../move/travel.ts';
import { wayOut } from '../move/ways-out.ts';
import { speakHere } from '../state/names.ts';
import { nodeOf } from '../move/offers.ts';
import { forgetSlot } from '../state/slots.ts';

/**
 * Continues in a new process. Unanswered words of the caller are answered. Interrupted speech is not repeated word for
 * word. Writes and other unsettled effects are requested again under the same key. The open question is asked again.
 */
export function resume(draft: Draft, { byText, silent, unreadable = [] }: SessionResumed): void {
  const { graph, state } = draft;
  if (!hasBegun(state)) {
    // Nothing was said yet: the person's first words begin the flow. A call that reached a machine only ends.
    if (state.people.callee !== null) askAgain(draft);
    return;
  }
  for (const name of unreadable) forgetSlot(draft, name);
  // The task that asked runs again and repeats its question.
  state.dialogue.taskQuestion = null;
  countAttempts(draft);
  if (byText === true) return goOnWriting(draft);
  if (silent === true) return goOnUnheard(draft);
  if (state.people.unattended !== null && sayUnheard(draft, state.people.unattended)) return;
  if (state.position.generator !== null && (state.status === 'active' || state.status === 'parked')) {
    beginTurn(draft);
    for (const effect of Object.values(state.effects)) if (effect.kind === 'say') settle(draft, effect, 'unknown');
    resumeGenerator(draft);
    return;
  }
  const open = Object.values(state.effects);
  const lastTurn = keyStart(state);
  const unheard = open.find(
    (one): one is LineEffect => isLineOfNode(one, state.position.visit) && one.key.startsWith(lastTurn),
  );
  const notices = open.filter(isNotice).filter(({ key }) => key.startsWith(lastTurn));
  const isUnanswered = openOfKind(state, 'reply') !== undefined;
  beginTurn(draft);
  forgetSpeech(draft);
  if (state.status === 'active') ownUpToGap(draft);
  askAgain(draft);
  // The person goes on talking to the caller, and the flow stays.
  if (state.status !== 'active' || state.people.takeover !== null) return;
  // The notices were the reply to the caller's last words.
  for (const { payload } of notices) intend(draft, { kind: 'say', payload: { text: payload.text, reason: 'recap' } });
  // A running tool, task or handoff decides what is said next.
  const working = isFlowWorking(state);
  const node = nodeOf(graph, state, state.position.node);
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

/**
 * Continues a written conversation, which misses nothing between turns: intended effects are performed under their
 * keys.
 */
function goOnWriting(draft: Draft): void {
  draft.state.people.unattended = null;
  for (const effect of Object.values(draft.state.effects))
    if (isAskedAgain(effect) || (isConfirmation(effect) && effect.state === 'intended')) draft.effects.push(effect);
}

/** Continues without a listener: requests the effects that need none and says nothing. */
function goOnUnheard(draft: Draft): void {
  const { state } = draft;
  beginTurn(draft);
  state.people.unattended ??= state.turn.number;
  if (state.position.generator !== null && (state.status === 'active' || state.status === 'parked')) {
    resumeGenerator(draft);
    // The recap follows in the caller's next call.
    changeFrame(draft, { recapDue: false });
  }
  const owed = new Set(owedSilently(Object.values(state.effects)));
  // A pending call is also requested: its run may have ended meanwhile.
  for (const effect of Object.values(state.effects))
    if ((owed.has(effect) || isPending(effect)) && !draft.effects.includes(effect)) draft.effects.push(effect);
}

/**
 * Says speech that came while no listener was connected, after a short recap. It stays pending until heard. Earlier
 * interrupted speech is not repeated. Returns false if nothing is pending.
 */
function sayUnheard(draft: Draft, since: number): boolean {
  const { state } = draft;
  const isUnheard = ({ key }: Effect): boolean => turnOf(key, state) >= since;
  const unheard = Object.values(state.effects).filter((effect) => isPendingSpeech(effect) && isUnheard(effect));
  if (unheard.length === 0) {
    // An unheard reply of the model is generated again and stays pending until heard.
    if (state.people.speaking === null) state.people.unattended = null;
    state.people.speaking = null;
    return false;
  }
  beginTurn(draft);
  for (const effect of Object.values(state.effects))
    if (isSpeech(effect) && !unheard.includes(effect)) settle(draft, effect, 'unknown');
  // A caller who has heard nothing yet needs no explanation.
  if (since > 1) greetAgain(draft);
  for (const effect of Object.values(state.effects))
    if (!draft.effects.includes(effect) && (isAskedAgain(effect) || unheard.includes(effect)))
      draft.effects.push(effect);
  return true;
}

/** Continues at the current node: repeats the open question, otherwise the node's line or question. */
export function goOnHere(draft: Draft): void {
  const { graph, state } = draft;
  const wait = confirmationIn(state);
  const node = nodeOf(graph, state, state.position.node);
  if (state.status !== 'active' || node === null || isFlowWorking(state)) return;
  const asked = openQuestion(draft);
  if (wait !== undefined) {
    changeEffect(draft, { ...wait, state: 'intended' });
    intend(draft, { kind: 'say', payload: { text: wait.payload.say, reason: 'recap' } });
  } else if (asked !== null) ask(draft, asked, asked.text);
  else askAnew(draft, node, undefined);
}

/** Takes over from a stopped process into another flow, which then speaks. */
export function takeOver(draft: Draft): void {
  countAttempts(draft);
  forgetSpeech(draft);
  ownUpToGap(draft);
  askAgain(draft);
}

/** Increments the attempt of unsettled calls: they may have started, and the handler must know that it is a retry. */
function countAttempts(draft: Draft): void {
  for (const effect of Object.values(draft.state.effects))
    if (effect.kind === 'tool' && !isPending(effect))
      changeEffect(draft, { ...effect, payload: { ...effect.payload, attempt: (effect.payload.attempt ?? 1) + 1 } });
}

/** Settles open speech as unknown: how much was heard cannot be determined. */
function forgetSpeech(draft: Draft): void {
  for (const effect of Object.values(draft.state.effects))
    if (effectKinds[effect.kind].onResume === 'forgotten') settle(draft, effect, 'unknown');
}

function ownUpToGap(draft: Draft): void {
  draft.state.dialogue.modelAsked = false;
  intend(draft, { kind: 'say', payload: { text: draft.graph.speech.lines.recap[0], reason: 'aside' } });
}

/** Greets a returning caller before the pending speech. */
function greetAgain(draft: Draft): void {
  const [gap, again = gap] = draft.graph.speech.lines.recap;
  draft.state.dialogue.modelAsked = false;
  intend(draft, { kind: 'say', payload: { text: again, reason: 'aside' } });
}

/** Requests unsettled effects from the host again, except questions, which wait for the caller. */
function askAgain(draft: Draft): void {
  const unsettled = Object.values(draft.state.effects).filter((effect) => !draft.effects.includes(effect));
  for (const effect of unsettled) if (isAskedAgain(effect)) draft.effects.push(effect);
}

function isAskedAgain({ kind }: Effect): boolean {
  return effectKinds[kind].onResume !== 'open';
}

/**
 * Continues a node after an interruption. The node's line is repeated only if the caller should answer it and may not
 * have heard it, or if the node has nothing else. A question is asked again, and an interrupted reply is generated
 * again.
 */
function askAnew(draft: Draft, node: GraphNode, unheard: LineEffect | undefined): void {
  const { functions, messages, say } = node;
  const recap = (text: string): void => void intend(draft, { kind: 'say', payload: { text, reason: 'recap' } });
  if (node.interrupt !== null) {
    if (isWaitingIn(draft, node)) return sayWaitingLine(draft, node, 'recap');
    if (node.interrupt.asksCaller) return askCaller(draft, node);
    if (draft.state.position.generator !== null) return goOnWaiting(draft);
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

/** Checks for a line that a hook or a command said instead of a reply. */
function isNotice(effect: Effect): effect is LineEffect {
  return effect.kind === 'say' && effect.payload.reason === 'notice';
}
