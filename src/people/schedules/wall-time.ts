import type { CivilTime } from '../../model/ports/time.ts';

const dayMs = 86_400_000;

/**
 * Converts a local time `YYYY-MM-DDTHH:mm` to epoch milliseconds. Returns the first time if it occurs twice, and null
 * if clocks skip it.
 */
export function momentOfWall(wall: string, zone: string, civil: CivilTime): number | null {
  const asUtc = Date.parse(`${wall}Z`);
  const candidates = [asUtc - dayMs, asUtc + dayMs].map((near) => asUtc - offsetAt(near, zone, civil));
  const found = candidates.filter((at) => civil(at, zone) === wall);
  return found.length === 0 ? null : Math.min(...found);
}

/** Returns the offset from UTC in milliseconds. */
function offsetAt(at: number, zone: string, civil: CivilTime): number {
  const minute = Math.floor(at / 60_000) * 60_000;
  return Date.parse(`${civil(minute, zone)}Z`) - minute;
}
