import type { ToolPayload } from '../events/effect.ts';
import type { FlowRef } from '../events/flow-ref.ts';
import type { Draft } from './draft.ts';
import type { Frame, SessionState } from './state.ts';
import type { Move } from './ways-out.ts';

/** Deeper nesting drops the oldest digression: a caller who wanders thirty-two times does not want the first back. */
const deepest = 32;

/** Remembers the node that is being left, so that `$return` comes back to it. */
export function leaveForDigression(draft: Draft, asked: readonly ToolPayload[]): void {
  const { flow, node, persona } = draft.state;
  const question = asked.length === 0 ? {} : { asked };
  push(draft, { kind: 'digression', flow, node, persona, caller: null, ...question });
}

/** The move back to where the last digression left; null where there is nothing to come back to. */
export function comeBack(draft: Draft): Move | null {
  const { state } = draft;
  const frame = state.stack.at(-1);
  if (frame === undefined || frame.kind !== 'digression') return null;
  state.stack = state.stack.slice(0, -1);
  state.persona = frame.persona;
  return { to: frame.node, cause: 'return', ...(frame.asked === undefined ? {} : { asked: frame.asked }) };
}

/** Remembers the calling flow with what only it knows. */
export function leaveForSubflow(draft: Draft, routed: boolean): void {
  const { state } = draft;
  const { slots, variables, outputs, input } = state;
  push(draft, {
    kind: 'subflow',
    flow: state.flow,
    node: state.node,
    persona: state.persona,
    caller: { slots, variables, outputs, input },
    ...(routed ? { routed } : {}),
  });
}

/** Takes the calling flow's frame off the stack, with the digressions of the flow that has ended. */
export function takeCaller(draft: Draft): Frame | null {
  const { state } = draft;
  const index = state.stack.findLastIndex((frame) => frame.kind === 'subflow');
  const frame = state.stack[index];
  if (frame === undefined) return null;
  state.stack = state.stack.slice(0, index);
  return frame;
}

/** The flow that called the one that runs now. */
export function callingFlow(state: SessionState): FlowRef | null {
  return state.stack.findLast((frame) => frame.kind === 'subflow')?.flow ?? null;
}

function push(draft: Draft, frame: Frame): void {
  const { stack } = draft.state;
  const oldest = stack.findIndex((one) => one.kind === 'digression');
  const kept = stack.length >= deepest ? stack.toSpliced(Math.max(oldest, 0), 1) : stack;
  draft.state.stack = [...kept, frame];
}
