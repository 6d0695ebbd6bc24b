import { Cron } from 'croner';

/** The next moment after `after` at which a cron pattern comes, in epoch milliseconds; null where it never does. */
export function nextOfCron(pattern: string, zone: string, after: number): number | null {
  return cronOf(pattern, zone).nextRun(new Date(after))?.getTime() ?? null;
}

/** The last `limit` moments of a cron pattern after `after` and up to `until`, in their order. */
export function lastOfCron(pattern: string, zone: string, after: number, until: number, limit: number): number[] {
  const first = nextOfCron(pattern, zone, after);
  // Looking back costs ten times as much, and most often there is nothing to find.
  if (first === null || first > until) return [];
  // It looks before its reference, by whole seconds.
  const before = new Date(Math.floor(until / 1_000) * 1_000 + 1_000);
  const moments = cronOf(pattern, zone)
    .previousRuns(limit, before)
    .map((date) => date.getTime());
  return moments.filter((moment) => moment > after && moment <= until).toReversed();
}

/** Why a pattern cannot be read; null where it can. It has five fields: seconds and years have none. */
export function cronFault(pattern: string): string | null {
  try {
    cronOf(pattern, 'UTC');
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'it cannot be read';
  }
}

/** Whether the time zone data of this machine knows a zone. */
export function isTimeZone(zone: string): boolean {
  try {
    // Only asking for a run reads the zone.
    cronOf('* * * * *', zone).nextRun(new Date(0));
    return zone !== '';
  } catch {
    return false;
  }
}

const patterns = new Map<string, Cron>();

/** A pattern as a pure function: paused, it has no timer of its own. */
function cronOf(pattern: string, zone: string): Cron {
  const name = `${zone} ${pattern}`;
  const known = patterns.get(name);
  if (known !== undefined) return known;
  const cron = new Cron(pattern, { timezone: zone, mode: '5-part', paused: true });
  // Patterns come from configuration and from callers; the bound keeps them from growing the map.
  if (patterns.size < 1_000) patterns.set(name, cron);
  return cron;
}
