import { expect, test } from 'vitest';
import { createHub } from '../../src/engine/hub/create-hub.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

function openHub() {
  const hub = createHub({ clock: createVirtualClock(), ids: createCountingIds() });
  return {
    hub,
    emit: (times: number) => times > 0 && Array.from({ length: times }, () => hub.emit('harness:start', { name: '' })),
  };
}

test('a stream begins when it is asked for, and gives events in order', async () => {
  const { hub, emit } = openHub();
  emit(1);
  const stream = hub.events('*');
  emit(3);
  const heard: number[] = [];
  for await (const event of stream) if (heard.push(event.seq) === 3) break;
  expect(heard).toEqual([2, 3, 4]);
});

test('a stream waits for what has not happened yet, for as many readings as are open', async () => {
  const { hub, emit } = openHub();
  const stream = hub.events('harness:*');
  const open = [stream.next(), stream.next()];
  emit(2);
  expect(await Promise.all(open)).toMatchObject([{ value: { seq: 1 } }, { value: { seq: 2 } }]);
});

test('a stream may begin in the past', async () => {
  const { hub, emit } = openHub();
  emit(3);
  const stream = hub.events('*', { fromSeq: 2 });
  emit(1);
  const heard = [await stream.next(), await stream.next(), await stream.next()];
  expect(heard.map((result) => result.value?.seq)).toEqual([2, 3, 4]);
});

test('a reader that is too slow loses the oldest events, and is told how many', async () => {
  const { hub, emit } = openHub();
  const stream = hub.events('*', { limit: 2 });
  emit(5);
  expect(stream.dropped).toBe(3);
  expect((await stream.next()).value?.seq).toBe(4);
  emit(1);
  expect(stream.dropped).toBe(3);
  expect((await stream.next()).value?.seq).toBe(5);
  expect((await stream.next()).value?.seq).toBe(6);
});

test('a stream keeps 1,000 unread events unless told, and one at least', async () => {
  const { hub, emit } = openHub();
  const [usual, narrow] = [hub.events('*'), hub.events('*', { limit: 0 })];
  emit(1_001);
  expect(usual.dropped).toBe(1);
  expect(narrow.dropped).toBe(1_000);
  expect((await narrow.next()).value?.seq).toBe(1_001);
});

test('a stream ends when its reader leaves: nothing is kept or counted any more', async () => {
  const { hub, emit } = openHub();
  const stream = hub.events('*', { limit: 1 });
  emit(1);
  for await (const event of stream) if (event.seq === 1) break;
  emit(3);
  expect(stream.dropped).toBe(0);
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('ending a stream forgets what is unread, and ends a reading that waits', async () => {
  const { hub, emit } = openHub();
  const [waiting, full] = [hub.events('*'), hub.events('*')];
  const open = waiting.next();
  await waiting.return();
  emit(1);
  await full.return();
  expect(await open).toEqual({ done: true, value: undefined });
  expect(await full.next()).toEqual({ done: true, value: undefined });
});
