import type { TakeoverEnded, TakeoverHeard, TakeoverSaid, TakeoverStarted } from '../events/people-signal.ts';
import type { UserTurn } from '../events/signal.ts';
import { beginTurn, type Draft, intend, keyStart, settle, tell } from './draft.ts';
import { hitlOf } from './hitl.ts';
import { nodeOf } from './offers.ts';
import { goOnHere } from './resume.ts';
import { repeatTaskQuestion } from './task-question.ts';
import { travel } from './travel.ts';

/** A person talks to the caller from here on: the agent says nothing any more, and takes no words for the flow. */
export function startTakeover(draft: Draft, { type, actor, participant }: TakeoverStarted): void {
  const { state } = draft;
  if (state.takeover !== null) return tell(draft, { type: 'signal:ignored', data: { signal: type, reason: 'stale' } });
  beginTurn(draft);
  for (const effect of Object.values(state.effects))
    if (effect.kind === 'reply' || effect.kind === 'say') settle(draft, effect, 'cancelled');
  state.words = null;
  // It is about what a person is waited for, where one is; else it is an escalation of its own.
  const { hitlState, escalationId } = hitlOf(state);
  const isAbout = hitlState.startsWith('pending') && escalationId !== undefined;
  state.takeover = {
    actor,
    escalationId: isAbout ? escalationId : `${keyStart(state)}takeover`,
    ...(participant === undefined ? {} : { participant }),
  };
  tell(draft, { type: 'takeover:started', data: { actor: actor?.id ?? null } });
}

/** Words of that person which the agent's voice says. */
export function sayForPerson(draft: Draft, { type, text }: TakeoverSaid): void {
  if (draft.state.takeover === null)
    return tell(draft, { type: 'signal:ignored', data: { signal: type, reason: 'stale' } });
  beginTurn(draft);
  if (text.trim() !== '') intend(draft, { kind: 'say', payload: { text, reason: 'operator' } });
}

/** What that person says to the caller is kept beside the caller's own words, and said by nobody. */
export function hearPerson(draft: Draft, { type, actor }: TakeoverHeard): void {
  if (draft.state.takeover === null)
    return tell(draft, { type: 'signal:ignored', data: { signal: type, reason: 'stale' } });
  tell(draft, { type: 'takeover:heard', data: { actor: actor?.id ?? null } });
}

/** What the caller says meanwhile is for the person; it is kept, and the flow stays where it is. */
export function holdTurn(draft: Draft, { eventId, via }: UserTurn): void {
  tell(draft, { type: 'turn:started', data: { eventId, via } });
  tell(draft, { type: 'turn:decided', data: { action: 'hold', by: 'takeover' } });
}

/** The agent has the word again: at the node that the person names, else where code has moved it, else where it was. */
export function endTakeover(draft: Draft, { type, node, note, actor }: TakeoverEnded): void {
  const { graph, state } = draft;
  if (state.takeover === null) return tell(draft, { type: 'signal:ignored', data: { signal: type, reason: 'stale' } });
  const { escalationId } = state.takeover;
  beginTurn(draft);
  const to = node ?? state.takeover.to;
  state.takeover = null;
  state.note = note ?? null;
  const isKnown = to !== undefined && nodeOf(graph, state, to) !== null && state.generator === null;
  const about = escalationId === undefined ? {} : { escalationId };
  tell(draft, { type: 'takeover:ended', data: { actor: actor?.id ?? null, ...about, ...(isKnown ? { to } : {}) } });
  if (to !== undefined && !isKnown)
    tell(draft, { type: 'signal:ignored', data: { signal: type, reason: 'unknown-node' } });
  if (isKnown) travel(draft, { to, cause: 'requested' }, 'answer');
  else {
    repeatTaskQuestion(draft);
    goOnHere(draft);
  }
}
