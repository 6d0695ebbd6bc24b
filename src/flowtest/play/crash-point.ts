import { type WritePoint, writePoints } from './mortal-store.ts';

/** The writers in a scenario: the process of the call, or the clerk, which works while no caller is connected. */
export type Writer = 'call' | 'clerk';

/** A write during which its process dies. */
export interface CrashPoint extends WritePoint {
  readonly by: Writer;
}

/** The number of writes of each of them. */
export type Writes = Readonly<Record<Writer, number>>;

/** The points before and after each write of each writer. */
export function crashPoints(writes: Writes): readonly CrashPoint[] {
  return (['call', 'clerk'] as const).flatMap((by) => writePoints(writes[by]).map((point) => ({ by, ...point })));
}
