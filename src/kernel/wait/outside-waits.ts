import type { Effect, EffectKey, SayReason, Waiting } from '../../model/effect.ts';
import type { DueTime, OutsideWait } from '../../model/outside-wait.ts';
import { hasOffset } from '../../flow/expression/moment.ts';
import { resolveBinding } from '../../flow/expression/binding.ts';
import { namesRead } from '../../flow/expression/wordings.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { boundInput } from '../../flow/graph/compile/bound-input.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import { factsHashOf } from '../../flow/graph/hash.ts';
import type { Evaluation } from '../../flow/graph/nodes/node-type.ts';
import type { WaitRequest } from '../../model/signals/wait-request.ts';
import { type Draft, emit, intend, keep, settle, waitingIn, waitOf } from '../state/draft.ts';
import { conditionNames, lookupOf, speakHere, withMember } from '../state/names.ts';
import { nodeOf } from '../move/offers.ts';
import type { Frame } from '../state/position.ts';
import type { SessionState } from '../state/state.ts';
import { lineInTurn } from '../../flow/expression/sentences.ts';

/** Channel of the messages to people that a wait asks. */
export const notifyChannel = 'notify';

type Failure = Extract<Evaluation, { ok: false }>;

/**
 * Opens the wait of a node and notifies the people it asks. An open wait with the same facts stays. Returns a failure
 * if the node's input does not describe a wait.
 */
export function openWaiting(draft: Draft, node: GraphNode): Failure | null {
  const request = requestOf(draft, node);
  if (!request.ok) return request;
  if (node.interrupt?.asksCaller === true) return null;
  const open = waitOf(draft.state, node.id);
  if (open !== undefined && open.payload.factsHash === factsHashOf(request.value.facts)) return null;
  if (open !== undefined) cancelWaiting(draft, open, 'facts-changed');
  const { due, deadlines, transfer: _attempt, handsTo, ...asked } = request.value;
  // Another flow takes over at once.
  if (handsTo !== undefined) return null;
  const [first, ...later] = deadlines;
  const hash = { factsHash: factsHashOf(asked.facts), version: 1 } as const;
  // A wait for a time needs no other deadline.
  if (due !== null) openWait(draft, { ...asked, ...hash, policy: null, later: [] }, due);
  else openWait(draft, { ...asked, ...hash, policy: first?.policy ?? null, later }, first?.due ?? null);
  return null;
}

/** Returns the question that a node asks the caller; null if it asks another person, or no one. */
export function callersQuestion(draft: Draft, node: GraphNode): string | null {
  const question = node.interrupt?.question ?? null;
  if (question === null || !requestOf(draft, node).ok) return null;
  // Other inputs are values; this one is a spoken text.
  const local = Object.fromEntries(
    namesRead(question).flatMap((name) => {
      const value = lookupOf(draft.graph, draft.state)(name) === undefined ? conditionNames(draft)(name) : undefined;
      return value === undefined ? [] : [[name, value as Json]];
    }),
  );
  return speakHere(draft, question, local);
}

/** Replaces a wait that was not answered in time by one for another person. */
export function escalateWaiting(draft: Draft, wait: Waiting, to: string): void {
  const { until: _until, escalationId: _own, ...payload } = wait.payload;
  const [next, ...later] = payload.later;
  const asked: OutsideWait = { ...payload, to, policy: next?.policy ?? null, later };
  openWait(draft, asked, next?.due ?? null, wait);
}

/** Sets the next deadline of a wait. Without one the wait stays open indefinitely. */
export function setNextDeadline(draft: Draft, wait: Waiting): void {
  const { until: _until, ...payload } = wait.payload;
  const { deadline: _deadline, ...rest } = wait;
  const [next, ...later] = payload.later;
  const deadline = next === undefined ? {} : dueOf(draft, next.due);
  const { until, ...time } = { until: undefined, ...deadline };
  keep(draft, {
    ...rest,
    ...time,
    payload: { ...payload, policy: next?.policy ?? null, later, ...(until === undefined ? {} : { until }) },
  });
}

