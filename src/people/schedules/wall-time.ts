import type { CivilTime } from '../../ports/time.ts';

const dayMs = 86_400_000;

/**
 * The moment, in epoch milliseconds, at which clocks on the wall show `YYYY-MM-DDTHH:mm`: the first one where they show it
 * twice, and null where they never do, for they are put forward past it.
 */
export function momentOfWall(wall: string, zone: string, civil: CivilTime): number | null {
  const asUtc = Date.parse(`${wall}Z`);
  const candidates = [asUtc - dayMs, asUtc + dayMs].map((near) => asUtc - offsetAt(near, zone, civil));
  const found = candidates.filter((at) => civil(at, zone) === wall);
  return found.length === 0 ? null : Math.min(...found);
}

/** What the clock on the wall is ahead of UTC, in milliseconds. */
function offsetAt(at: number, zone: string, civil: CivilTime): number {
  const minute = Math.floor(at / 60_000) * 60_000;
  return Date.parse(`${civil(minute, zone)}Z`) - minute;
}
