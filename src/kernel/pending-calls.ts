import type { CallWait, Effect, ToolPayload } from '../events/effect.ts';
import type { RunEnded } from '../events/people-signal.ts';
import { sameValue } from '../expression/same-value.ts';
import type { JsonObject } from '../events/json.ts';
import { beginTurn, type Draft, keep, openEffect, openOfKind, settle, tell } from './draft.ts';
import { noteNews } from './news.ts';
import { functionIn, nodeOf } from './offers.ts';
import type { SessionState } from './state.ts';

type Call = Extract<Effect, { kind: 'tool' }> & { readonly state: 'started' };

/** Whether an effect is a call that was begun and whose outcome comes later: nobody waits for it on the line. */
export function isPending(effect: Effect): effect is Call {
  return effect.kind === 'tool' && effect.state === 'started';
}

/** The calls whose outcome comes later, in order of intending. */
export function pendingCalls({ effects }: Pick<SessionState, 'effects'>): readonly Call[] {
  return Object.values(effects).filter(isPending);
}

/** Whether a call is open that is worked on now. */
export function callUnderWay({ effects }: Pick<SessionState, 'effects'>): boolean {
  return Object.values(effects).some((effect) => effect.kind === 'tool' && !isPending(effect));
}

/** Whether a call of this function with these arguments was begun and its outcome is still to come. */
export function isPendingAlready(state: SessionState, name: string, given: JsonObject): boolean {
  return pendingCalls(state).some(({ payload }) => payload.name === name && sameValue(payload.arguments, given));
}

/** Keeps a call open whose outcome comes later. */
export function keepPending(
  draft: Draft,
  key: string,
  { waitsFor: _before, ...payload }: ToolPayload,
  waitsFor: CallWait | undefined,
): void {
  const { node, visit } = payload;
  const asked = waitsFor === undefined ? payload : { ...payload, waitsFor };
  keep(draft, { key, kind: 'tool', state: 'started', node, visit, payload: asked });
}

/** What a pending call has begun has ended. What was about to be said to the caller's last words is overtaken by it. */
export function noteEnded(draft: Draft, signal: RunEnded): void {
  const { state } = draft;
  const call = openEffect(state, signal.key);
  if (call === undefined || !isPending(call)) {
    tell(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'unknown-effect' } });
    return;
  }
  const { waitsFor, ...payload } = call.payload;
  keep(draft, { ...call, payload: { ...payload, hasEnded: true } });
  if (waitsFor?.escalationId !== undefined)
    state.lastWait = { outcome: 'resolved', ...waitsFor, escalationId: waitsFor.escalationId };
  if (!isTakenUp(draft, call)) return;
  beginTurn(draft);
  noteNews(draft);
  const reply = openOfKind(state, 'reply');
  if (reply !== undefined) settle(draft, reply, 'cancelled');
  state.words = null;
}

/**
 * Calls whose outcome has come are made once more under their keys, and find it: where the flow that made them has the word,
 * and no person.
 */
export function takeUpEnded(draft: Draft): void {
  if (draft.state.status !== 'active') return;
  for (const call of pendingCalls(draft.state)) {
    if (call.payload.hasEnded !== true || !isTakenUp(draft, call)) continue;
    const { hasEnded: _ended, ...payload } = call.payload;
    const known = draft.effects.findIndex(({ key }) => key === call.key);
    if (known >= 0) draft.effects.splice(known, 1);
    // The history holds the call with what it waited for: its outcome is another item, behind what was said since.
    keep(draft, { ...call, state: 'intended', payload: { ...payload, callId: `${payload.callId}_end` } });
  }
}

function isTakenUp({ graph, state }: Draft, { node: id, payload }: Call): boolean {
  if (state.takeover !== null) return false;
  if (state.generator !== null) return true;
  const node = nodeOf(graph, state, id);
  return node !== null && functionIn(graph, node, payload.name) !== null;
}

/** The conversation ends: what a pending call has begun goes on by itself, and its outcome is told to nobody. */
export function leavePending(draft: Draft): void {
  for (const call of pendingCalls(draft.state)) settle(draft, call, 'cancelled');
}
