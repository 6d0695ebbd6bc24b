import type { Waiting } from '../../model/effect.ts';
import type { JsonObject } from '../../model/json.ts';
import { proxyIdOf } from '../../model/proxy-id.ts';
import type { UserTurn } from '../../model/signals/signal.ts';
import type { WaitExpired, WaitResolved } from '../../model/signals/people-signal.ts';
import { schemaCheck } from '../../flow/graph/schema-check.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import { type Arrival, endAll } from '../answer.ts';
import {
  beginTurn,
  type Draft,
  intend,
  isWaiting,
  openEffect,
  openOfKind,
  settle,
  emit,
  waitingIn,
} from '../state/draft.ts';
import { markPending } from '../question/pending-speech.ts';
import { goOnWaiting } from '../generator/frame.ts';
import { nodeOf } from '../move/offers.ts';
import {
  closeWaiting,
  escalateWaiting,
  isEarly,
  keepResolution,
  noteOutcome,
  notify,
  setNextDeadline,
} from './outside-waits.ts';
import { finishTask, travel } from '../move/travel.ts';
import type { Move } from '../move/ways-out.ts';
import { fallSilent } from './takeover.ts';
import { leaveTransfer, noteTransfer } from './transfer.ts';

/** Resolves a wait by a person's answer or an event, and leaves its node if the conversation is there. */
export function resolveWait(draft: Draft, signal: Pick<WaitResolved, 'type' | 'key' | 'resolution' | 'actor'>): void {
  const wait = waitingAt(draft, signal);
  if (wait === null) return;
  const { resolution, actor } = signal;
  if (schemaCheck(wait.payload.schema).violations(resolution).length > 0) {
    emit(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'unfit' } });
    return;
  }
  beginTurn(draft);
  markPending(draft);
  emit(draft, { type: 'wait:resolved', data: { key: wait.key, wait: wait.payload.wait } });
  finish(draft, wait, 'resolved', resolution, actor === null ? null : { ...actor });
}

/** Handles the deadline of a wait. */
export function expireWait(draft: Draft, signal: WaitExpired): void {
  const wait = waitingAt(draft, signal);
  if (wait === null) return;
  if (wait.deadline === undefined || draft.at < wait.deadline) {
    emit(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'not-due' } });
    return;
  }
  beginTurn(draft);
  if (isEarly(draft, wait)) return;
  markPending(draft);
  const { policy, wait: kind } = wait.payload;
  emit(draft, { type: 'wait:expired', data: { key: wait.key, wait: kind, act: policy?.act ?? 'go_on' } });
  // The wait was for the time itself.
  if (policy === null) return finish(draft, wait, 'resolved', {}, null);
  switch (policy.act) {
    case 'remind':
      setNextDeadline(draft, wait);
      return notify(draft, wait.key, wait.payload);
    case 'answer':
      return finish(draft, wait, 'timed_out', policy.resolution, null);
    case 'escalate':
      closeWaiting(draft, wait, 'failed');
      return escalateWaiting(draft, wait, policy.to);
    case 'go_to':
      return lead(draft, wait, { to: policy.node, cause: 'expired' });
    case 'end':
      closeWaiting(draft, wait, 'failed');
      noteOutcome(draft, wait, 'timed_out');
      interrupt(draft);
      intend(draft, {
        kind: 'say',
        payload: { text: draft.graph.speech.lines.endNotUnderstood[0], reason: 'fallback' },
      });
      return endAll(draft, policy.reason);
  }
}

/** Resolves a wait for words with words on the caller's behalf. Returns false if there is no such wait. */
export function takeProxyWords(draft: Draft, turn: UserTurn): boolean {
  const proxyId = turn.correlation?.proxyId;
  const wait = waitingIn(draft.state).find(
    (one) => one.payload.wait === 'proxy_input' && (proxyId === undefined || proxyIdOf(one) === proxyId),
  );
  if (turn.via !== 'proxy' || wait === undefined) return false;
  emit(draft, { type: 'wait:resolved', data: { key: wait.key, wait: 'proxy_input' } });
  finish(draft, wait, 'resolved', { text: turn.text }, turn.actor === undefined ? null : { ...turn.actor });
  return true;
}

/** Applies the caller's yes or no to a node's own question. The words of a no that says more are its comment. */
export function decideByCaller(draft: Draft, node: GraphNode, decision: 'yes' | 'no', arrival: Arrival): void {
  const { words } = draft.state.turn;
  const { callerSaid } = draft.state.dialogue;
  const isMore = decision === 'no' && words?.utterance?.rest === true;
  const resolution = { decision, ...(isMore ? { comment: callerSaid.text } : {}) };
  const output = keepResolution(draft, { node: node.id }, resolution, null);
  const move = finishTask(draft, node, output);
  if (move !== null) travel(draft, move, arrival);
}

function waitingAt(
  draft: Draft,
  { type, key }: Pick<WaitExpired, 'key'> & { readonly type: 'wait:resolved' | 'wait:expired' },
): Waiting | null {
  const effect = openEffect(draft.state, key);
  if (effect !== undefined && isWaiting(effect)) return effect;
  emit(draft, { type: 'signal:ignored', data: { signal: type, reason: 'wait-over' } });
  return null;
}

/** Closes a wait with an outcome, and leaves its node if the conversation is there. */
function finish(
  draft: Draft,
  wait: Waiting,
  outcome: 'resolved' | 'timed_out',
  resolution: JsonObject,
  actor: JsonObject | null,
): void {
  const { graph, state } = draft;
  closeWaiting(draft, wait, 'done');
  noteOutcome(draft, wait, outcome);
  const output = keepResolution(draft, wait, resolution, actor);
  const isTransfer = wait.payload.wait === 'transfer';
  const participant = isTransfer ? noteTransfer(draft, wait, resolution) : null;
  // The caller talks to that person. The flow goes on after it.
  if (participant !== null && state.people.takeover === null) return fallSilent(draft, { actor: null, participant });
  const node = nodeOf(graph, state, wait.node);
  // After a digression, another flow or a takeover, the conversation returns by itself.
  if (node === null || state.position.node !== wait.node || state.people.takeover !== null) return;
  interrupt(draft);
  if (state.position.generator !== null) return goOnWaiting(draft);
  const move = isTransfer ? leaveTransfer(draft, node) : finishTask(draft, node, output);
  if (move !== null) travel(draft, move, 'answer');
}

/** Follows a deadline to another node, wherever the conversation is. */
function lead(draft: Draft, wait: Waiting, move: Move): void {
  closeWaiting(draft, wait, 'failed');
  noteOutcome(draft, wait, 'timed_out');
  interrupt(draft);
  travel(draft, move, 'answer');
}

/** Cancels a reply to the caller's last words, which the outcome overtakes. */
function interrupt(draft: Draft): void {
  const { state } = draft;
  const reply = openOfKind(state, 'reply');
  if (reply !== undefined) settle(draft, reply, 'cancelled');
  state.turn.words = null;
}