/** Checks whether a local-time deadline is still ahead. If so, sets it again by the current local time. */
export function isEarly(draft: Draft, wait: Waiting): boolean {
  const { until } = wait.payload;
  if (until === undefined || draft.civil >= until) return false;
  keep(draft, { ...wait, ...dueOf(draft, { at: until }, true), payload: wait.payload });
  return true;
}

function openWait(
  draft: Draft,
  payload: OutsideWait,
  due: DueTime | null,
  from: Pick<Waiting, 'node' | 'visit'> = draft.state.position,
): void {
  const { until, deadline } = { until: undefined, deadline: undefined, ...(due === null ? {} : dueOf(draft, due)) };
  const { node, visit } = from;
  const key = intend(
    draft,
    { kind: 'wait', payload: until === undefined ? payload : { ...payload, until } },
    { node, visit, ...(deadline === undefined ? {} : { deadline }) },
  );
  draft.state.people.lastWait = null;
  emit(draft, { type: 'wait:opened', data: { key, wait: payload.wait } });
  notify(draft, key, payload);
}

/** Sends the question and its facts to the person to ask. */
export function notify(
  draft: Draft,
  key: string,
  { to, question, wait, facts, factsHash, options }: OutsideWait,
): void {
  if (to === null) return;
  const data = { key, wait, facts, factsHash, options: [...options] };
  intend(draft, { kind: 'message', payload: { channel: notifyChannel, to, text: question, data } });
}

/** Cancels a wait together with its unsent notifications. */
export function cancelWaiting(draft: Draft, wait: Waiting, reason: 'left' | 'facts-changed'): void {
  closeWaiting(draft, wait, 'cancelled');
  emit(draft, { type: 'wait:cancelled', data: { key: wait.key, wait: wait.payload.wait, reason } });
}

/** Removes a wait, its unsent notifications and its attempt to put the caller through from the state. */
export function closeWaiting(draft: Draft, wait: Waiting, became: 'done' | 'failed' | 'cancelled'): void {
  settle(draft, wait, became);
  for (const effect of Object.values(draft.state.effects))
    if (isPartOf(effect, wait.key)) settle(draft, effect, 'cancelled');
}

/** Checks whether an effect belongs to a wait and ends with it. */
function isPartOf(effect: Effect, wait: EffectKey): boolean {
  if (effect.kind === 'transfer') return effect.payload.wait === wait;
  return effect.kind === 'message' && effect.payload.data['key'] === wait;
}

/** Records the outcome of a wait for status reports. */
export function noteOutcome(draft: Draft, wait: Waiting, outcome: 'resolved' | 'timed_out'): void {
  const { proxyId, scheduleId, escalationId = wait.key } = wait.payload;
  draft.state.people.lastWait = {
    outcome,
    wait: wait.payload.wait,
    escalationId,
    ...(proxyId === undefined ? {} : { proxyId }),
    ...(scheduleId === undefined ? {} : { scheduleId }),
  };
}

/** Cancels the waits of this flow's nodes, except those to keep. */
export function leaveWaiting(draft: Draft, keeps: (node: string) => boolean = () => false): void {
  const { state } = draft;
  for (const wait of waitingIn(state))
    if (!keeps(wait.node) && isOfThisFlow(state, wait.node)) cancelWaiting(draft, wait, 'left');
}

/** Reopens waits whose facts have changed, and cancels waits whose node the conversation will not return to. */
export function keepWaiting(draft: Draft): void {
  const { graph, state } = draft;
  if (state.status !== 'active') return;
  for (const wait of waitingIn(state)) {
    if (state.position.node !== wait.node && state.position.stack.every(({ node: at }) => at !== wait.node)) {
      cancelWaiting(draft, wait, 'left');
      continue;
    }
    const node = isOfThisFlow(state, wait.node) ? nodeOf(graph, state, wait.node) : null;
    if (node === null || node.interrupt === null) continue;
    const request = requestOf(draft, node);
    if (!request.ok || factsHashOf(request.value.facts) === wait.payload.factsHash) continue;
    const { node: id, visit } = state.position;
    state.position.node = wait.node;
    state.position.visit = wait.visit;
    openWaiting(draft, node);
    state.position.node = id;
    state.position.visit = visit;
  }
}

