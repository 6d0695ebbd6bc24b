import { type WritePoint, writePoints } from './mortal-store.ts';

/** Who writes in a scenario: the process of the call, or the clerk that works where nobody is on the line. */
export type Writer = 'call' | 'clerk';

/** A write of one of them at which its process dies. */
export interface CrashPoint extends WritePoint {
  readonly by: Writer;
}

/** How many writes each of them makes. */
export type Writes = Readonly<Record<Writer, number>>;

/** Before and after each write of each. */
export function crashPoints(writes: Writes): readonly CrashPoint[] {
  return (['call', 'clerk'] as const).flatMap((by) => writePoints(writes[by]).map((point) => ({ by, ...point })));
}
