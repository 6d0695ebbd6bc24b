import type { Answerer, AnswerReason, CalleeWords } from '../../model/callee.ts';
import type { SilenceElapsed, UserTurn } from '../../model/signals/signal.ts';
import type { GraphCallee } from '../../flow/graph/graph.ts';
import { endAll } from '../answer.ts';
import { beginTurn, type Draft, emit, hasBegun, intend, settle } from '../state/draft.ts';
import { speakHere } from '../state/names.ts';
import { noDialogue } from '../state/dialogue.ts';
import { noKnowledge } from '../state/knowledge.ts';
import { noPosition } from '../state/position.ts';
import type { Callee } from '../state/people.ts';
import type { SessionState } from '../state/state.ts';
import { noteRetry } from './call-again.ts';
import { type Judgement, showsMachine, whoAnswered } from './who-answered.ts';

/** Silence after which the agent says "Hello?", in milliseconds: first after the answer, then after each "Hello?". */
const firstWordsMs = 4_000;
const reactionMs = 5_000;
/** Silence that ends a greeting, longer than the pauses in it. The tone is in it. */
const greetingEndMs = 2_500;
/** Silence after the message, in which a person may still pick up. */
const afterMessageMs = 1_500;
/** How often the agent says "Hello?" to a silent line. */
const mostGreetings = 2;
/** How often the agent answers a screener or presses the keys. A machine that asks again did not understand. */
const mostReplies = 2;
/** Turns of a person in which words of a machine still reveal a machine. */
const revisedTurns = 3;

const noWords: CalleeWords = { signs: [], words: 0 };

/** Checks whether a call of the agent's side has reached no person yet. The flow has not begun. */
export function isScreening(state: SessionState): boolean {
  const { callee, takeover } = state.people;
  return callee !== null && takeover === null && state.status === 'active' && !hasBegun(state);
}

/** Checks whether the next words of a call still decide who answered. */
export function mayBeMachine({ people: { callee } }: Pick<SessionState, 'people'>): boolean {
  return callee !== null && (callee.who !== 'person' || callee.turns < revisedTurns);
}

/**
 * Takes words while no person is known to be on the line, or words that show that there is none. They never reach the
 * flow. Returns `begin` when a person is there, `flow` for words of a person.
 */
export function takeCalleeWords(draft: Draft, turn: UserTurn): 'taken' | 'begin' | 'flow' {
  const { callee } = draft.state.people;
  const rule = draft.graph.callee;
  if (callee === null || rule === null) return 'flow';
  const words = turn.callee ?? noWords;
  if (callee.who === 'person') {
    change(draft, { turns: callee.turns + 1 });
    const isMachine = turn.callee !== undefined && callee.turns < revisedTurns && showsMachine(words);
    if (!isMachine) return 'flow';
    takeBackFlow(draft);
    // Code has begun the flow meanwhile.
  } else if (hasBegun(draft.state)) return 'flow';
  emit(draft, { type: 'turn:started', data: { eventId: turn.eventId, via: turn.via } });
  // Keys, and words of others, decide nothing.
  if (turn.callee === undefined) return 'taken';
  const before = { who: callee.who === 'person' ? null : callee.who, wasGreeted: callee.greetings > 0 };
  const judged = whoAnswered(words, { ...before, verdict: turn.detected ?? null });
  // A person who picks up while the message is said is more important than the message.
  if (callee.isLeaving && judged.who !== 'person') return 'taken';
  return follow(draft, rule, judged);
}

/** Takes a silence while no person is on the line. */
export function takeCalleeSilence(draft: Draft, { detected }: SilenceElapsed): 'taken' | 'begin' {
  const { callee } = draft.state.people;
  const rule = draft.graph.callee;
  if (callee === null || rule === null) return 'taken';
  beginTurn(draft);
  for (const effect of Object.values(draft.state.effects)) if (effect.kind === 'say') settle(draft, effect, 'unknown');
  if (callee.isLeaving) {
    leave(draft, 'voicemail');
    return 'taken';
  }
  if (detected !== undefined && callee.who === null)
    return follow(draft, rule, whoAnswered(noWords, { who: null, wasGreeted: false, verdict: detected }));
  if (callee.who === 'voicemail') leaveMessage(draft, rule);
  else if (callee.who === 'screener' || callee.who === 'menu' || callee.who === 'hold') leave(draft, callee.who);
  // Words without a reaction to "Hello?" were a recording.
  else if (callee.turns > 0 && callee.greetings > 0) {
    judge(draft, { who: 'voicemail', reason: 'no-reaction' });
    leaveMessage(draft, rule);
  } else if (callee.greetings < mostGreetings) greet(draft);
  else {
    judge(draft, { who: 'nobody', reason: 'silence' });
    leave(draft, 'nobody');
  }
  return 'taken';
}