/** Stores a resolution as the node's output: the value of the author's `output`, otherwise the whole resolution. */
export function keepResolution(draft: Draft, wait: Pick<Waiting, 'node'>, resolution: JsonObject, actor: Json): Json {
  const { graph, state } = draft;
  const node = nodeOf(graph, state, wait.node);
  const lookup = conditionNames(draft);
  const local: JsonObject = { resolution, actor };
  const output =
    node?.interrupt?.output == null
      ? resolution
      : (resolveBinding(
          node.interrupt.output,
          (name) => (Object.hasOwn(local, name) ? local[name] : lookup(name)),
          (name) => {
            emit(draft, { type: 'text:too-long', data: { name } });
          },
        ) as Json); // A binding of JSON returns JSON.
  if (isOfThisFlow(state, wait.node)) state.knowledge.outputs = withMember(state.knowledge.outputs, wait.node, output);
  else state.position.stack = state.position.stack.map((frame) => withOutput(frame, wait.node, output));
  return output;
}

function withOutput(frame: Frame, node: string, output: Json): Frame {
  if (frame.kind !== 'subflow' || frame.node !== node || frame.caller === null) return frame;
  return { ...frame, caller: { ...frame.caller, outputs: withMember(frame.caller.outputs, node, output) } };
}

/** Checks whether the conversation is at a node of the current flow, or will return to it. */
function isOfThisFlow({ position: { node, stack } }: SessionState, id: string): boolean {
  const called = stack.findLastIndex(({ kind }) => kind === 'subflow');
  return node === id || stack.slice(called + 1).some((frame) => frame.node === id);
}

/** Returns what a waiting node waits for, or the fault of its input. */
export function requestOf(draft: Draft, node: GraphNode): { readonly ok: true; readonly value: WaitRequest } | Failure {
  const asks = node.interrupt?.asks;
  if (asks === undefined) return { ok: false, code: 'task-error', message: 'the node waits for nothing.' };
  if ('request' in asks) return { ok: true, value: asks.request };
  const input = boundInput(asks, conditionNames(draft));
  if (!input.ok) return input;
  const { type } = asks;
  const request = 'opens' in type ? type.opens?.(input.value) : undefined;
  if (request === undefined || request === null)
    return { ok: false, code: 'task-error', message: 'the node waits for nothing.' };
  return { ok: true, value: request };
}

/** How long before a local time the clock is checked again, because it may change meanwhile. */
const lookAgainMs = 3_600_000;

function dueOf(
  { at, civil }: Draft,
  due: DueTime,
  isLast = false,
): { readonly deadline: number; readonly until?: string } {
  if ('afterMs' in due) return { deadline: at + due.afterMs };
  if (hasOffset(due.at)) return { deadline: Date.parse(due.at) };
  const until = due.at.slice(0, civil.length);
  const aheadMs = Date.parse(`${until}Z`) - Date.parse(`${civil}Z`);
  const minute = at - (at % 60_000);
  const isFar = !isLast && aheadMs > lookAgainMs;
  return { deadline: minute + aheadMs - (isFar ? lookAgainMs : 0), until };
}

/** Checks whether a node waits for something outside the call. */
export function isWaitingIn({ state }: Pick<Draft, 'state'>, node: GraphNode): boolean {
  return node.interrupt !== null && waitOf(state, node.id) !== undefined;
}

/** Says that the agent is still waiting, with the next wording in rotation. */
export function sayWaitingLine(draft: Draft, node: GraphNode, reason: SayReason = 'aside'): void {
  const own = node.interrupt?.company?.lines ?? null;
  const builtIn = lineInTurn(draft.graph.speech.lines.stillWaiting, draft.state.turn.number);
  const text = own === null ? builtIn : speakHere(draft, own);
  intend(draft, { kind: 'say', payload: { text: text === '' ? builtIn : text, reason } });
}
