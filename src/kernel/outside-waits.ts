import type { DueTime, OutsideWait, Waiting } from '../events/effect.ts';
import { hasOffset } from '../flow/has-offset.ts';
import { resolveBinding } from '../expression/binding.ts';
import { namesRead } from '../expression/wordings.ts';
import type { Json, JsonObject } from '../events/json.ts';
import { boundInput } from '../graph/bound-input.ts';
import type { GraphNode } from '../graph/graph.ts';
import { factsHashOf } from '../graph/hash.ts';
import type { Evaluation } from '../graph/node-type.ts';
import type { WaitRequest } from '../events/wait-request.ts';
import { type Draft, intend, keep, settle, tell, waitingIn, waitOf } from './draft.ts';
import { conditionNames, lookupOf, speakHere, withMember } from './names.ts';
import { nodeOf } from './offers.ts';
import type { Frame, SessionState } from './state.ts';

/** The channel of messages to the people whom a wait asks. */
export const notifyChannel = 'notify';

type Failure = Extract<Evaluation, { ok: false }>;

/**
 * Opens what a node waits for and tells the people whom it asks. One that is open for the same facts stays as it is.
 * Returns the failure where its input asks for nothing that can be waited for.
 */
export function openWaiting(draft: Draft, node: GraphNode): Failure | null {
  const request = requestOf(draft, node);
  if (!request.ok) return request;
  if (node.interrupt?.asksCaller === true) return null;
  const open = waitOf(draft.state, node.id);
  if (open !== undefined && open.payload.factsHash === factsHashOf(request.value.facts)) return null;
  if (open !== undefined) cancelWaiting(draft, open, 'facts-changed');
  const { due, deadlines, ...asked } = request.value;
  const [first, ...later] = deadlines;
  const hash = { factsHash: factsHashOf(asked.facts), version: 1 } as const;
  // What comes by itself needs no deadline before it.
  if (due !== null) openWait(draft, { ...asked, ...hash, policy: null, later: [] }, due);
  else openWait(draft, { ...asked, ...hash, policy: first?.policy ?? null, later }, first?.due ?? null);
  return null;
}

/** What a node asks the caller; null where it asks somebody else, or nothing. */
export function callersQuestion(draft: Draft, node: GraphNode): string | null {
  const question = node.interrupt?.question ?? null;
  if (question === null || !requestOf(draft, node).ok) return null;
  // Other inputs are values; this one is spoken.
  const local = Object.fromEntries(
    namesRead(question).flatMap((name) => {
      const value = lookupOf(draft.state)(name) === undefined ? conditionNames(draft)(name) : undefined;
      return value === undefined ? [] : [[name, value as Json]];
    }),
  );
  return speakHere(draft, question, local);
}

/** Asks somebody else what nobody has answered in time: the wait is over, and another is opened in its place. */
export function escalateWaiting(draft: Draft, wait: Waiting, to: string): void {
  const { until: _until, escalationId: _own, ...payload } = wait.payload;
  const [next, ...later] = payload.later;
  const asked: OutsideWait = { ...payload, to, policy: next?.policy ?? null, later };
  openWait(draft, asked, next?.due ?? null, wait);
}

/** Sets the deadline behind the one that has come; without one the wait stays open for good. */
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

/** Whether a deadline given by the wall clock has not come yet; then it is set anew, by what the clock shows now. */
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
  from: Pick<Waiting, 'node' | 'visit'> = draft.state,
): void {
  const { until, deadline } = { until: undefined, deadline: undefined, ...(due === null ? {} : dueOf(draft, due)) };
  const { node, visit } = from;
  const key = intend(
    draft,
    { kind: 'wait', payload: until === undefined ? payload : { ...payload, until } },
    { node, visit, ...(deadline === undefined ? {} : { deadline }) },
  );
  draft.state.lastWait = null;
  tell(draft, { type: 'wait:opened', data: { key, wait: payload.wait } });
  notify(draft, key, payload);
}

