import type {
  FlowCalled,
  FlowHandedOff,
  FlowSwapped,
  LimitReached,
  NodeRequested,
  ReplyRouted,
  SessionEnded,
  SessionStarted,
  TurnPolicy,
  UserTurn,
} from '../model/signals/signal.ts';
import type { FlowRef } from '../model/flow-ref.ts';
import type { InboundWords } from '../model/signals/generator-yield.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { Graph } from '../flow/graph/graph.ts';
import { newCallee, unansweredOutcome } from './callee/call-again.ts';
import { isHangUp, outsideOutcome } from './outcome.ts';
import { endAll } from './answer.ts';
import { beginTurn, confirmationIn, type Draft, emit, intend, openEffect, openOfKind, settle } from './state/draft.ts';
import { isWaitingIn, leaveWaiting } from './wait/outside-waits.ts';
import { followPolicy } from './move/follow-policy.ts';
import { beginGenerator } from './generator/generator.ts';
import { originOf } from './wait/hitl.ts';
import { withMember } from './state/names.ts';
import { functionIn, nodeOf } from './move/offers.ts';
import { flowWork, isPending } from './call/pending-calls.ts';
import { takeOver } from './wait/resume.ts';
import { formOf, valueOf, withinRules } from './state/slots.ts';
import { leaveForSubflow, takeCaller } from './state/stack.ts';
import type { Frame } from './state/position.ts';
import type { SessionState } from './state/state.ts';
import { finishTask, travel } from './move/travel.ts';
import { takeWords } from './dialogue/to-node.ts';
import { cancelWaits } from './wait/waits.ts';
import { type Move, wayOut } from './move/ways-out.ts';

/** Starts the session: the flow begins in its initial node. */
export function start(draft: Draft, signal: SessionStarted): void {
  const { graph, state } = draft;
  beginTurn(draft);
  state.status = 'active';
  if (signal.silent === true) state.people.unattended = state.turn.number;
  state.sessionId = signal.sessionId;
  state.turn.incarnation = signal.incarnation ?? 0;
  state.knowledge.timeZone = signal.timeZone;
  const { language } = signal;
  if (language !== undefined && graph.languages?.includes(language) !== false) state.dialogue.language = language;
  state.turn.correlation = signal.correlation ?? null;
  state.people.origin = originOf(signal.correlation);
  beginFlow(draft, signal.flow, signal.input);
  emit(draft, { type: 'flow:started', data: { flow: graph.name, hash: signal.flow.hash } });
  const { policy, called } = signal;
  if (policy !== undefined) followPolicy(draft, policy);
  else if (called !== undefined && graph.callee !== null) {
    state.people.callee = newCallee(called.flow, signal.correlation);
    return;
  }
  // Otherwise a hook stopped the run; the flow begins with the person's first words, if they come.
  if (policy === undefined || isRouted(policy)) begin(draft, signal.input);
}

function isRouted(policy: TurnPolicy): boolean {
  return policy.action === 'hold' && policy.to !== undefined;
}

/** Begins the flow when a person is on the line of a call. The words that showed it are not for the flow. */
export function beginForPerson(draft: Draft): void {
  begin(draft, draft.state.knowledge.input);
}

/** Begins the flow of a stopped run with the person's first words. */
export function beginWithWords(draft: Draft, { eventId, text, via }: UserTurn): void {
  begin(draft, draft.state.knowledge.input, { eventId, text, via }, true);
}

/**
 * Ends the session from outside. A running write still settles and is stored. A flow that was already ending keeps its
 * reason.
 */
export function endSession(draft: Draft, signal: SessionEnded): void {
  const { state } = draft;
  const open = openOfKind(state, 'end');
  // A called flow that was about to return has no caller left to return to.
  const end = open?.payload.returns === null ? open : undefined;
  for (const effect of Object.values(state.effects)) {
    const isSaid = effect.kind === 'message' && 'speech' in effect.payload.data;
    const mustSettle =
      (effect.kind === 'tool' && effect.payload.write && !isPending(effect)) || effect === end || isSaid;
    if (!mustSettle) settle(draft, effect, 'cancelled');
  }
  state.dialogue.confirmations = [];
  state.status = 'ended';
  const unanswered = end === undefined && isHangUp(signal.reason) ? unansweredOutcome(draft) : null;
  const outcome = unanswered ?? (end === undefined ? outsideOutcome(signal.reason, state) : null);
  const reason = end?.payload.reason ?? signal.reason;
  emit(draft, { type: 'flow:ended', data: { reason, ...(outcome === null ? {} : { outcome }) } });
}

