import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReplyReader } from '../../src/engine/reply/reply-reader.ts';

/** Returns the spoken part of a text that comes in pieces, cut at these positions. */
function read(text: string, cuts: readonly number[] = []) {
  const reader = createReplyReader();
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((one, other) => one - other), text.length];
  const said = places.slice(1).map((place, index) => reader.push(text.slice(places[index] ?? 0, place)));
  return { said: said.join(''), kind: reader.kind, isComplete: reader.isComplete };
}

test('the reply of any JSON object is said as it was meant, however it is cut into pieces', () => {
  const others = fc.dictionary(
    fc.string().filter((key) => key !== 'reply' && key !== '__proto__'),
    fc.jsonValue(),
  );
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(others, text, fc.boolean(), fc.boolean(), fc.array(fc.nat()), (rest, reply, first, isFenced, cuts) => {
      const json = JSON.stringify(first ? { reply, ...rest } : { ...rest, reply }, null, isFenced ? 2 : 0);
      // Escaped or as they are: JSON allows both.
      // oxlint-disable-next-line no-control-regex -- All but ASCII.
      const written = isFenced ? `\`\`\`json\n${json}\n\`\`\`` : json.replace(/[^\x00-\x7f]/g, escaped);
      expect(read(written, cuts)).toEqual({ said: reply, kind: 'json', isComplete: true });
    }),
  );
});

test('what is said grows with what is written', () => {
  const reader = createReplyReader();
  const pieces = ['{"mood":', '"good","re', 'ply": "We op', 'en at \\u00', '39.", "intent"', ':"x"}'];
  expect(pieces.map((piece) => reader.push(piece))).toEqual(['', '', 'We op', 'en at ', '9.', '']);
});

test('a field of that name inside another one, or a second one, is not said', () => {
  expect(read('{"a":{"reply":"no"},"b":[{"reply":"no"}],"c":"reply","reply":"yes","reply":"no"}').said).toBe('yes');
});

test('plain words are said as they are, and a reply that breaks off is not complete', () => {
  expect(read('We open at nine.', [1, 2])).toEqual({ said: 'We open at nine.', kind: 'plain', isComplete: false });
  expect(read('{"reply": "We open')).toEqual({ said: 'We open', kind: 'json', isComplete: false });
  expect(read(' \n ')).toEqual({ said: '', kind: 'empty', isComplete: false });
});

test('any text whatsoever is some reading', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat()), (text, cuts) => void read(`{${text}`, cuts)),
  );
});

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
