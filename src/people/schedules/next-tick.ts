import type { CivilTime } from '../../model/ports/time.ts';
import { lastOfCron, nextOfCron } from './cron.ts';
import { afterQuiet } from './quiet-hours.ts';
import type { Schedule } from './schedule.ts';

/** Returns the first tick of a schedule after a time, in epoch milliseconds; null if there is none. */
export function nextTick({ when, zone }: Pick<Schedule, 'when' | 'zone'>, after: number): number | null {
  switch (when.type) {
    case 'at':
      return when.at > after ? when.at : null;
    case 'every':
      return when.from + (Math.max(0, Math.floor((after - when.from) / when.everyMs)) + 1) * when.everyMs;
    case 'cron':
      return nextOfCron(when.cron, zone, after);
  }
}

/** Returns the last `limit` ticks after `after` and up to `until`, in order. */
export function lastTicks(
  { when, zone }: Pick<Schedule, 'when' | 'zone'>,
  after: number,
  until: number,
  limit: number,
): readonly number[] {
  switch (when.type) {
    case 'at':
      return when.at > after && when.at <= until ? [when.at] : [];
    case 'every': {
      const last = Math.floor((until - when.from) / when.everyMs);
      const first = Math.max(1, Math.floor((after - when.from) / when.everyMs) + 1, last - limit + 1);
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => when.from + (first + i) * when.everyMs);
    }
    case 'cron':
      return lastOfCron(when.cron, zone, after, until, limit);
  }
}

/**
 * Returns the due time of a tick's run: the tick plus jitter, outside quiet hours, and before the next tick outside
 * quiet hours.
 */
export function runMoment(schedule: Schedule, tick: number, civil: CivilTime): number {
  const jittered = tick + jitterOf(schedule, tick, tick);
  const base = afterQuiet(schedule.quiet, jittered, schedule.zone, civil);
  if (base === jittered) return jittered;
  // Runs after quiet hours are spread too.
  return afterQuiet(schedule.quiet, base + jitterOf(schedule, tick, base), schedule.zone, civil);
}

/** Returns a jitter smaller than the time from `base` to the next tick, so that ticks stay in order. */
function jitterOf(schedule: Schedule, tick: number, base: number): number {
  if (schedule.jitterMs === 0) return 0;
  const next = nextTick(schedule, base);
  const room = next === null ? schedule.jitterMs : Math.min(schedule.jitterMs, next - base);
  return Math.floor(fractionOf(`${schedule.id}/${tick}`) * room);
}

/** Returns a number in [0, 1) derived from a text, evenly distributed (FNV-1a with a final mix). */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
