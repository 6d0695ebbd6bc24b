import { Cron } from 'croner';

/** Returns the next time of a cron pattern after `after`, in epoch milliseconds; null if there is none. */
export function nextOfCron(pattern: string, zone: string, after: number): number | null {
  return cronOf(pattern, zone).nextRun(new Date(after))?.getTime() ?? null;
}

/** Returns the last `limit` times of a cron pattern after `after` and up to `until`, in order. */
export function lastOfCron(pattern: string, zone: string, after: number, until: number, limit: number): number[] {
  const first = nextOfCron(pattern, zone, after);
  // Searching backwards is about ten times slower and usually finds nothing.
  if (first === null || first > until) return [];
  // `previousRuns` searches before its reference, in whole seconds.
  const before = new Date(Math.floor(until / 1_000) * 1_000 + 1_000);
  const moments = cronOf(pattern, zone)
    .previousRuns(limit, before)
    .map((date) => date.getTime());
  return moments.filter((moment) => moment > after && moment <= until).toReversed();
}

/** Returns why a pattern is not valid; null if it is. A pattern has five fields, without seconds and years. */
export function cronFault(pattern: string): string | null {
  try {
    cronOf(pattern, 'UTC');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read';
  }
}

const patterns = new Map<string, Cron>();

/** Returns a parsed pattern. It is paused, so it starts no timer. */
function cronOf(pattern: string, zone: string): Cron {
  const name = `${zone} ${pattern}`;
  const known = patterns.get(name);
  if (known !== undefined) return known;
  const cron = new Cron(pattern, { timezone: zone, mode: '5-part', paused: true });
  // Patterns come from configuration and callers; the limit bounds the map.
  if (patterns.size < 1_000) patterns.set(name, cron);
  return cron;
}