/** Moves the conversation on behalf of the author's code. */
export function request(draft: Draft, signal: NodeRequested): void {
  // A generator's position is determined only by its code.
  if (draft.state.position.generator !== null || nodeOf(draft.graph, draft.state, signal.to) === null) {
    emit(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'unknown-node' } });
    return;
  }
  const { takeover } = draft.state.people;
  // During a takeover the move waits until the person has finished.
  if (takeover !== null) {
    draft.state.people.takeover = { ...takeover, to: signal.to };
    return;
  }
  interrupt(draft);
  travel(draft, { to: signal.to, cause: 'requested' }, 'answer');
}

/** Ends a conversation that has reached a limit, after a line. A person who talks to the caller is not cut off. */
export function reachLimit(draft: Draft, { type, limit }: LimitReached): void {
  if (draft.state.people.takeover !== null) {
    emit(draft, { type: 'signal:ignored', data: { signal: type, reason: 'stale' } });
    return;
  }
  interrupt(draft);
  emit(draft, { type: 'limit:reached', data: { limit } });
  const [text] = draft.graph.speech.lines.endLimit;
  intend(draft, { kind: 'say', payload: { text, reason: 'fallback', protected: true } });
  endAll(draft, limit === 'time' ? 'too_long' : 'too_expensive');
}

/** Continues in another flow with the known values: matching slots, variables, and the node of the same id. */
export function swap(draft: Draft, signal: FlowSwapped): void {
  const { graph, state } = draft;
  // Words that the previous process did not answer are for the new flow.
  const unanswered = signal.resumed === true && openOfKind(state, 'reply') !== undefined;
  const stays =
    signal.stays === true && nodeOf(graph, state, state.position.node) !== null && state.position.generator === null;
  if (!stays) {
    interrupt(draft);
    // A question of which nothing was heard is asked as if for the first time, also behind the line of a new node.
    if (state.dialogue.put?.heard === 'unheard') state.dialogue.saidBefore = { text: '' };
  }
  if (signal.resumed === true) takeOver(draft);
  emit(draft, {
    type: 'flow:swapped',
    data: { from: state.position.flow.id, to: signal.flow.id, hash: signal.flow.hash },
  });
  keepUsableSlots(draft);
  state.position.flow = signal.flow;
  state.position.path = [];
  state.knowledge.variables = { ...Object.fromEntries(graph.variables), ...state.knowledge.variables };
  state.knowledge.input = { ...defaultsOf(graph), ...state.knowledge.input };
  if (stays) {
    // A digression returns to its origin if the new version still has that node.
    const isThere = ({ kind, node }: Frame): boolean => kind === 'subflow' || nodeOf(graph, state, node) !== null;
    state.position.stack = state.position.stack.filter(isThere);
    if (state.position.persona !== null && !graph.nodes.has(state.position.persona)) state.position.persona = null;
    if (!isStillAsked(draft)) cancelWaits(draft);
    return;
  }
  state.position.stack = state.position.stack.filter((frame) => frame.kind === 'subflow');
  if (state.position.persona !== null && !graph.nodes.has(state.position.persona)) state.position.persona = null;
  if (graph.generator !== null || state.position.generator !== null) {
    begin(draft, state.knowledge.input);
    return;
  }
  const wanted = signal.node ?? state.position.node;
  const to = nodeOf(graph, state, wanted) === null ? graph.initial : wanted;
  travel(draft, { to, cause: 'swap' }, unanswered ? 'superseded' : 'answer');
  const node = nodeOf(graph, state, state.position.node);
  if (unanswered && node !== null && node.end === null && openOfKind(state, 'reply') === undefined)
    takeWords(draft, node);
}

/** Checks whether the new version of a flow still has what the open question is about. */
function isStillAsked({ graph, state }: Draft): boolean {
  const subject = confirmationIn(state)?.payload.subject;
  if (subject === undefined) return true;
  if (subject.kind === 'slot') return graph.slots.has(subject.slot);
  const node = nodeOf(graph, state, subject.kind === 'node' ? subject.node : subject.call.node);
  if (node === null) return false;
  return subject.kind === 'node'
    ? node.interrupt?.asksCaller === true
    : functionIn(graph, node, subject.call.name) !== null;
}

