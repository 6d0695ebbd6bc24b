import type { TurnTrace } from '../../model/events/turn-trace.ts';
import { counted } from '../../model/ports/counted.ts';

/**
 * Formats a turn as one readable line, with only names of the flow and numbers.
 *
 * @example
 * // speech · greet → details · 1 inference · 840 ms to first sound · 3.2 s · answered
 */
export function turnLine({ via, nodes, inferences, moments, tokens, cost, ms, outcome }: TurnTrace): string {
  const { speechEnded, firstAudio } = moments;
  const waitedMs = speechEnded === undefined || firstAudio === undefined ? null : firstAudio - speechEnded;
  return [
    via,
    nodes.join(' → '),
    counted(inferences, 'inference'),
    ...(tokens.input + tokens.output === 0 ? [] : [`${tokens.input} + ${tokens.output} tokens`]),
    ...(cost === null || cost === 0 ? [] : [`cost ${cost}`]),
    ...(waitedMs === null ? [] : [`${timeText(waitedMs)} to first sound`]),
    timeText(ms),
    outcome,
  ].join(' · ');
}

/** Formats a duration: whole milliseconds below a second, else tenths of seconds. */
export function timeText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
