import type { Leashed } from './leashed.ts';

export type LogLine = Readonly<Record<string, unknown>>;

/** What a worker has logged of a session, a record each. */
export function linesOf(worker: Leashed, session: string): readonly LogLine[] {
  return worker
    .output()
    .split('\n')
    .slice(0, -1) // What follows the last end of a line is not all of it yet.
    .filter((line) => line.includes(`"sessionId":"${session}"`))
    .map((line) => JSON.parse(line) as LogLine); // The log is JSON, a line each.
}

/** The nodes between which a session went, as the log tells it. */
export function movesOf(worker: Leashed, session: string): readonly string[] {
  const moves = linesOf(worker, session).filter(({ event }) => event === 'transition:taken');
  return moves.map(({ from, to }) => `${String(from)} -> ${String(to)}`);
}

/** The whole log, without the fields in which LiveKit marks what is personal. */
export function withoutMarked(worker: Leashed): string {
  return worker.output().replaceAll(/"lk\.pii\.[\w.]+":(?:"(?:[^"\\]|\\.)*"|\{[^{}]*\}|[^,}]*)/g, '""');
}
