import { expect, test } from 'vitest';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { createSilence } from '../../src/engine/reply/inference.ts';

test('a silence is told when it is too long, counted from what was heard last, by one timer', async () => {
  const clock = createVirtualClock();
  const silences: number[] = [];
  const began = clock.now();
  const silence = createSilence(clock, () => silences.push(clock.now() - began));
  silence.listen(1_000);
  for (let word = 0; word < 5; word += 1) {
    await clock.advance(300);
    silence.heard();
    silence.listen(1_000);
    expect(clock.pending).toBe(1);
  }
  await clock.advance(5_000);
  expect(silences).toEqual([2_500]);
  expect(clock.pending).toBe(0);
});

test('what was heard or ended is no silence', async () => {
  const clock = createVirtualClock();
  const silence = createSilence(clock, () => expect.unreachable());
  silence.listen(1_000);
  silence.heard();
  await clock.advance(2_000);
  silence.listen(1_000);
  silence.end();
  expect(clock.pending).toBe(0);
});

test('whoever sets the clock of the machine neither hurries a silence nor loses it', async () => {
  for (const setBy of [3_600_000, -3_600_000]) {
    const clock = createVirtualClock();
    let offset = 0;
    const silences: number[] = [];
    const shifted = { now: () => clock.now() + offset, schedule: clock.schedule.bind(clock) };
    const began = clock.now();
    const silence = createSilence(shifted, () => silences.push(clock.now() - began));
    silence.listen(1_000);
    await clock.advance(900);
    silence.heard();
    silence.listen(1_000);
    offset = setBy;
    await clock.advance(5_000);
    expect(silences).toEqual([2_000]);
  }
});
