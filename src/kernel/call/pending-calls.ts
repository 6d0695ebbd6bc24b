import { type Effect, type EffectKind, kindsThat, type ToolPayload } from '../../model/effect.ts';
import type { CallWait } from '../../model/outside-wait.ts';
import type { RunEnded } from '../../model/signals/people-signal.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import type { JsonObject } from '../../model/json.ts';
import { beginTurn, type Draft, keep, openEffect, openOfKind, settle, emit } from '../state/draft.ts';
import { markPending } from '../question/pending-speech.ts';
import { functionIn, nodeOf } from '../move/offers.ts';
import type { SessionState } from '../state/state.ts';

type Call = Extract<Effect, { kind: 'tool' }> & { readonly state: 'started' };

/** Checks whether an effect is a started call whose outcome comes later. The conversation does not block on it. */
export function isPending(effect: Effect): effect is Call {
  return effect.kind === 'tool' && effect.state === 'started';
}

/** Returns the calls whose outcome comes later, in order of creation. */
export function pendingCalls({ effects }: Pick<SessionState, 'effects'>): readonly Call[] {
  return Object.values(effects).filter(isPending);
}

/** Checks whether a call is running now. */
export function callUnderWay({ effects }: Pick<SessionState, 'effects'>): boolean {
  return Object.values(effects).some((effect) => effect.kind === 'tool' && !isPending(effect));
}

/** Work of the flow besides replies and calls. */
export const flowWork: readonly EffectKind[] = kindsThat(
  ({ isWork, speaks }, kind) => isWork && !speaks && kind !== 'tool',
);

/** Checks whether work of the flow decides what is said next. */
export function isFlowWorking({ effects }: Pick<SessionState, 'effects'>): boolean {
  return callUnderWay({ effects }) || Object.values(effects).some(({ kind }) => flowWork.includes(kind));
}

/** Checks whether the same call is already pending. */
export function isPendingAlready(state: SessionState, name: string, given: JsonObject): boolean {
  return pendingCalls(state).some(({ payload }) => payload.name === name && sameValue(payload.arguments, given));
}

/** Marks a call as pending. */
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

/** Records that the run behind a pending call has ended. Cancels a reply in progress, which the outcome overtakes. */
export function noteEnded(draft: Draft, signal: RunEnded): void {
  const { state } = draft;
  const call = openEffect(state, signal.key);
  if (call === undefined || !isPending(call)) {
    emit(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'unknown-effect' } });
    return;
  }
  const { waitsFor, ...payload } = call.payload;
  keep(draft, { ...call, payload: { ...payload, hasEnded: true } });
  if (waitsFor?.escalationId !== undefined)
    state.people.lastWait = { outcome: 'resolved', ...waitsFor, escalationId: waitsFor.escalationId };
  if (!isTakenUp(draft, call)) return;
  beginTurn(draft);
  markPending(draft);
  const reply = openOfKind(state, 'reply');
  if (reply !== undefined) settle(draft, reply, 'cancelled');
  state.turn.words = null;
}

/**
 * Repeats calls whose outcome has arrived, under their keys, once the calling flow is active and no takeover is in
 * progress.
 */
export function takeUpEnded(draft: Draft): void {
  if (draft.state.status !== 'active') return;
  for (const call of pendingCalls(draft.state)) {
    if (call.payload.hasEnded !== true || !isTakenUp(draft, call)) continue;
    const { hasEnded: _ended, ...payload } = call.payload;
    const known = draft.effects.findIndex(({ key }) => key === call.key);
    if (known >= 0) draft.effects.splice(known, 1);
    // The history contains the call with its wait. The outcome is a separate item after later speech.
    keep(draft, { ...call, state: 'intended', payload: { ...payload, callId: `${payload.callId}_end` } });
  }
}

function isTakenUp({ graph, state }: Draft, { node: id, payload }: Call): boolean {
  if (state.people.takeover !== null) return false;
  if (state.position.generator !== null) return true;
  const node = nodeOf(graph, state, id);
  return node !== null && functionIn(graph, node, payload.name) !== null;
}

/** Drops pending calls at the end of the conversation. Their runs continue, and the outcome is not delivered. */
export function leavePending(draft: Draft): void {
  for (const call of pendingCalls(draft.state)) settle(draft, call, 'cancelled');
}
