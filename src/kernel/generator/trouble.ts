import type { Divergence, InboundWords } from '../../model/signals/generator-yield.ts';
import type { FlowEvents } from '../../model/events/event.ts';
import type { GeneratorDiverged, GeneratorFailed } from '../../model/signals/generator-signal.ts';
import { end } from '../answer.ts';
import { type Draft, intend, openEffect, openOfKind, emit } from '../state/draft.ts';
import { advance, changeFrame, settleAdvance } from './frame.ts';
import { callingFlow } from '../state/stack.ts';
import type { LineName } from '../../model/ports/reader.ts';
import type { SessionState } from '../state/state.ts';

/** Attempts for one step of a generator that throws. A retry handles temporary failures. */
const mostAttempts = 2;

/** Reason of a step that timed out. */
const tookTooLong = 'flow-late';

/** Handles a generator that threw: runs it again from its start, then gives the flow up. */
export function failGenerator(draft: Draft, signal: GeneratorFailed): boolean {
  const open = openEffect(draft.state, signal.key);
  const frame = settleAdvance(draft, signal.key, 'failed');
  if (frame === null || open?.kind !== 'advance') return false;
  const attempt = frame.failures + 1;
  emit(draft, { type: 'flow:failed', data: { step: frame.step + 1, reason: signal.reason, attempt } });
  changeFrame(draft, { failures: attempt });
  // A timeout is not retried.
  if (attempt < mostAttempts && signal.reason !== tookTooLong) advance(draft, open.payload.answer);
  else clearGenerator(draft, 'failed');
  return true;
}

/** Parks a generator that deviated from its record: nothing is said or guessed until a person intervenes. */
export function park(draft: Draft, { key, divergence }: GeneratorDiverged): boolean {
  const { state } = draft;
  // The step stays open, so its answer is not lost.
  if (openEffect(state, key)?.kind !== 'advance') return false;
  state.status = 'parked';
  changeFrame(draft, { divergence });
  emit(draft, {
    type: 'flow:parked',
    data: {
      reason: 'flow-nondeterministic',
      step: divergence.step,
      expected: nameOf(divergence.expected),
      found: nameOf(divergence.found),
    },
  });
  return true;
}

/**
 * Gives the flow up. Its fallback continues, or the flow that called it; otherwise the caller hears an apology and the
 * session ends.
 */
export function clearGenerator(
  draft: Draft,
  reason: FlowEvents['flow:cleared']['reason'],
  unresolved: string | null = null,
): void {
  const { graph, state } = draft;
  emit(draft, { type: 'flow:cleared', data: { reason } });
  state.dialogue.pendingAskKey = null;
  const inbound = wordsOfTurn(state);
  changeFrame(draft, { lastYield: null });
  const calling = callingFlow(state);
  const named = graph.generator?.fallback ?? null;
  // A flow that is next on the stack is not started a second time on top of itself.
  const goesOnOtherwise = named === state.position.flow.id || named === unresolved || named === calling?.id;
  const fallback = goesOnOtherwise ? null : named;
  const goesOn = fallback !== null || calling !== null;
  // The flow tried to hand the caller off and did not fail at their words: the next flow answers them.
  const words = unresolved !== null && goesOn && inbound !== null ? { inbound } : {};
  // Otherwise the agent speaks: the next flow may wait for the caller.
  if (!('inbound' in words))
    intend(draft, {
      kind: 'say',
      payload: { text: graph.speech.lines[goesOn ? 'failedHere' : farewellOf(reason)][0], reason: 'fallback' },
    });
  if (fallback === null) end(draft, reason, words.inbound);
  else intend(draft, { kind: 'handoff', payload: { to: fallback, input: null, fallback: true, ...words } });
}

/**
 * Returns the caller's words of this turn; null if the turn has none, came from a command, or was answered by the
 * model.
 */
function wordsOfTurn({ position: { generator }, turn: { lastFlowEventId, words } }: SessionState): InboundWords | null {
  const inbound = generator?.inbound ?? null;
  return words !== null && inbound !== null && inbound.eventId === lastFlowEventId ? inbound : null;
}

/**
 * Resumes a generator in a new process. Before anything is said it replays the record, to verify that the generator
 * still repeats it; a parked generator is tried again.
 */
export function resumeGenerator(draft: Draft): void {
  const { state } = draft;
  state.status = 'active';
  changeFrame(draft, { failures: 0, recapDue: true, divergence: null });
  const open = openOfKind(state, 'advance');
  if (open !== undefined) draft.effects.push(open);
  else if (state.position.generator?.lastYield !== null) advance(draft, null);
  // The generator was given up; its fallback still has to take over.
  else {
    const handoff = openOfKind(state, 'handoff');
    if (handoff !== undefined) draft.effects.push(handoff);
  }
}

function farewellOf(reason: FlowEvents['flow:cleared']['reason']): LineName {
  if (reason === 'no-input') return 'endUnheard';
  return reason === 'no-match' || reason === 'refused' ? 'endNotUnderstood' : 'endFailed';
}

/** Names a yield by kind and key, without spoken content. */
function nameOf(found: Divergence['expected']): string {
  if (found === null) return 'an exception';
  if ('kind' in found) return found.kind;
  if (found.type === 'ask') return `ask ${found.key}`;
  if (found.type === 'tool') return `tool ${found.name}`;
  if (found.type === 'wait') return `${found.node} ${found.key}`;
  return found.type === 'handoff' ? `handoff ${found.to}` : found.type;
}
