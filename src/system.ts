import { randomUUID } from 'node:crypto';
import type { CivilTime, Clock, Ids, Random } from './ports/time.ts';

/**
 * The machine's clock. Timers measure on the monotonic clock, so that setting the wall clock neither loses nor hurries
 * one. An open timer keeps the process alive: who schedules one that may never matter cancels it on stopping.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, task) {
    const due = performance.now() + delayMs;
    let timer = setTimeout(arrive, delayWithin(delayMs));
    return () => clearTimeout(timer);

    function arrive(): void {
      const leftMs = due - performance.now();
      // setTimeout may be early by a part of a millisecond, and cannot wait longer than its limit at once.
      if (leftMs > 0) timer = setTimeout(arrive, delayWithin(leftMs));
      else task();
    }
  },
};

/** Chance without a seed; not for secrets. */
export const systemRandom: Random = { next: () => Math.random() };

/** Ids such as `req_0f8fad5bd9cb469fa16570867728950e`: 122 random bits, hard to guess. */
export const systemIds: Ids = { create: (prefix) => `${prefix}_${randomUUID().replaceAll('-', '')}` };

// setTimeout turns anything above into 1 ms.
const longestDelayMs = 2 ** 31 - 1;

function delayWithin(delayMs: number): number {
  return Math.min(Math.ceil(delayMs), longestDelayMs);
}

/** What clocks on the wall show, by the time zone data of this machine's Node.js. */
export const systemCivilTime: CivilTime = (at, timeZone) => {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return '1970-01-01T00:00';
  // Formatting is slow, every signal asks for it, and it shows minutes only: since 1972 each zone differs from UTC by whole minutes.
  const minute = Math.floor(at / 60_000);
  if (minute !== latest.minute || timeZone !== latest.timeZone)
    latest = { minute, timeZone, text: formatted(at, timeZone) };
  return latest.text;
};

let latest = { minute: 0, timeZone: 'UTC', text: '1970-01-01T00:00' };

/** The time zone of this process: UTC where its `TZ` names none that this platform knows. */
export function systemTimeZone(): string {
  // The declared type holds for known zones only: of another one Node.js tells undefined.
  const zone: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone ?? 'UTC';
}

function formatted(at: number, timeZone: string): string {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map((part) => [part.type, part.value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '00';
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

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
