import type { GeneratorYield, InboundWords } from '../../model/signals/generator-yield.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { GeneratorYielded } from '../../model/signals/generator-signal.ts';
import { generatorStart, nodeIdOf } from '../../flow/graph/generator-graph.ts';
import { end, endAll } from '../answer.ts';
import { type Draft, emit, intend, openEffect, openOfKind } from '../state/draft.ts';
import { isWaitingIn, openWaiting, sayWaitingLine } from '../wait/outside-waits.ts';
import { advance, ask, changeFrame, goOnWaiting, settleAdvance } from './frame.ts';
import { clearGenerator } from './trouble.ts';
import { withMember } from '../state/names.ts';
import { nodeOf } from '../move/offers.ts';
import { setVariable } from '../state/set-values.ts';

/** Limit of yields without words of the caller. */
const mostYieldsPerTurn = 1_000;

/** Begins a run of a generator. `inbound` contains the caller's last words. */
export function beginGenerator(draft: Draft, input: Json, inbound: InboundWords | null): void {
  const { state } = draft;
  state.position.dynamicNodes = {};
  state.position.node = generatorStart;
  state.position.visit += 1;
  state.dialogue.pendingAskKey = null;
  emit(draft, { type: 'node:entered', data: { cause: 'start' } });
  state.position.generator = {
    run: state.position.visit,
    input,
    step: 0,
    lastYield: null,
    inbound,
    failures: 0,
    yieldsThisTurn: 0,
    recapDue: false,
    divergence: null,
  };
  advance(draft, inbound === null ? null : { value: null, inbound });
}

/** Enters each yield of the generator in order, like nodes. Returns false if the step is not open. */
export function takeYields(draft: Draft, signal: GeneratorYielded): boolean {
  const open = openEffect(draft.state, signal.key);
  // Only a replay of the recorded steps has no new yields.
  const isCheck = open?.kind === 'advance' && open.payload.answer === null && open.payload.step > 0;
  if (isCheck !== (signal.yields.length === 0)) return false;
  const frame = settleAdvance(draft, signal.key, 'done');
  if (frame === null) return false;
  for (const step of signal.reworded) emit(draft, { type: 'flow:reworded', data: { step } });
  const { recapDue, lastYield } = frame;
  if (lastYield?.type === 'ask' && signal.answer !== null) setVariable(draft, lastYield.key, signal.answer.value);
  changeFrame(draft, { failures: 0, recapDue: false });
  if (recapDue) intend(draft, { kind: 'say', payload: { text: draft.graph.speech.lines.recap[0], reason: 'aside' } });
  if (signal.yields.length === 0) {
    goOnFromRecord(draft, lastYield);
    return true;
  }
  let last: GeneratorYield | null = null;
  for (const made of signal.yields) {
    last = made.yield;
    enter(draft, last);
    if (!countYield(draft, last)) {
      clearGenerator(draft, 'too-many-yields');
      return true;
    }
    perform(draft, last);
  }
  if (last?.type === 'say') advance(draft, { value: null, inbound: null });
  return true;
}

/** Continues after a replay without deviations: resumes what was in progress and asks the open question again. */
function goOnFromRecord(draft: Draft, last: GeneratorYield | null): void {
  const { state } = draft;
  if (last?.type === 'ask') {
    // The model was reading an answer and continues.
    const reading = openOfKind(state, 'reply');
    if (reading === undefined) ask(draft, last, last.text);
    else draft.effects.push(reading);
    return;
  }
  if (last?.type === 'wait') {
    const node = nodeOf(draft.graph, state, state.position.node);
    if (node === null || !isWaitingIn(draft, node)) goOnWaiting(draft);
    else if (state.people.unattended === null) sayWaitingLine(draft, node, 'recap');
    return;
  }
  for (const kind of ['tool', 'handoff'] as const) {
    const open = openOfKind(state, kind);
    if (open !== undefined) draft.effects.push(open);
  }
}

function enter(draft: Draft, made: GeneratorYield): void {
  const { state } = draft;
  const { generator } = state.position;
  if (generator === null) return;
  const to = nodeIdOf(made);
  emit(draft, { type: 'node:left', data: { to } });
  emit(draft, { type: 'transition:taken', data: { from: state.position.node, to, cause: 'yield' } });
  state.position.node = to;
  state.position.visit += 1;
  state.dialogue.pendingAskKey = null;
  // Only the current yield: every return leads back to the generator.
  state.position.dynamicNodes = withMember({}, to, made as unknown as JsonObject); // A yield is plain JSON.
  changeFrame(draft, { step: generator.step + 1, lastYield: made });
  emit(draft, { type: 'node:entered', data: { cause: 'yield' } });
}

/** Counts progress without the caller. Returns false above the limit. */
function countYield(draft: Draft, made: GeneratorYield): boolean {
  const { graph, state } = draft;
  const yieldsThisTurn = (state.position.generator?.yieldsThisTurn ?? 0) + 1;
  changeFrame(draft, { yieldsThisTurn });
  if (made.type === 'handoff') state.turn.transitions += 1;
  return yieldsThisTurn <= mostYieldsPerTurn && state.turn.transitions <= graph.maxTransitionsPerTurn;
}

function perform(draft: Draft, made: GeneratorYield): void {
  const { state } = draft;
  switch (made.type) {
    case 'say':
      if (made.text.trim() !== '') intend(draft, { kind: 'say', payload: { text: made.text.trim(), reason: 'node' } });
      return;
    case 'ask':
      ask(draft, made, made.text);
      return;
    case 'tool': {
      const { name, args, write } = made;
      const { node, visit } = state.position;
      const callId = `${state.sessionId}/${state.turn.number}/${state.turn.ordinal}`;
      const call = { name, node, visit, handler: name, callId, arguments: args, write, confirmed: false };
      intend(draft, { kind: 'tool', payload: call });
      return;
    }
    case 'wait': {
      const { [made.key]: _before, ...outputs } = state.knowledge.outputs;
      state.knowledge.outputs = outputs;
      if (made.say !== null) intend(draft, { kind: 'say', payload: { text: made.say, reason: 'node' } });
      const node = nodeOf(draft.graph, state, state.position.node);
      if (node !== null) openWaiting(draft, node);
      return;
    }
    case 'handoff':
      intend(draft, { kind: 'handoff', payload: { to: made.to, input: made.input } });
      return;
    case 'end':
      if (made.endsSession === true) endAll(draft, made.reason);
      else end(draft, made.reason);
  }
}
