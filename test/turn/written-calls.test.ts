import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createThoughtReader } from '../../src/engine/reply/thought-reader.ts';
import { createWrittenCallReader } from '../../src/engine/reply/written-call-reader.ts';

const names = new Set(['record', 'book', 'end_call', 'record_all']);

/** Returns the spoken text and the calls of a text that comes in these pieces. */
function readPieces(pieces: readonly string[], most = 4_000) {
  const reader = createWrittenCallReader(names, most);
  const read = [...pieces.map((piece) => reader.push(piece)), reader.end()];
  return {
    text: read.map(({ text }) => text).join(''),
    calls: read.flatMap(({ calls }) => calls.map(({ source: _, ...call }) => call)),
  };
}

const read = (text: string) => readPieces([text]);

const recordsAda = [{ name: 'record', rawArguments: '{"full_name":"Ada (Park)"}' }];
const args = '{"full_name":"Ada (Park)"}';

describe('a call that is written out is read as one, and not said', () => {
  test.each([
    ['as code', `record(${args})`],
    ['with a place before its name', `functions.record(${args})`],
    ['without brackets', `record ${args}`],
    ['by keywords', 'record(full_name="Ada (Park)")'],
    ['in a list', `[record(${args})]`],
    ['as JSON', `{"name": "record", "arguments": ${args}}`],
    ['as JSON with parameters', `{"type":"function","name":"record","parameters":${args}}`],
    ['with arguments as text', JSON.stringify({ name: 'record', arguments: args })],
    ['as a provider sends it', `{"id":"1","type":"function","function":{"name":"record","arguments":${args}}}`],
    ['in a list of calls', `{"tool_calls":[{"function":{"name":"record","arguments":${args}}}]}`],
    ['under its own name', `{"record":${args}}`],
    ['in marks', `<tool_call>\n{"name": "record", "arguments": ${args}}\n</tool_call>`],
    ['in marks that are not closed', `<tool_call>{"name":"record","arguments":${args}}`],
    ['in marks with its name', `<function=record>${args}</function>`],
    ['in marks of another kind', `<|tool_call|>record(${args})<|/tool_call|>`],
    ['in brackets', `[TOOL_CALLS] [{"name":"record","arguments":${args}}]`],
    ['in a fence', `\`\`\`json\n{"name":"record","arguments":${args}}\n\`\`\``],
    ['in a fence of no language', `\`\`\`\nrecord(${args})\n\`\`\``],
    ['between backticks', `\`record(${args})\``],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual({ text: '', calls: recordsAda });
  });

  test('beside words, which are said, and beside another one', () => {
    const text = `Thank you. record(${args})\nend_call() <tool_call>{"name":"book","arguments":{}}</tool_call> Bye.`;
    const calls = [...recordsAda, { name: 'end_call', rawArguments: '{}' }, { name: 'book', rawArguments: '{}' }];
    expect(read(text)).toEqual({ text: 'Thank you. Bye.', calls });
  });

  test('with every kind of value behind keywords', () => {
    const text = `book(day='Friday', count=2, agreed=True, note=None, tags=["a", "b"])`;
    const { calls } = read(text);
    expect(calls.map(({ rawArguments }) => JSON.parse(rawArguments) as unknown)).toEqual([
      { day: 'Friday', count: 2, agreed: true, note: null, tags: ['a', 'b'] },
    ]);
  });

  test('also of a function that nobody knows, which then is refused as any other', () => {
    expect(read('{"name":"pay","arguments":{}}').calls).toEqual([{ name: 'pay', rawArguments: '{}' }]);
  });
});

describe('what was meant as a call and cannot be made is not said', () => {
  test.each([
    ['it breaks off', 'record({"full_name": "Ad'],
    ['its marks break off', 'One. <tool_call>{"name": "rec'],
    ['a mark breaks off', '<tool_ca ll'],
    ['it gives values without names', 'record("Ada")'],
    ['a key stands twice', '{"name":"book","arguments":{"day":1,"day":2}}'],
    ['a number would lose digits', '{"name":"book","arguments":{"day":12345678901234567}}'],
    ['it is no JSON', "{'name': 'record', 'arguments': {}}"],
    ['it is written in XML', '<function=record><parameter=full_name>Ada</parameter></function>'],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual({ text: text.startsWith('One.') ? 'One. ' : '', calls: [] });
  });

  test('it is longer than a call may be', () => {
    expect(readPieces([`record({"full_name":"${'a'.repeat(100)}"}) And more.`], 50)).toEqual({ text: '', calls: [] });
  });
});

test.each([
  'Shall I record that, or book it (for Friday)?',
  'Please record (in your words) what happened; a record = {a thing}.',
  'If 2 < 3 and {x} holds, press [1] or <enter>.',
  '{"name":"Ada","age":3}',
  '{"reply":"We open at nine."}',
  'Use `record` or ```python\nprint(1)\n```',
  'the unrecorded record',
  'record',
  '<',
  '{"na',
  '```js',
])('words stay as they are: %s', (text) => {
  expect(read(text)).toEqual({ text, calls: [] });
});

test('words are not held back: only what may still be a call waits for what follows', () => {
  const reader = createWrittenCallReader(names, 4_000);
  const pieces = ['Shall ', 'I rec', 'ord ', 'that', ' {"', 'a"', ' or <', 'h', '> boo', 'k', 'ed', '?'];
  expect(pieces.map((piece) => reader.push(piece).text)).toEqual([
    ...['Shall ', 'I ', '', 'record that', ' ', '{"a"', ' or ', '<h', '> ', '', 'booked', '?'],
  ]);
});

test('the same text gives the same words and calls, however it is cut into pieces', () => {
  const part = fc.oneof(
    fc.constantFrom(
      ...['record', 'record_all', 'functions.', '(', ')', '{', '}', '[', ']', '"', "'", ':', ',', ' ', '\n', '=', '\\'],
      ...['```', '`', 'json', '<', '>', '/', '|', '<tool_call>', '</tool_call>', '<function=record>', '[TOOL_CALLS]'],
      ...[`record(${args})`, `{"name":"record","arguments":${args}}`, '"name"', '"arguments"', 'name', 'Hello. ', 'x'],
    ),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }), (parts, cuts) => {
      const text = parts.join('');
      const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((place, index) => text.slice(places[index] ?? 0, place));
      expect(readPieces(pieces)).toEqual(read(text));
      expect(readPieces([...text])).toEqual(read(text));
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['<think>Is it nine? record({})</think>\n\nWe open at nine.', 'We open at nine.'],
  ['We open <Thinking>hm < 5</Thinking> at nine.', 'We open at nine.'],
  ['We open.<think>And they', 'We open.'],
  ['We<think>hm</think> open.\n<think>hm</think>\n', 'We open.\n'],
  ['A <thin> line, and I <think', 'A <thin> line, and I <think'],
])('what a model only thinks is no word of it, however it is cut: %s', (text, words) => {
  for (const size of [1, 2, 3, 7, text.length]) {
    const reader = createThoughtReader();
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect([...pieces.map((piece) => reader.push(piece)), reader.end()].join('')).toBe(words);
  }
});
