import { describe, expect, test, vi } from 'vitest';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';

/** A clock that starts at 0, and a way to schedule a timer that notes its name and moment. */
function openClock(): { clock: VirtualClock; ran: string[]; note: (name: string, delayMs: number) => () => void } {
  const clock = createVirtualClock(0);
  const ran: string[] = [];
  const note = (name: string, delayMs: number) =>
    clock.schedule(delayMs, () => void ran.push(`${name} at ${clock.now()}`));
  return { clock, ran, note };
}

test('time stands still until it is told to go on', async () => {
  const { clock, ran, note } = openClock();
  note('a', 0);
  await Promise.resolve();
  expect(clock.now()).toBe(0);
  expect(ran).toEqual([]);
});

test('a clock starts on a Monday morning, the same for every test', () => {
  expect(new Date(createVirtualClock().now()).toISOString()).toBe('2030-01-07T09:00:00.000Z');
});

describe('advancing', () => {
  test('runs timers in the order in which they are due, each at its moment, and ends where it was told', async () => {
    const { clock, ran, note } = openClock();
    note('c', 30);
    note('a', 10);
    note('b', 20);
    note('later', 41);
    await clock.advance(40);
    expect(ran).toEqual(['a at 10', 'b at 20', 'c at 30']);
    expect(clock.now()).toBe(40);
    await clock.advance(1);
    expect(ran).toHaveLength(4);
  });

  test('runs timers of one moment in the order of scheduling', async () => {
    const { clock, ran, note } = openClock();
    note('a', 10);
    note('b', 10);
    note('before', 5);
    note('c', 10);
    await clock.advance(10);
    expect(ran).toEqual(['before at 5', 'a at 10', 'b at 10', 'c at 10']);
  });

  test('runs what timers schedule on the way, also at the same moment', async () => {
    const { clock, ran, note } = openClock();
    clock.schedule(10, () => {
      note('same', 0);
      note('later', 5);
      note('beyond', 11);
    });
    note('sibling', 10);
    await clock.advance(20);
    expect(ran).toEqual(['sibling at 10', 'same at 10', 'later at 15']);
  });

  test('runs a timer of no or nonsensical delay at the present moment', async () => {
    const { clock, ran, note } = openClock();
    for (const delayMs of [0, -10, Number.NaN]) note('a', delayMs);
    await clock.advance(0);
    expect(ran).toEqual(['a at 0', 'a at 0', 'a at 0']);
  });

  test('lets a chain of promises end before the next timer', async () => {
    const { clock, ran, note } = openClock();
    clock.schedule(10, () => {
      void (async () => {
        for (let link = 0; link < 1_000; link += 1) await Promise.resolve();
        ran.push(`chain at ${clock.now()}`);
      })();
    });
    note('next', 11);
    await clock.advance(20);
    expect(ran).toEqual(['chain at 10', 'next at 11']);
  });

  test('lets four rounds of the event loop pass before the next timer, and before it begins', async () => {
    const { clock, ran, note } = openClock();
    const afterRounds = (name: string): void => {
      let rounds = 0;
      const next = (): unknown => ((rounds += 1) < 4 ? setImmediate(next) : ran.push(`${name} at ${clock.now()}`));
      setImmediate(next);
    };
    afterRounds('runnable');
    clock.schedule(10, () => afterRounds('timer'));
    note('next', 11);
    await clock.advance(20);
    expect(ran).toEqual(['runnable at 0', 'timer at 10', 'next at 11']);
  });

  test('takes a timer that is scheduled by what was runnable before', async () => {
    const { clock, ran, note } = openClock();
    void Promise.resolve().then(() => note('a', 5));
    await clock.advance(10);
    expect(ran).toEqual(['a at 5']);
  });

  test('passes on what a timer throws, and keeps the others', async () => {
    const { clock, ran, note } = openClock();
    clock.schedule(10, () => {
      throw new Error('broken');
    });
    note('next', 20);
    await expect(clock.advance(30)).rejects.toThrow('broken');
    await clock.advance(30);
    expect(ran).toEqual(['next at 20']);
  });

  test('works while the timers of the process are faked', async () => {
    vi.useFakeTimers();
    const { clock, ran, note } = openClock();
    note('a', 60 * 60 * 1_000);
    await clock.advance(60 * 60 * 1_000);
    vi.useRealTimers();
    expect(ran).toHaveLength(1);
  });
});

describe('cancelling', () => {
  test('takes a timer out, once, and no other', async () => {
    const { clock, ran, note } = openClock();
    note('a', 10);
    const cancel = note('b', 10);
    note('c', 10);
    expect(clock.pending).toBe(3);
    cancel();
    cancel();
    expect(clock.pending).toBe(2);
    await clock.advance(10);
    expect(ran).toEqual(['a at 10', 'c at 10']);
    expect(clock.pending).toBe(0);
  });

  test('works from a timer of the same moment, and does nothing to one that has run', async () => {
    const { clock, ran, note } = openClock();
    const cancelFirst = note('first', 10);
    clock.schedule(10, () => {
      cancelFirst();
      cancelLast();
    });
    const cancelLast = note('last', 10);
    note('kept', 20);
    await clock.advance(20);
    expect(ran).toEqual(['first at 10', 'kept at 20']);
  });
});

describe('going to the next timer', () => {
  test('runs one timer at its moment, and tells when there is none', async () => {
    const { clock, ran, note } = openClock();
    note('a', 1_000_000);
    note('b', 1_000_000);
    note('never', Number.POSITIVE_INFINITY);
    expect(await clock.advanceToNext()).toBe(true);
    expect(ran).toEqual(['a at 1000000']);
    expect(await clock.advanceToNext()).toBe(true);
    expect(await clock.advanceToNext()).toBe(false);
    expect(clock.now()).toBe(1_000_000);
  });

  test('finds a timer that what is runnable schedules', async () => {
    const { clock, note } = openClock();
    void Promise.resolve().then(() => note('a', 5));
    expect(await clock.advanceToNext()).toBe(true);
  });
});

describe('running until a condition holds', () => {
  test('stops at the first timer after which it holds', async () => {
    const { clock, ran, note } = openClock();
    note('a', 10);
    note('b', 20);
    note('c', 30);
    await clock.runUntil(() => ran.length === 2, 1_000);
    expect(clock.now()).toBe(20);
  });

  test('goes nowhere where it holds once what is runnable has settled', async () => {
    const { clock, note } = openClock();
    note('a', 10);
    let isReady = false;
    void Promise.resolve().then(() => (isReady = true));
    await clock.runUntil(() => isReady, 1_000);
    expect(clock.now()).toBe(0);
  });

  test('fails with a code where it does not hold in time, without running what is due later', async () => {
    const { clock, ran, note } = openClock();
    note('a', 100);
    note('late', 101);
    await expect(clock.runUntil(() => false, 100)).rejects.toMatchObject({ code: 'condition-not-met' });
    expect(ran).toEqual(['a at 100']);
  });
});
