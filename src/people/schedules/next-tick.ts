import type { CivilTime } from '../../ports/time.ts';
import { lastOfCron, nextOfCron } from './cron.ts';
import { afterQuiet } from './quiet-hours.ts';
import type { Schedule } from './schedule.ts';

/** The first tick of a schedule after a moment, in epoch milliseconds; null where none comes any more. */
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

/** The last `limit` ticks after `after` and up to `until`, in their order. */
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
 * When the run of a tick is due: at the tick or later, by its jitter and out of quiet hours, and before the next tick
 * that is not itself in quiet hours.
 */
export function runMoment(schedule: Schedule, tick: number, civil: CivilTime): number {
  const jittered = tick + jitterOf(schedule, tick, tick);
  const base = afterQuiet(schedule.quiet, jittered, schedule.zone, civil);
  if (base === jittered) return jittered;
  // What has waited for the end of quiet hours does not all come in their first moment.
  return afterQuiet(schedule.quiet, base + jitterOf(schedule, tick, base), schedule.zone, civil);
}

/** Less than the time from `base` to the tick after it, so that ticks stay in their order. */
function jitterOf(schedule: Schedule, tick: number, base: number): number {
  if (schedule.jitterMs === 0) return 0;
  const next = nextTick(schedule, base);
  const room = next === null ? schedule.jitterMs : Math.min(schedule.jitterMs, next - base);
  return Math.floor(fractionOf(`${schedule.id}/${tick}`) * room);
}

/** A number in [0, 1) that a text decides, evenly spread (FNV-1a with a last mixing). */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
