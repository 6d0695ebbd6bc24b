import type { Waiting } from '../../model/effect.ts';
import { type TransferOutcome, transferOutcomes } from '../../model/transfer.ts';
import type { JsonObject } from '../../model/json.ts';
import { returnTarget } from '../../flow/document/function.ts';
import { ownValue } from '../../flow/expression/own-value.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import { end, perform } from '../answer.ts';
import { type Draft, emit, intend, waitingIn, waitOf } from '../state/draft.ts';
import type { SessionState } from '../state/state.ts';
import { nodeOf } from '../move/offers.ts';
import { stuck } from '../move/stuck.ts';
import { type Move, outcomeOf, wayOut } from '../move/ways-out.ts';
import { closeWaiting, keepResolution, requestOf } from './outside-waits.ts';

/** The reason of the end after a caller was put through, if the flow names no other node. */
const transferred = 'transferred';

/** Begins the transfer of a node once its wait is open and its line is said: it is performed after that line. */
export function beginTransfer(draft: Draft, node: GraphNode): void {
  if (node.interrupt?.isTransfer !== true) return;
  const request = requestOf(draft, node);
  if (!request.ok) return;
  const { transfer, handsTo, to } = request.value;
  if (handsTo !== undefined) {
    intend(draft, { kind: 'handoff', payload: { to: handsTo, input: {} } });
    return;
  }
  const wait = waitOf(draft.state, node.id);
  if (wait === undefined || isBegun(draft, wait)) return;
  const target = to !== null ? 'queue' : (transfer?.to.kind ?? 'line');
  emit(draft, { type: 'transfer:started', data: { key: wait.key, to: target, mode: transfer?.mode ?? 'warm' } });
  if (transfer !== undefined) intend(draft, { kind: 'transfer', payload: { wait: wait.key, ...transfer } });
}

function isBegun({ state }: Draft, { key }: Waiting): boolean {
  return Object.values(state.effects).some((one) => one.kind === 'transfer' && one.payload.wait === key);
}

/** Reports the outcome of a transfer. Returns the participant that the caller now talks to; null if there is none. */
export function noteTransfer(draft: Draft, wait: Waiting, resolution: JsonObject): string | null {
  const decision = ownValue(resolution, 'decision');
  const outcome: TransferOutcome = transferOutcomes.find((one) => one === decision) ?? 'failed';
  emit(draft, { type: 'transfer:ended', data: { key: wait.key, outcome } });
  const participant = ownValue(resolution, 'participant');
  return outcome === 'answered' && typeof participant === 'string' ? participant : null;
}

/** Resolves the transfer to a queue when a person of the queue takes the call over. */
export function answerQueue(draft: Draft): void {
  const wait = waitingIn(draft.state).find(({ payload }) => payload.wait === 'transfer' && payload.to !== null);
  if (wait === undefined) return;
  const resolution = { decision: 'answered' };
  emit(draft, { type: 'wait:resolved', data: { key: wait.key, wait: wait.payload.wait } });
  closeWaiting(draft, wait, 'done');
  keepResolution(draft, wait, resolution, null);
  noteTransfer(draft, wait, resolution);
}

/** Leaves the node of a transfer by its outcome. Returns null if the conversation has ended. */
export function leaveTransfer(draft: Draft, node: GraphNode): Move | null {
  const { state } = draft;
  for (const action of node.postActions) perform(draft, action, 'post');
  if (state.status !== 'active') return null;
  const way = wayOut(draft, node);
  if (way !== null) {
    if (way.cause === 'default' && way.to === returnTarget) sayNotPutThrough(draft);
    return way;
  }
  if (outcomeOf(state, node) !== 'answered') return stuck(draft, node, 'node-failed', true, 'transfer-failed');
  end(draft, transferred);
  return null;
}

function sayNotPutThrough(draft: Draft): void {
  const [text] = draft.graph.speech.lines.notPutThrough;
  intend(draft, { kind: 'say', payload: { text, reason: 'aside' } });
}

/** Checks whether the conversation stands at a transfer whose outcome is known. */
export function isAfterTransfer(state: SessionState, node: GraphNode | null): node is GraphNode {
  return (
    node?.interrupt?.isTransfer === true && waitOf(state, node.id) === undefined && outcomeOf(state, node) !== null
  );
}

/** Takes the outcome of a transfer to a flow that cannot begin. Returns the way on; null if the node has no transfer. */
export function failHandover(draft: Draft, id: string): Move | null {
  const { graph, state } = draft;
  const node = state.position.node === id ? nodeOf(graph, state, id) : null;
  if (node?.interrupt?.isTransfer !== true) return null;
  keepResolution(draft, { node: id }, { decision: 'failed' }, null);
  return leaveTransfer(draft, node);
}
