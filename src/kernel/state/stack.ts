import type { ToolPayload } from '../../model/effect.ts';
import type { FlowRef } from '../../model/flow-ref.ts';
import type { Draft } from './draft.ts';
import type { Frame } from './position.ts';
import type { SessionState } from './state.ts';
import type { Move } from '../move/ways-out.ts';

/** Maximum depth. Beyond it the oldest digression is dropped, because a caller no longer expects to return to it. */
const deepest = 32;

/** Pushes the current node, to which `$return` comes back. */
export function leaveForDigression(draft: Draft, asked: readonly ToolPayload[]): void {
  const { flow, node, persona } = draft.state.position;
  const question = asked.length === 0 ? {} : { asked };
  push(draft, { kind: 'digression', flow, node, persona, caller: null, ...question });
}

/** Pops the last digression and returns the move back; null if there is none. */
export function comeBack(draft: Draft): Move | null {
  const { state } = draft;
  const frame = state.position.stack.at(-1);
  if (frame === undefined || frame.kind !== 'digression') return null;
  state.position.stack = state.position.stack.slice(0, -1);
  state.position.persona = frame.persona;
  return { to: frame.node, cause: 'return', ...(frame.asked === undefined ? {} : { asked: frame.asked }) };
}

/** Pushes the calling flow with its data. */
export function leaveForSubflow(draft: Draft, routed: boolean): void {
  const { state } = draft;
  const { slots, variables, outputs, input } = state.knowledge;
  push(draft, {
    kind: 'subflow',
    flow: state.position.flow,
    node: state.position.node,
    persona: state.position.persona,
    caller: { slots, variables, outputs, input },
    ...(routed ? { routed } : {}),
  });
}

/** Pops the calling flow's frame, with the digressions of the ended flow. */
export function takeCaller(draft: Draft): Frame | null {
  const { state } = draft;
  const index = state.position.stack.findLastIndex((frame) => frame.kind === 'subflow');
  const frame = state.position.stack[index];
  if (frame === undefined) return null;
  state.position.stack = state.position.stack.slice(0, index);
  return frame;
}

/** Returns the flow that called the current one. */
export function callingFlow(state: SessionState): FlowRef | null {
  return state.position.stack.findLast((frame) => frame.kind === 'subflow')?.flow ?? null;
}

function push(draft: Draft, frame: Frame): void {
  const { stack } = draft.state.position;
  const oldest = stack.findIndex((one) => one.kind === 'digression');
  const kept = stack.length >= deepest ? stack.toSpliced(Math.max(oldest, 0), 1) : stack;
  draft.state.position.stack = [...kept, frame];
}