/** Sends the question and its facts to whoever is asked. */
export function notify(
  draft: Draft,
  key: string,
  { to, question, wait, facts, factsHash, options }: OutsideWait,
): void {
  if (to === null) return;
  const data = { key, wait, facts, factsHash, options: [...options] };
  intend(draft, { kind: 'message', payload: { channel: notifyChannel, to, text: question, data } });
}

/** Nobody waits any more, and nobody is told any more who has not been. */
export function cancelWaiting(draft: Draft, wait: Waiting, reason: 'left' | 'facts-changed'): void {
  closeWaiting(draft, wait, 'cancelled');
  tell(draft, { type: 'wait:cancelled', data: { key: wait.key, wait: wait.payload.wait, reason } });
}

/** Takes a wait, and messages about it that were not sent, out of the state. */
export function closeWaiting(draft: Draft, wait: Waiting, became: 'done' | 'failed' | 'cancelled'): void {
  settle(draft, wait, became);
  for (const effect of Object.values(draft.state.effects))
    if (effect.kind === 'message' && effect.payload.data['key'] === wait.key) settle(draft, effect, 'cancelled');
}

/** Remembers how a wait has ended, for those who are told the state of the conversation. */
export function noteOutcome(draft: Draft, wait: Waiting, outcome: 'resolved' | 'timed_out'): void {
  const { proxyId, scheduleId, escalationId = wait.key } = wait.payload;
  draft.state.lastWait = {
    outcome,
    wait: wait.payload.wait,
    escalationId,
    ...(proxyId === undefined ? {} : { proxyId }),
    ...(scheduleId === undefined ? {} : { scheduleId }),
  };
}

/** Gives up what the places of this flow wait for, all but those named. */
export function leaveWaiting(draft: Draft, keeps: (node: string) => boolean = () => false): void {
  const { state } = draft;
  for (const wait of waitingIn(state))
    if (!keeps(wait.node) && isOfThisFlow(state, wait.node)) cancelWaiting(draft, wait, 'left');
}

/**
 * A wait is about the facts that are known: where they have changed it is opened anew. Where the conversation comes back
 * to its node no more, it is over.
 */
export function keepWaiting(draft: Draft): void {
  const { graph, state } = draft;
  if (state.status !== 'active') return;
  for (const wait of waitingIn(state)) {
    if (state.node !== wait.node && state.stack.every(({ node: at }) => at !== wait.node)) {
      cancelWaiting(draft, wait, 'left');
      continue;
    }
    const node = isOfThisFlow(state, wait.node) ? nodeOf(graph, state, wait.node) : null;
    if (node === null || node.interrupt === null) continue;
    const request = requestOf(draft, node);
    if (!request.ok || factsHashOf(request.value.facts) === wait.payload.factsHash) continue;
    const { node: id, visit } = state;
    Object.assign(state, { node: wait.node, visit: wait.visit });
    openWaiting(draft, node);
    Object.assign(state, { node: id, visit });
  }
}

/** What a resolution is to the flow: the node's `output`, or all of it. */
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
            tell(draft, { type: 'text:too-long', data: { name } });
          },
        ) as Json); // A binding of JSON over JSON.
  if (isOfThisFlow(state, wait.node)) state.outputs = withMember(state.outputs, wait.node, output);
  else state.stack = state.stack.map((frame) => withOutput(frame, wait.node, output));
  return output;
}

function withOutput(frame: Frame, node: string, output: Json): Frame {
  if (frame.kind !== 'subflow' || frame.node !== node || frame.caller === null) return frame;
  return { ...frame, caller: { ...frame.caller, outputs: withMember(frame.caller.outputs, node, output) } };
}

/** Whether the conversation is at a node of the flow that runs now, or comes back to it. */
function isOfThisFlow({ node, stack }: SessionState, id: string): boolean {
  const called = stack.findLastIndex(({ kind }) => kind === 'subflow');
  return node === id || stack.slice(called + 1).some((frame) => frame.node === id);
}

function requestOf(draft: Draft, node: GraphNode): { readonly ok: true; readonly value: WaitRequest } | Failure {
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

/** How long before a time on the wall the clock is looked at once more: it may have been set by then. */
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
