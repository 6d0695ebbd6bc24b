import type { Timekeeper } from '../../model/ports/timekeeper.ts';
import type { TestRunner } from '../store/store-runner.ts';
import { createDeliveries, type Deliveries } from './deliveries.ts';
import { startProcess } from './timekeeper-process.ts';

/** The parts of a timekeeper that the suite needs. Times are milliseconds. */
export interface TimekeeperTrial {
  /**
   * The URL of a module that Node can load directly. Its default export opens a timekeeper at a place. The suite calls
   * it in this process and in others, which it kills.
   */
  readonly module: string;
  /**
   * Creates an empty place that several processes share, such as a database, and returns its address. Called once or
   * twice.
   */
  readonly createPlace: () => Promise<string>;
  /** The longest time from a due moment to its delivery, on a busy machine. */
  readonly lateMs: number;
  /** The longest time from the death of a process to the delivery of what it had begun. */
  readonly takeoverMs: number;
}

type Open = (place: string) => Timekeeper | Promise<Timekeeper>;

/**
 * Declares the tests that every timekeeper must pass, in the given test runner. They use real time and real processes:
 * 15 to 40 seconds of waiting, little work. Throws nothing. A timekeeper that breaks a rule fails the test for that rule.
 * @example
 * import { describe, expect, test } from 'vitest'; const module = new URL('my-timekeeper.js', import.meta.url).href;
 * const createPlace = async () => 'postgres://me@localhost/empty'; describeTimekeeper('mine', { module, createPlace,
 * lateMs: 2_000, takeoverMs: 20_000 }, { describe, expect, test });
 */
