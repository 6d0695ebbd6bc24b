import { valueToAsk } from '../state/proposed.ts';
import { valueOf } from '../state/slots.ts';
import type { Json } from '../../model/json.ts';
import { endsInQuestion } from '../../flow/expression/wordings.ts';
import { strategyOf } from '../../flow/document/context/context-strategies.ts';
import { returnTarget } from '../../flow/document/function.ts';
import { boundInput } from '../../flow/graph/compile/bound-input.ts';
import type { GraphNode, GraphNodeTask } from '../../flow/graph/graph.ts';
import type { Evaluation } from '../../flow/graph/nodes/node-type.ts';
import { answer, type Arrival, end, perform, readBack } from '../answer.ts';
import { keepDecisions, noteDecision, notePath, retakenWay, tellRetaken } from './decisions.ts';
import { type Draft, intend, emit, waitOf } from '../state/draft.ts';
import { evaluateTask } from '../call/evaluate-task.ts';
import { conditionNames, withMember } from '../state/names.ts';
import { nodeOf } from './offers.ts';
import { resetSlots } from './reset-slots.ts';
import { leaveWaiting, openWaiting } from '../wait/outside-waits.ts';
import { comeBack, leaveForDigression } from '../state/stack.ts';
import { stuck } from './stuck.ts';
import { askNextConfirmation } from '../question/next-confirmation.ts';
import { closeQuestion, openConfirmation, tellCancelled } from '../wait/waits.ts';
import { type Move, wayOut } from './ways-out.ts';
import { beginTransfer, isAfterTransfer, leaveTransfer } from '../wait/transfer.ts';

/**
 * Takes a transition and all that follow without the caller: through nodes that run at once, nodes whose slots are
 * known, and nodes with a true edge condition. Stops at a node that speaks, waits or ends, and after
 * `max_transitions_per_turn`.
 */
export function travel(draft: Draft, first: Move, arrival: Arrival): void {
  const { graph, state } = draft;
  let move: Move | null = first;
  let rescued = false;
  while (move !== null) {
    const target: Move | null = move.to === returnTarget ? comeBack(draft) : move;
    const node: GraphNode | null = target === null ? null : nodeOf(graph, state, target.to);
    // A chain that is too long may take exactly one more move to get out.
    const most = graph.maxTransitionsPerTurn + (rescued ? 1 : 0);
    // Starting a flow is not a transition.
    const isTooLong = state.turn.transitions >= most && target?.cause !== 'start';
    if (target === null || node === null || isTooLong) {
      const reason = target === null ? 'nothing-to-return-to' : node === null ? 'unknown-node' : 'too-many-transitions';
      move = stuck(draft, nodeOf(graph, state, state.position.node), reason, !rescued);
      rescued = true;
      continue;
    }
    arrive(draft, node, target, arrival);
    // A node that runs at once performs its pre-actions and is then passed.
    if (node.task !== null && target.cause !== 'return')
      for (const action of node.preActions) perform(draft, action, 'pre');
    if (state.status !== 'active') return;
    move = pass(draft, node, target.cause);
    if (move !== null) continue;
    if (target.cause !== 'return') settleIn(draft, node, arrival);
    // A repeated question must not interrupt the caller's next words.
    else if (arrival !== 'superseded' && !asksOn(draft, target)) settleIn(draft, node, 'return');
    if (state.status === 'active' && goesStraightOn(draft, node)) move = wayOut(draft, node);
  }
}

/**
 * Checks whether a node that only talks is left without the caller: by `listen`, if its line is an answer after which
 * the flow returns to its question, or if the caller's words are still unread.
 */
function goesStraightOn({ state }: Draft, node: GraphNode): boolean {
  if (node.interrupt !== null) return false;
  const { call, collect, defaultTransition, end, functions, keys, listen, say, task } = node;
  if (task !== null || call !== null || end !== null || collect.length > 0 || functions.length > 0) return false;
  if (keys.size > 0) return false;
  if (listen !== null) return !listen;
  if (say === null || endsInQuestion(say)) return false;
  return (
    state.turn.words?.isUnheard === true ||
    defaultTransition === returnTarget ||
    node.edges.some(({ to }) => to === returnTarget)
  );
}

/** Asks again about calls that a digression kept waiting. Returns false if there are none. */
function asksOn(draft: Draft, { asked = [] }: Move): boolean {
  const { state } = draft;
  const here = asked.map((call) =>
    call.node === state.position.node ? { ...call, visit: state.position.visit } : call,
  );
  state.dialogue.confirmations = [...here, ...state.dialogue.confirmations];
  return here.length > 0 && askNextConfirmation(draft);
}

/** Runs a catalog node again, at which the flow stopped. */
export function runAgain(draft: Draft, node: GraphNode): void {
  const move = retakenWay(draft) ?? pass(draft, node);
  if (move !== null) travel(draft, move, 'answer');
}

/** Cancels the question of the node that is left, unless a digression will return to it. */
function leaveQuestion(draft: Draft, node: GraphNode, move: Move, arrival: Arrival): void {
  const { state } = draft;
  const isDigression = move.digression === true && node.id !== state.position.node;
  // A move by an overtaken write comes after the open question.
  const asksAboutCall = openConfirmation(draft)?.payload.subject.kind === 'call';
  const asked = arrival === 'superseded' && asksAboutCall ? [] : closeQuestion(draft);
  if (!isDigression) leaveWaiting(draft, (id) => id !== state.position.node || id === node.id);
  if (isDigression) leaveForDigression(draft, asked);
  else for (const call of asked) tellCancelled(draft, call);
}

