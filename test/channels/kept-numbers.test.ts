import { expect, test } from 'vitest';
import { parseFrame } from '../../src/livekit/channels/websocket-frames.ts';
import { lossyNumber } from '../../src/model/ports/lossy-numbers.ts';

test.each([
  ['{"a":[1,-2.5,9007199254740991,1e300,"90071992547409931","\\"90071992547409931"]}', null],
  ['[9007199254740993]', '9007199254740993'],
  ['[-9007199254740993]', '-9007199254740993'],
  ['{"a":"\\\\","b":12345678901234567}', '12345678901234567'],
  // Such numbers are compared to the last digit.
  ['[9007199254740992,1000000000000000000000]', null],
  ['[1e400]', '1e400'],
  [`[${'9'.repeat(400)}]`, '9'.repeat(400)],
])('of the numbers of %s the first that would become another is %s', (json, found) => {
  expect(lossyNumber(json)).toBe(found);
});

test('a text of any length is gone through', () => {
  expect(lossyNumber(`{"a":"${String.raw`x\n`.repeat(2_000_000)}","b":9007199254740993}`)).toBe('9007199254740993');
});

test('a frame of a client whose number would become another is refused', () => {
  expect(parseFrame('{"type":"send","text":"Hello","id":9007199254740993}')).toEqual({
    ok: false,
    message: 'the frame holds a number that would lose digits. Write it as a text, in quotes.',
  });
});
