const sampleRate = 16_000;
const windowSamples = sampleRate / 100;
/** Mean amplitude from which the agent counts as audible. */
const loud = 200;

/**
 * Counts pauses of more than `gapMs` within lines. A line is one tone, so every pause in it comes from the transport.
 * Pauses of at least `lineMs` separate lines.
 */
export function countGaps(samples: Int16Array, gapMs = 60, lineMs = 450): number {
  let gaps = 0;
  let quietMs = Infinity;
  for (let at = 0; at + windowSamples <= samples.length; at += windowSamples) {
    let sum = 0;
    for (let one = at; one < at + windowSamples; one += 1) sum += Math.abs(samples[one] ?? 0);
    if (sum / windowSamples <= loud) {
      quietMs += 10;
      continue;
    }
    if (quietMs > gapMs && quietMs < lineMs) gaps += 1;
    quietMs = 0;
  }
  return gaps;
}