export function describeTimekeeper(name: string, trial: TimekeeperTrial, runner: TestRunner): void {
  const { describe, test, expect } = runner;
  const { module, lateMs, takeoverMs } = trial;
  let made: Promise<string> | undefined;
  const open = async (place?: string): Promise<Timekeeper> => {
    const { default: openAt } = (await import(module)) as { default: Open }; // The module of the trial.
    return await openAt(place ?? (await (made ??= trial.createPlace())));
  };
  const soon = (): number => Date.now() + 300;
  /** Gives the test a timekeeper, and stops it afterwards. */
  const withOne = (title: string, body: (timekeeper: Timekeeper, came: Deliveries) => Promise<void>): unknown =>
    test(title, async () => {
      const timekeeper = await open();
      try {
        await body(timekeeper, createDeliveries());
      } finally {
        await timekeeper.stop();
      }
    });

  describe(`${name} timekeeper`, () => {
    test('several processes prepare an empty place at once', async () => {
      const place = await trial.createPlace();
      made ??= Promise.resolve(place);
      const processes = [1, 2].map(() => startProcess({ module, place, onDelivery: () => undefined }));
      try {
        await Promise.all(processes.map(({ started }) => started));
      } finally {
        await Promise.all(processes.map((one) => one.kill()));
      }
    });

    withOne('a timer comes when it is due and not before, kept before the start or after it', async (one, came) => {
      const dueAt = soon();
      await one.keep('before', dueAt);
      await one.keep('passed', dueAt - 86_400_000);
      await one.start(async (key) => came.note(key));
      const later = soon();
      await one.keep('after', later);
      await came.each(['before', 'passed', 'after'], lateMs);
      expect((came.of('before')[0] ?? 0) >= dueAt).toBe(true);
      expect((came.of('after')[0] ?? 0) >= later).toBe(true);
    });

    withOne('a name kept twice comes once, and a name kept for two times comes at both', async (one, came) => {
      await one.start(async (key) => came.note(key));
      const dueAt = soon();
      let twice = '';
      // A key that is set again after its delivery is a new timer. On a busy machine the test is repeated with more
      // time.
      for (let [aheadMs, until] = [300, 0]; Date.now() >= until; aheadMs *= 4) {
        twice = `twice ${aheadMs}`;
        until = Date.now() + aheadMs;
        await Promise.all([one.keep(twice, until), one.keep(twice, until)]);
        await one.keep(twice, until);
      }
      await one.keep('moved', Date.now() + 3_600_000);
      await one.keep('moved', dueAt);
      await one.keep('again', dueAt);
      await came.each(['moved', 'again'], lateMs);
      await came.each([twice], 10_000 + lateMs);
      const next = soon();
      await one.keep('again', next);
      await came.each(['again'], lateMs, 2);
      expect(came.of(twice)).toHaveLength(1);
      expect(came.of('moved')).toHaveLength(1);
    });

    withOne('a forgotten name does not come, whatever its key resembles', async (one, came) => {
      const dueAt = soon() + 300;
      const long = 'k'.repeat(399);
      const kept = ['a_c', 'a%c', 'abc', 'a@1', 'a:b/c', `${long}1`, '"quoted\\', 'é 漢 🙂'];
      const forgotten = ['a_b', 'a%', 'a@', 'a', `${long}2`];
      for (const key of [...kept, ...forgotten]) await one.keep(key, dueAt);
      await one.keep('moved', dueAt);
      await one.keep('moved', dueAt + 1);
      for (const key of [...forgotten, 'never kept']) await one.forget(key, dueAt);
      await one.forget('abc', dueAt + 1);
      await one.forget('moved', dueAt);
      await one.start(async (key) => came.note(key));
      await one.keep('last', dueAt + 100);
      await came.each([...kept, 'moved', 'last'], lateMs);
      await one.forget('abc', dueAt);
      expect(forgotten.filter((key) => came.of(key).length > 0)).toEqual([]);
      expect(came.of('moved')).toHaveLength(1);
    });

    withOne('a delivery that threw is made again', async (one, came) => {
      let tries = 0;
      await one.start(async (key) => {
        tries += 1;
        if (tries === 1) throw new Error('not now');
        came.note(key);
      });
      await one.keep('thrown', soon());
      await came.each(['thrown'], lateMs + takeoverMs);
      expect(tries).toBe(2);
    });

    test('a stopped timekeeper delivers nothing; the next one delivers it', async () => {
      const [first, second, came, late] = [await open(), await open(), createDeliveries(), createDeliveries()];
      try {
        await first.start(async (key) => came.note(key));
        await second.keep('while stopping', Date.now() + 400);
        await first.stop();
        const stoppedAt = Date.now();
        await second.keep('while stopped', stoppedAt + 400);
        await second.start(async (key) => late.note(key));
        // On a busy machine the stop takes longer than the first timer.
        const isCome = came.of('while stopping').length > 0;
        await late.each(isCome ? ['while stopped'] : ['while stopping', 'while stopped'], lateMs);
        expect(came.of('while stopping').filter((at) => at > stoppedAt)).toEqual([]);
        expect(came.of('while stopped')).toEqual([]);
      } finally {
        await second.stop();
      }
    });

    withOne('a process whose clock is 5 seconds ahead delivers nothing early', async (one, came) => {
      const place = await (made ?? '');
      const ahead = startProcess({ module, place, aheadMs: 5_000, onDelivery: (key) => came.note(key) });
      try {
        await ahead.started;
        const dueAt = Date.now() + 2_000;
        const keys = ['early 1', 'early 2', 'early 3'];
        for (const key of keys) await one.keep(key, dueAt);
        await came.each(keys, 2_000 + lateMs);
        expect(keys.filter((key) => (came.of(key)[0] ?? 0) < dueAt)).toEqual([]);
      } finally {
        await ahead.kill();
      }
    });

    withOne('another process delivers the work of a killed process', async (one, came) => {
      const begun = createDeliveries();
      const place = await (made ?? '');
      const dying = startProcess({ module, place, hangs: true, onDelivery: (key) => begun.note(key) });
      try {
        await dying.started;
        await one.keep('begun', soon());
        await begun.each(['begun'], lateMs);
        await one.start(async (key) => came.note(key));
      } finally {
        await dying.kill();
      }
      await came.each(['begun'], takeoverMs);
    });
  });
}
