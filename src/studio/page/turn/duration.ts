/** Formats a duration: `0.8 ms`, `340 ms`, `2.41 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  return ms >= 1 || ms === 0 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}
