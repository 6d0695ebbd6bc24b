import type { Divergence, InboundWords } from '../events/generator-yield.ts';
import type { FlowEvents } from '../events/event.ts';
import type { GeneratorDiverged, GeneratorFailed } from '../events/generator-signal.ts';
import { end } from './answer.ts';
import { type Draft, intend, openEffect, openOfKind, tell } from './draft.ts';
import { advance, changeFrame, settleAdvance } from './generator-frame.ts';
import { callingFlow } from './stack.ts';
import type { LineName } from '../ports/reader.ts';
import type { SessionState } from './state.ts';

/** How often one step of a generator may throw: what was out of order for a moment may be in order again. */
const mostAttempts = 2;

/** The reason of a step that took too long. */
const tookTooLong = 'flow-late';

/** The generator threw: it runs again from its start, and after that the flow is given up. */
export function failGenerator(draft: Draft, signal: GeneratorFailed): boolean {
  const open = openEffect(draft.state, signal.key);
  const frame = settleAdvance(draft, signal.key, 'failed');
  if (frame === null || open?.kind !== 'advance') return false;
  const attempt = frame.failures + 1;
  tell(draft, { type: 'flow:failed', data: { step: frame.step + 1, reason: signal.reason, attempt } });
  changeFrame(draft, { failures: attempt });
  // Nobody waits so long twice.
  if (attempt < mostAttempts && signal.reason !== tookTooLong) advance(draft, open.payload.answer);
  else clearGenerator(draft, 'failed');
  return true;
}

/** The generator does not do any more what is recorded: nothing is said or guessed until a person has seen to it. */
export function park(draft: Draft, { key, divergence }: GeneratorDiverged): boolean {
  const { state } = draft;
  // The step stays open: what it is answered with must not be lost.
  if (openEffect(state, key)?.kind !== 'advance') return false;
  state.status = 'parked';
  changeFrame(draft, { divergence });
  tell(draft, {
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

/** Gives the flow up: its fallback goes on, or the flow that called it; else the caller is told, and it is the end. */
export function clearGenerator(
  draft: Draft,
  reason: FlowEvents['flow:cleared']['reason'],
  unresolved: string | null = null,
): void {
  const { graph, state } = draft;
  tell(draft, { type: 'flow:cleared', data: { reason } });
  state.pendingAskKey = null;
  const inbound = wordsOfTurn(state);
  changeFrame(draft, { lastYield: null, question: null });
  const calling = callingFlow(state);
  const named = graph.generator?.fallback ?? null;
  // What is come back to anyway is not begun once more on top of itself.
  const goesOnOtherwise = named === state.flow.id || named === unresolved || named === calling?.id;
  const fallback = goesOnOtherwise ? null : named;
  const goesOn = fallback !== null || calling !== null;
  // A flow that wanted to give the caller to somebody has not failed at what they said: whoever goes on answers that.
  const words = unresolved !== null && goesOn && inbound !== null ? { inbound } : {};
  // Else never silence: who goes on may be one that waits for the caller.
  if (!('inbound' in words))
    intend(draft, {
      kind: 'say',
      payload: { text: graph.speech.lines[goesOn ? 'failedHere' : farewellOf(reason)][0], reason: 'fallback' },
    });
  if (fallback === null) end(draft, reason, words.inbound);
  else intend(draft, { kind: 'handoff', payload: { to: fallback, input: null, fallback: true, ...words } });
}

/** What the caller said in this turn; null where the turn is nobody's or a command's, or the model has answered it. */
function wordsOfTurn({ generator, lastFlowEventId, words }: SessionState): InboundWords | null {
  const inbound = generator?.inbound ?? null;
  return words !== null && inbound !== null && inbound.eventId === lastFlowEventId ? inbound : null;
}

/**
 * A new process goes on with a generator. Before a word is said it runs up to where it was, to see that it still does
 * what is recorded; also where it was parked because it did not.
 */
export function resumeGenerator(draft: Draft): void {
  const { state } = draft;
  state.status = 'active';
  changeFrame(draft, { failures: 0, recapDue: true, divergence: null });
  const open = openOfKind(state, 'advance');
  if (open !== undefined) draft.effects.push(open);
  else if (state.generator?.lastYield !== null) advance(draft, null);
  // Given up before: its fallback is still to take over.
  else {
    const handoff = openOfKind(state, 'handoff');
    if (handoff !== undefined) draft.effects.push(handoff);
  }
}

function farewellOf(reason: FlowEvents['flow:cleared']['reason']): LineName {
  if (reason === 'no-input') return 'endUnheard';
  return reason === 'no-match' || reason === 'refused' ? 'endNotUnderstood' : 'endFailed';
}

/** A yield by its kind and key, without anything that was said. */
function nameOf(found: Divergence['expected']): string {
  if (found === null) return 'an exception';
  if ('kind' in found) return found.kind;
  if (found.type === 'ask') return `ask ${found.key}`;
  if (found.type === 'tool') return `tool ${found.name}`;
  if (found.type === 'wait') return `${found.node} ${found.key}`;
  return found.type === 'handoff' ? `handoff ${found.to}` : found.type;
}