/** Returns the silence in milliseconds after which the call goes on. */
export function calleeSilenceMs(draft: Draft): number {
  const callee = draft.state.people.callee;
  if (callee === null) return firstWordsMs;
  if (callee.isLeaving) return afterMessageMs;
  if (callee.who === 'voicemail') return greetingEndMs;
  if (callee.waitsSince !== null) return draft.graph.callee?.holdMs ?? firstWordsMs;
  return callee.greetings > 0 ? reactionMs : firstWordsMs;
}

function follow(draft: Draft, rule: GraphCallee, judged: Judgement): 'taken' | 'begin' {
  const { callee } = draft.state.people;
  judge(draft, judged);
  change(draft, { turns: (callee?.turns ?? 0) + 1 });
  switch (judged.who) {
    case 'person':
      change(draft, { turns: 0, waitsSince: null, isLeaving: false });
      return 'begin';
    case 'screener':
      answerScreener(draft, rule);
      break;
    case 'menu':
      pressKeys(draft, rule);
      break;
    case 'hold':
      waitForPerson(draft, rule);
      break;
    case 'voicemail':
      change(draft, { waitsSince: null });
      break;
    case 'nobody':
      break;
    case null:
      greet(draft);
      break;
    default:
      judged.who satisfies never;
  }
  return 'taken';
}

function judge(draft: Draft, { who, reason }: { readonly who: Answerer | null; readonly reason: AnswerReason }): void {
  emit(draft, { type: 'callee:judged', data: { who, reason } });
  change(draft, { who });
}

function change({ state }: Draft, changed: Partial<Callee>): void {
  if (state.people.callee !== null) state.people.callee = { ...state.people.callee, ...changed };
}

function greet(draft: Draft): void {
  change(draft, { greetings: (draft.state.people.callee?.greetings ?? 0) + 1 });
  say(draft, draft.graph.speech.lines.hello[0]);
}

function say(draft: Draft, text: string, isProtected = false): void {
  intend(draft, { kind: 'say', payload: { text, reason: 'action', ...(isProtected ? { protected: true } : {}) } });
}

function answerScreener(draft: Draft, { screener }: GraphCallee): void {
  if (screener === null || !countReply(draft)) return leave(draft, 'screener');
  say(draft, speakHere(draft, screener));
}

function pressKeys(draft: Draft, { keys }: GraphCallee): void {
  if (keys === null || !countReply(draft)) return leave(draft, 'menu');
  intend(draft, { kind: 'keys', payload: { keys, when: 'pre' } });
}

/** Counts a reply to a machine, after which a person is waited for. Returns false if there were too many. */
function countReply(draft: Draft): boolean {
  const replies = draft.state.people.callee?.replies ?? 0;
  if (replies >= mostReplies) return false;
  change(draft, { replies: replies + 1, waitsSince: draft.at });
  return true;
}

/** Waits in a queue. Announcements do not prolong the wait. */
function waitForPerson(draft: Draft, { holdMs }: GraphCallee): void {
  const since = draft.state.people.callee?.waitsSince ?? draft.at;
  if (draft.at - since >= holdMs) return leave(draft, 'hold');
  change(draft, { waitsSince: since });
}

/** Says the message once in all attempts; without one the agent hangs up. */
function leaveMessage(draft: Draft, { voicemail }: GraphCallee): void {
  const text = voicemail === null || draft.state.people.callee?.hasMessage === true ? '' : speakHere(draft, voicemail);
  if (text === '') return leave(draft, 'voicemail');
  change(draft, { isLeaving: true, hasMessage: true });
  say(draft, text, true);
}

function leave(draft: Draft, who: Exclude<Answerer, 'person'>): void {
  noteRetry(draft);
  endAll(draft, who);
}

/** Takes the flow back to its beginning: the words that began it were those of a machine. */
function takeBackFlow(draft: Draft): void {
  const { state, graph } = draft;
  for (const effect of Object.values(state.effects)) settle(draft, effect, 'cancelled');
  Object.assign(state.position, noPosition, { flow: state.position.flow });
  const { timeZone, input } = state.knowledge;
  Object.assign(state.knowledge, noKnowledge, { timeZone, input, variables: Object.fromEntries(graph.variables) });
  state.turn.words = null;
  Object.assign(state.dialogue, noDialogue, { language: state.dialogue.language });
  change(draft, { who: null, turns: 0, greetings: 0, waitsSince: null });
}
