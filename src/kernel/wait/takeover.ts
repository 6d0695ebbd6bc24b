import type { TakeoverEnded, TakeoverHeard, TakeoverSaid, TakeoverStarted } from '../../model/signals/people-signal.ts';
import type { UserTurn } from '../../model/signals/signal.ts';
import { beginTurn, type Draft, intend, keyStart, settle, emit } from '../state/draft.ts';
import { hitlOf } from './hitl.ts';
import { nodeOf } from '../move/offers.ts';
import { goOnHere } from './resume.ts';
import { repeatTaskQuestion } from './task-question.ts';
import { travel } from '../move/travel.ts';
import { answerQueue, isAfterTransfer, leaveTransfer } from './transfer.ts';

/** Starts a takeover: the agent is silent, and the caller's words do not reach the flow. */
export function startTakeover(draft: Draft, { type, actor, participant }: TakeoverStarted): void {
  const { state } = draft;
  if (state.people.takeover !== null)
    return emit(draft, { type: 'signal:ignored', data: { signal: type, reason: 'stale' } });
  beginTurn(draft);
  fallSilent(draft, { actor, ...(participant === undefined ? {} : { participant }) });
  answerQueue(draft);
}

/** Stops the agent's speech: a person talks to the caller. */
export function fallSilent(draft: Draft, { actor, participant }: Pick<TakeoverStarted, 'actor' | 'participant'>): void {
  const { state } = draft;
  for (const effect of Object.values(state.effects))
    if (effect.kind === 'reply' || effect.kind === 'say') settle(draft, effect, 'cancelled');
  state.turn.words = null;
  // The takeover belongs to the open wait for a person. Otherwise it is an escalation itself.
  const { hitlState, escalationId } = hitlOf(state);
  const isAbout = hitlState.startsWith('pending') && escalationId !== undefined;
  state.people.takeover = {
    actor,
    escalationId: isAbout ? escalationId : `${keyStart(state)}takeover`,
    ...(participant === undefined ? {} : { participant }),
  };
  emit(draft, { type: 'takeover:started', data: { actor: actor?.id ?? null } });
}

/** Speaks the person's words with the agent's voice. */
export function sayForPerson(draft: Draft, { type, text }: TakeoverSaid): void {
  if (draft.state.people.takeover === null)
    return emit(draft, { type: 'signal:ignored', data: { signal: type, reason: 'stale' } });
  beginTurn(draft);
  if (text.trim() !== '') intend(draft, { kind: 'say', payload: { text, reason: 'operator' } });
}

/** Records that the person spoke to the caller. The words are kept in the history and not repeated. */
export function hearPerson(draft: Draft, { type, actor }: TakeoverHeard): void {
  if (draft.state.people.takeover === null)
    return emit(draft, { type: 'signal:ignored', data: { signal: type, reason: 'stale' } });
  emit(draft, { type: 'takeover:heard', data: { actor: actor?.id ?? null } });
}

/** Records the caller's words during a takeover. They are for the person, and the flow stays. */
export function holdTurn(draft: Draft, { eventId, via }: UserTurn): void {
  emit(draft, { type: 'turn:started', data: { eventId, via } });
  emit(draft, { type: 'turn:decided', data: { action: 'hold', by: 'takeover' } });
}

/**
 * Ends a takeover. The agent continues at the node that the person names, otherwise the node that code requested,
 * otherwise the current one.
 */
export function endTakeover(draft: Draft, { type, node, note, actor }: TakeoverEnded): void {
  const { graph, state } = draft;
  if (state.people.takeover === null)
    return emit(draft, { type: 'signal:ignored', data: { signal: type, reason: 'stale' } });
  const { escalationId } = state.people.takeover;
  beginTurn(draft);
  const to = node ?? state.people.takeover.to;
  state.people.takeover = null;
  state.people.note = note ?? null;
  const isKnown = to !== undefined && nodeOf(graph, state, to) !== null && state.position.generator === null;
  const about = escalationId === undefined ? {} : { escalationId };
  emit(draft, { type: 'takeover:ended', data: { actor: actor?.id ?? null, ...about, ...(isKnown ? { to } : {}) } });
  if (to !== undefined && !isKnown)
    emit(draft, { type: 'signal:ignored', data: { signal: type, reason: 'unknown-node' } });
  const here = nodeOf(graph, state, state.position.node);
  if (isKnown) travel(draft, { to, cause: 'requested' }, 'answer');
  else if (isAfterTransfer(state, here)) {
    const move = leaveTransfer(draft, here);
    if (move !== null) travel(draft, move, 'answer');
  } else {
    repeatTaskQuestion(draft);
    goOnHere(draft);
  }
}
