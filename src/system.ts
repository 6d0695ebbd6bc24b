import { createCipheriv, createDecipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Seals } from './model/ports/seals.ts';
import type { CivilTime, Clock, Ids, Random } from './model/ports/time.ts';

/**
 * The machine's clock. Timers use the monotonic clock, so that changing the wall clock does not affect them.
 * An open timer keeps the process alive: cancel it if it no longer matters.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, task) {
    const due = performance.now() + delayMs;
    let timer = setTimeout(arrive, delayWithin(delayMs));
    return () => clearTimeout(timer);

    function arrive(): void {
      const leftMs = due - performance.now();
      // setTimeout may fire a fraction of a millisecond early, and has a maximum delay.
      if (leftMs > 0) timer = setTimeout(arrive, delayWithin(leftMs));
      else task();
    }
  },
};

/** Random numbers without a seed; not for secrets. */
export const systemRandom: Random = { next: () => Math.random() };

/** Ids such as `req_0f8fad5bd9cb469fa16570867728950e`: 122 random bits, hard to guess. */
export const systemIds: Ids = { create: (prefix) => `${prefix}_${randomUUID().replaceAll('-', '')}` };

// setTimeout replaces a longer delay by 1 ms.
const longestDelayMs = 2 ** 31 - 1;

function delayWithin(delayMs: number): number {
  return Math.min(Math.ceil(delayMs), longestDelayMs);
}

/** Returns the local time of a zone, by the time zone data of this machine's Node.js. */
export const systemCivilTime: CivilTime = (at, timeZone) => {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return '1970-01-01T00:00';
  // Cached per minute, because formatting is slow and every signal needs it. Since 1972 each zone differs from UTC by whole minutes.
  const minute = Math.floor(at / 60_000);
  if (minute !== latest.minute || timeZone !== latest.timeZone)
    latest = { minute, timeZone, text: formatted(at, timeZone) };
  return latest.text;
};

let latest = { minute: 0, timeZone: 'UTC', text: '1970-01-01T00:00' };

/** Returns the time zone of this process; UTC if its `TZ` is unknown to this platform. */
export function systemTimeZone(): string {
  // The declared type is correct for known zones only: for others Node.js returns undefined.
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
  // Zones come from the configuration. The limit only protects against hostile input.
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
    return undefined; // The platform does not know this zone.
  }
}

/** Replaces a missing secret: values sealed with it can only be opened by this process. */
const secretOfProcess = randomBytes(32);

/**
 * Seals values with AES-256-GCM. `secret` is any text of at least 16 characters; without it, another process cannot
 * open the values.
 */
export function systemSeals(secret: string | undefined): Seals {
  const key = secret === undefined ? secretOfProcess : createHash('sha256').update(secret).digest();
  return {
    seal(value, sessionId) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(sessionId));
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, sessionId) {
      const bytes = Buffer.from(sealed, 'base64url');
      const textAt = nonceBytes + tagBytes;
      try {
        const plain = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
          .setAAD(Buffer.from(sessionId))
          .setAuthTag(bytes.subarray(nonceBytes, textAt));
        const text = Buffer.concat([plain.update(bytes.subarray(textAt)), plain.final()]).toString('utf8');
        return JSON.parse(text) as ReturnType<Seals['open']>; // Sealed by `seal`.
      } catch {
        return undefined;
      }
    },
  };
}

const nonceBytes = 12;
const tagBytes = 16;
