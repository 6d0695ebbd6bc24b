import { expect, it } from 'vitest';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { createPlaces } from '../../src/worker/calls/places.ts';

const forgetAfterMs = 60_000;
const never = (): Promise<void> => new Promise(() => undefined);

it('a call that is promised a place is counted before its process runs', async () => {
  const places = createPlaces(2, () => ['running'], createVirtualClock(), forgetAfterMs);
  void places.give('first', never);
  expect(places.taken()).toBe(2);
  expect(await places.give('second', never)).toBe(false);
});

it('a promise holds until the job runs, also where fetching it resolves before that', async () => {
  const clock = createVirtualClock();
  const running: string[] = [];
  const places = createPlaces(1, () => running, clock, forgetAfterMs);
  expect(await places.give('first', () => Promise.resolve())).toBe(true);
  await clock.advance(10_000);
  expect(await places.give('second', () => Promise.resolve())).toBe(false);
  running.push('first');
  await clock.advance(1_000);
  running.pop();
  expect(await places.give('third', () => Promise.resolve())).toBe(true);
});

it('a job that is promised and already runs takes one place', () => {
  const places = createPlaces(2, () => ['first'], createVirtualClock(), forgetAfterMs);
  void places.give('first', never);
  expect(places.taken()).toBe(1);
});

it('a place is free again when the call could not be fetched', async () => {
  const places = createPlaces(1, () => [], createVirtualClock(), forgetAfterMs);
  await expect(places.give('first', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(places.taken()).toBe(0);
});

it('a promise that the server never comes back to is forgotten in time', async () => {
  const clock = createVirtualClock();
  const places = createPlaces(1, () => [], clock, forgetAfterMs);
  void places.give('first', never);
  await clock.advance(forgetAfterMs - 1);
  expect(places.taken()).toBe(1);
  await clock.advance(1);
  expect(places.taken()).toBe(0);
});
