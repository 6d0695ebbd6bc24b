import { expect, test } from 'vitest';
import { typedText } from '../../src/livekit/room/typed-text.ts';

test('an endless typed message is read up to the length of a turn, and its stream is cancelled', async () => {
  let sent = 0;
  let isCancelled = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        sent += 1;
        yield 'ab😀';
      }
    } finally {
      isCancelled = true;
    }
  }
  expect(await typedText(endless(), 10)).toBe('ab😀ab😀ab');
  expect(sent).toBe(3);
  expect(isCancelled).toBe(true);
});

test('a short typed message is read whole', async () => {
  async function* short(): AsyncGenerator<string> {
    yield 'Hello ';
    yield 'there.';
  }
  expect(await typedText(short())).toBe('Hello there.');
});