/** Calls another flow. This step uses that flow's graph. */
export function call(draft: Draft, signal: FlowCalled): void {
  const { state } = draft;
  interrupt(draft);
  leaveForSubflow(draft, signal.routed === true);
  emit(draft, { type: 'flow:called', data: { flow: signal.flow.id } });
  const known = state.knowledge.slots;
  beginFlow(draft, signal.flow, isJsonObject(signal.input) ? signal.input : {});
  // Values already given are not asked for again if the called flow has matching slots.
  state.knowledge.slots = known;
  keepUsableSlots(draft);
  begin(draft, signal.input, signal.inbound ?? null, signal.answered !== true);
}

/** Routes to a flow on behalf of the classic path's reply: one at a time, and never from a generator. */
export function route(draft: Draft, signal: ReplyRouted): void {
  if (openOfKind(draft.state, 'handoff') !== undefined || draft.state.position.generator !== null) {
    emit(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'stale' } });
    return;
  }
  const words = signal.inbound === undefined ? {} : { inbound: signal.inbound };
  intend(draft, { kind: 'handoff', payload: { to: signal.to, input: {}, routed: true, ...words } });
}

/** Hands the conversation to another flow for good. Slots carry over; other data is in the input. */
export function handOff(draft: Draft, signal: FlowHandedOff): void {
  const { graph, state } = draft;
  const effect = openEffect(state, signal.key);
  if (effect?.kind !== 'handoff') {
    emit(draft, { type: 'signal:ignored', data: { signal: signal.type, reason: 'unknown-effect' } });
    return;
  }
  settle(draft, effect, 'done');
  const type = effect.payload.fallback === true ? 'flow:fallback' : 'flow:handoff';
  emit(draft, { type, data: { from: state.position.flow.id, to: signal.flow.id } });
  const said = effect.payload.inbound ?? state.position.generator?.inbound ?? null;
  const isUnanswered = effect.payload.inbound !== undefined || (hasAnsweredNothing(state) && waitsForWords(graph));
  leaveWaiting(draft);
  const known = state.knowledge.slots;
  beginFlow(draft, signal.flow, isJsonObject(signal.input) ? signal.input : {});
  state.knowledge.slots = known;
  keepUsableSlots(draft);
  // A flow that hands off has handled the words that led to it, unless the caller would be left in silence.
  begin(draft, signal.input, said, isUnanswered);
}

/** Returns from a called flow. Its slots and variables are the output of the calling node. */
export function comeBackFromFlow(draft: Draft, type: string): void {
  const { graph, state } = draft;
  const frame = takeCaller(draft);
  if (frame === null || frame.caller === null) {
    emit(draft, { type: 'signal:ignored', data: { signal: type, reason: 'stale' } });
    return;
  }
  const isUnanswered = hasAnsweredNothing(state);
  const handoff = openOfKind(state, 'handoff');
  const isHandedBack = handoff !== undefined && handoff.payload.to === frame.flow.id;
  if (isHandedBack) {
    settle(draft, handoff, 'done');
    emit(draft, { type: 'flow:handoff', data: { from: state.position.flow.id, to: frame.flow.id } });
  }
  interrupt(draft);
  const end = openOfKind(state, 'end');
  if (end !== undefined) settle(draft, end, 'done');
  emit(draft, { type: 'flow:returned', data: { flow: state.position.flow.id } });
  const outputs = outputsOf(draft);
  const learned = state.knowledge.slots;
  const { slots, variables, outputs: outputsOfCaller, input } = frame.caller;
  state.knowledge.variables = variables;
  state.knowledge.outputs = outputsOfCaller;
  state.knowledge.input = input;
  state.knowledge.slots = { ...slots, ...learned };
  keepUsableSlots(draft);
  state.position.flow = frame.flow;
  state.position.path = [];
  state.position.node = frame.node;
  state.position.persona = frame.persona;
  state.position.generator = null;
  state.status = 'active';
  if (frame.routed === true) {
    state.position.visit += 1;
    emit(draft, { type: 'node:entered', data: { cause: 'return' } });
    const back = nodeOf(graph, state, frame.node);
    // The awaited event may have arrived meanwhile.
    const way = back?.interrupt == null || isWaitingIn(draft, back) ? null : wayOut(draft, back);
    if (way !== null) return travel(draft, way, 'answer');
    // The flow ended by itself and its caller waits for words: the caller's words are answered to avoid silence.
    if (end?.payload.inbound !== undefined || (isUnanswered && (end !== undefined || isHandedBack))) hear(draft);
    return;
  }
  const node = nodeOf(graph, state, frame.node);
  // A node other than a task is entered again: it asks for missing values, or leaves.
  const isTask = node !== null && node.task !== null;
  const move: Move | null = isTask ? finishTask(draft, node, { outputs }) : { to: frame.node, cause: 'return' };
  if (move !== null) travel(draft, move, 'answer');
}