function arrive(draft: Draft, node: GraphNode, move: Move, arrival: Arrival): void {
  const { state } = draft;
  if (move.cause !== 'start') {
    noteDecision(draft, move);
    leaveQuestion(draft, node, move, arrival);
    emit(draft, { type: 'node:left', data: { to: node.id } });
    emit(draft, {
      type: 'transition:taken',
      data: {
        from: state.position.node,
        to: node.id,
        cause: move.cause,
        ...(move.function === undefined ? {} : { function: move.function }),
        ...(move.edge === undefined ? {} : { edge: move.edge }),
      },
    });
    state.turn.transitions += 1;
  }
  if (move.retaken !== undefined) tellRetaken(draft, move.retaken, node.id);
  else if (move.cause === 'requested') keepDecisions(draft);
  notePath(draft, node);
  state.position.node = node.id;
  state.position.visit += 1;
  state.dialogue.pendingAskKey = null;
  if (node.persona !== null) state.position.persona = node.id;
  emit(draft, { type: 'node:entered', data: { cause: move.cause } });
  // A return continues the earlier visit.
  if (move.cause !== 'return' && move.cause !== 'stale') resetSlots(draft, node);
}

/** Returns the next move of a node that does not wait; null if the flow stays. */
function pass(draft: Draft, node: GraphNode, cause: Move['cause'] | null = null): Move | null {
  if (node.interrupt !== null) return wait(draft, node, cause);
  if (node.task !== null) return asksBack(draft) ? null : evaluate(draft, node, node.task);
  const isPassing = node.end === null && (node.collect.length > 0 || node.call !== null);
  return isPassing ? wayOut(draft, node) : null;
}

/** Opens the wait of a node, or leaves the node if the awaited event came while the conversation was elsewhere. */
function wait(draft: Draft, node: GraphNode, cause: Move['cause'] | null): Move | null {
  const isOver = cause === 'return' && waitOf(draft.state, node.id) === undefined;
  if (isOver && isAfterTransfer(draft.state, node)) return leaveTransfer(draft, node);
  if (isOver) return wayOut(draft, node) ?? stuck(draft, node, 'node-failed');
  const failure = openWaiting(draft, node);
  return failure === null ? null : stuck(draft, node, 'node-failed', true, failure.code);
}

/** Reads an ungrounded value back before anything is computed from it. Returns whether there is one. */
function asksBack(draft: Draft): boolean {
  const { graph, state } = draft;
  for (const slot of graph.slots.values()) {
    const known = valueOf(state, slot.name);
    if (known === undefined || state.dialogue.confirmations.length > 0) continue;
    if (known.grounded !== false && known.proposed === undefined) continue;
    readBack(draft, slot, valueToAsk(known));
    return true;
  }
  return false;
}

/** Runs a pure catalog node, or adds the effect of an asynchronous node. */
function evaluate(draft: Draft, node: GraphNode, task: GraphNodeTask): Move | null {
  const lookup = conditionNames(draft);
  if (!('evaluate' in task.type)) {
    const input = boundInput(task, lookup);
    if (!input.ok) return settleEvaluation(draft, node, task, input);
    intend(draft, { kind: 'task', payload: { type: task.type.name, input: input.bound, config: task.config } });
    return null;
  }
  return settleEvaluation(draft, node, task, evaluateTask(task, lookup));
}

function settleEvaluation(draft: Draft, node: GraphNode, task: GraphNodeTask, ended: Evaluation): Move | null {
  if (ended.ok) return finishTask(draft, node, ended.output);
  if (!task.policy.continueOnError) return stuck(draft, node, 'node-failed', true, ended.code);
  const { code, message } = ended;
  return finishTask(draft, node, { failed: true, error: { code, message, attempts: 1, timedOut: false } });
}

/** Stores a catalog node's output and returns its way out. */
export function finishTask(draft: Draft, node: GraphNode, output: Json): Move | null {
  draft.state.knowledge.outputs = withMember(draft.state.knowledge.outputs, node.id, output);
  for (const action of node.postActions) perform(draft, action, 'post');
  if (draft.state.status !== 'active') return null;
  return wayOut(draft, node) ?? stuck(draft, node, 'node-failed');
}

/** Performs a node's actions and speech once the conversation stays in it. */
function settleIn(draft: Draft, node: GraphNode, arrival: Arrival): void {
  if (node.task !== null) return;
  const { state } = draft;
  if (strategyOf(node.context).hides !== null) {
    const { strategy, summaryPrompt } = node.context;
    const key = intend(draft, { kind: 'context', payload: { strategy, prompt: summaryPrompt } });
    state.position.context = { key, visit: state.position.visit, strategy, summary: null };
  }
  if (arrival !== 'return') for (const action of node.preActions) perform(draft, action, 'pre');
  if (state.status === 'active') answer(draft, node, arrival);
  if (state.status === 'active') beginTransfer(draft, node);
  if (arrival !== 'return') for (const action of node.postActions) perform(draft, action, 'post');
  if (state.status === 'active' && node.end !== null) end(draft, node.end);
}
