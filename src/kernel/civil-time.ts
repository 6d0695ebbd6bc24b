const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a time zone at an instant: `YYYY-MM-DDTHH:mm`. An unknown zone counts as UTC. */
export function civilTime(at: number, timeZone: string): string {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return '1970-01-01T00:00';
  // All slots of one step ask for the same moment, and formatting is slow.
  if (at !== latest.at || timeZone !== latest.timeZone) latest = { at, timeZone, text: formatted(at, timeZone) };
  return latest.text;
}

let latest = { at: 0, timeZone: 'UTC', text: '1970-01-01T00:00' };

function formatted(at: number, timeZone: string): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '00';
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = createFormat(timeZone) ?? createFormat('UTC')!;
  // Zones come from configuration; the bound only keeps hostile input from growing the map.
  if (formats.size < 1_000) formats.set(timeZone, format);
  return format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  } catch {
    return undefined; // Not a zone that this platform knows.
  }
}
