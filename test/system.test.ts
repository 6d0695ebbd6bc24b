import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemCivilTime, systemClock, systemIds, systemRandom, systemTimeZone } from '../src/system.ts';

const day = 24 * 60 * 60 * 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  // In this order: a spy restores the timers that it replaced.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Schedules a timer and records after how many milliseconds it ran. */
function scheduled(delayMs: number): { ranAfter: number[]; cancel: () => void } {
  const start = performance.now();
  const ranAfter: number[] = [];
  return { ranAfter, cancel: systemClock.schedule(delayMs, () => void ranAfter.push(performance.now() - start)) };
}

test('the system clock tells the time of the machine', () => {
  vi.setSystemTime(1_234_567);
  expect(systemClock.now()).toBe(1_234_567);
});

test('a timer runs once, when its time has come', () => {
  const timer = scheduled(1_500);
  vi.advanceTimersByTime(1_499);
  expect(timer.ranAfter).toEqual([]);
  vi.advanceTimersByTime(5_000);
  expect(timer.ranAfter).toEqual([1_500]);
});

test('a timer is never early, also where setTimeout is', () => {
  const measured = vi.spyOn(performance, 'now').mockReturnValue(100);
  let runs = 0;
  systemClock.schedule(10, () => (runs += 1));
  measured.mockReturnValue(109.4);
  vi.advanceTimersByTime(10);
  expect(runs).toBe(0);
  measured.mockReturnValue(110);
  vi.advanceTimersByTime(1);
  expect(runs).toBe(1);
});

test('a timer may lie months ahead, and be cancelled late', () => {
  const [kept, cancelled] = [scheduled(60 * day), scheduled(60 * day)];
  vi.advanceTimersByTime(59 * day);
  expect(kept.ranAfter).toEqual([]);
  cancelled.cancel();
  vi.advanceTimersByTime(2 * day);
  expect(kept.ranAfter).toEqual([60 * day]);
  expect(cancelled.ranAfter).toEqual([]);
});

test('a timer does not mind the wall clock being set', () => {
  const timer = scheduled(1_000);
  vi.advanceTimersByTime(500);
  vi.setSystemTime(Date.now() - 60 * 60 * 1_000);
  vi.advanceTimersByTime(499);
  expect(timer.ranAfter).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(timer.ranAfter).toEqual([1_000]);
});

test.each([0, -5, Number.NaN])('a timer of %s ms runs soon, and not within the call', (delayMs) => {
  const timer = scheduled(delayMs);
  expect(timer.ranAfter).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(timer.ranAfter).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('an open timer keeps the process alive, and a cancelled one does not', () => {
  const timeout = vi.spyOn(globalThis, 'setTimeout');
  const timer = scheduled(1_000);
  const handle = timeout.mock.results[0]?.value as NodeJS.Timeout; // The return value of setTimeout in Node.
  expect(handle.hasRef()).toBe(true);
  timer.cancel();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['Asia/Tokyo', Date.UTC(2026, 10, 21, 23, 30), '2026-11-22T08:30'],
  ['America/New_York', Date.UTC(2026, 10, 1, 5, 59), '2026-11-01T01:59'],
  ['America/New_York', Date.UTC(2026, 10, 1, 6, 59), '2026-11-01T01:59'],
  ['Mars/Olympus', Date.UTC(2026, 10, 21, 12), '2026-11-21T12:00'],
  ['UTC', Number.NaN, '1970-01-01T00:00'],
])('a clock on a wall of %s shows at %d: %s', (timeZone, at, shown) => {
  expect(systemCivilTime(at, timeZone)).toBe(shown);
});

test('the zone of a process whose TZ names none is UTC, so that its sessions can be read again', () => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'Mars/Olympus';
  try {
    expect(systemTimeZone()).toBe('UTC');
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
  expect(systemTimeZone()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test('ids tell what they are of, differ, and need no escaping in a URL', () => {
  const ids = Array.from({ length: 1_000 }, () => systemIds.create('req'));
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
});

test('chance lies between 0 and 1, and differs', () => {
  const numbers = Array.from({ length: 100 }, () => systemRandom.next());
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  expect(new Set(numbers).size).toBeGreaterThan(90);
});
