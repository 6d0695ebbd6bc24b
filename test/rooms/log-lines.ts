import type { Leashed } from './leashed.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** Returns the records that a worker has logged for a session. */
export function linesOf(worker: Leashed, session: string): readonly LogLine[] {
  return worker
    .output()
    .split('\n')
    .slice(0, -1) // Text after the last line end may be incomplete.
    .filter((line) => line.includes(`"sessionId":"${session}"`))
    .map((line) => JSON.parse(line) as LogLine); // The log contains one JSON record per line.
}

/** Returns the transitions of a session from the log. */
export function movesOf(worker: Leashed, session: string): readonly string[] {
  const moves = linesOf(worker, session).filter(({ event }) => event === 'transition:taken');
  return moves.map(({ from, to }) => `${String(from)} -> ${String(to)}`);
}

/** Returns the whole log without the fields that LiveKit marks as personal. */
export function withoutMarked(worker: Leashed): string {
  return worker.output().replaceAll(/"lk\.pii\.[\w.]+":(?:"(?:[^"\\]|\\.)*"|\{[^{}]*\}|[^,}]*)/g, '""');
}