/**
 * Enters the flow at its beginning. `said` contains the caller's last words. If they are unanswered, a node that waits
 * for the caller reads them.
 */
function begin(draft: Draft, input: Json, said: InboundWords | null = null, isUnanswered = false): void {
  const { graph, state } = draft;
  state.position.generator = null;
  state.turn.words = said !== null && isUnanswered ? { asked: null, utterance: null, isUnheard: true } : null;
  if (graph.generator !== null) {
    beginGenerator(draft, input, said);
    return;
  }
  travel(draft, { to: graph.initial, cause: 'start' }, 'answer');
  const node = nodeOf(graph, state, state.position.node);
  if (state.turn.words?.isUnheard === true && node?.respondImmediately === false) hear(draft);
}

/** Checks whether the caller spoke in this turn without an answer. */
function hasAnsweredNothing({ turn: { words }, dialogue: { said } }: SessionState): boolean {
  return words !== null && said.text === '';
}

/** Checks whether a flow begins by waiting for the caller. */
function waitsForWords({ nodes, initial }: Graph): boolean {
  return nodes.get(initial)?.respondImmediately === false;
}

/** Lets the current node answer the caller's words. */
function hear(draft: Draft): void {
  const { graph, state } = draft;
  const node = nodeOf(graph, state, state.position.node);
  if (state.status === 'active' && node !== null) takeWords(draft, node);
}

/** Cancels work in progress and begins a new turn. */
function interrupt(draft: Draft): void {
  beginTurn(draft);
  const open = openOfKind(draft.state, 'reply');
  if (open !== undefined) settle(draft, open, 'cancelled');
  for (const kind of flowWork) {
    const open = openOfKind(draft.state, kind);
    if (open !== undefined) settle(draft, open, 'cancelled');
  }
  cancelWaits(draft);
}

function beginFlow(draft: Draft, flow: FlowRef, input: JsonObject): void {
  const { graph, state } = draft;
  state.position.flow = flow;
  state.position.path = [];
  state.knowledge.input = { ...defaultsOf(graph), ...input };
  state.knowledge.variables = Object.fromEntries(graph.variables);
  state.knowledge.outputs = {};
  state.knowledge.slots = {};
  state.knowledge.declined = [];
  state.knowledge.askAgain = [];
  state.position.persona = null;
}

function defaultsOf(graph: Graph): JsonObject {
  const defaults: [string, Json][] = [];
  for (const field of graph.input.values()) if (field.default !== undefined) defaults.push([field.name, field.default]);
  return Object.fromEntries(defaults);
}

/** Drops slots that this graph lacks, or whose rules reject the value. */
function keepUsableSlots(draft: Draft): void {
  const { graph, state } = draft;
  let slots: typeof state.knowledge.slots = {};
  for (const slot of graph.slots.values()) {
    const known = valueOf(state, slot.name);
    if (known === undefined) continue;
    const reading = withinRules(slot, formOf(slot, known.value), draft.civil);
    const confirmed = known.confirmed || (slot.readback === null && known.grounded !== false);
    if (reading.ok) slots = withMember(slots, slot.name, { ...known, value: reading.value, confirmed });
  }
  state.knowledge.slots = slots;
}

function outputsOf(draft: Draft): JsonObject {
  const { slots, variables } = draft.state.knowledge;
  return { ...variables, ...Object.fromEntries(Object.entries(slots).map(([name, { value }]) => [name, value])) };
}
