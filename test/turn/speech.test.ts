import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSpeechReader } from '../../src/engine/reply/speech-reader.ts';
import { createTemplateReader } from '../../src/engine/reply/template-reader.ts';
import { createThoughtReader } from '../../src/engine/reply/thought-reader.ts';

interface Reader {
  push(written: string): string;
  end(): string;
}

function read(reader: Reader, text: string, size = text.length): string {
  const pieces = text.match(new RegExp(`[^]{1,${Math.max(1, size)}}`, 'gu')) ?? [];
  return [...pieces.map((piece) => reader.push(piece)), reader.end()].join('');
}

const sizes = [1, 2, 3, 7, 1_000];

test.each([
  'Your table is booked for 2 (two) people at 7.30 p.m.',
  'It costs $12.50, or 10,99 € - that is < 15 % more.',
  'If 2 < 3 and 5 > 4, press <Enter> to go on.',
  'Write to ada.park@example.com or <ada_park@example.com>, please.',
  'See <https://example.com/a_b?c=1> and [page 4].',
  'Choose [A] or [B]; the sizes are {small, large} [laughs].',
  'The variable snake_case and the word iPhone, eBay, McDonald(s) and guest(s).',
  'Say <your name> after the tone; type exit() to leave, then f(x) = 2.',
  'Is it O(n)? See section_2 (page 3), and my_file.txt too.',
  'I <3 you. a<b. x << 2. :-[ and ;-) {',
  'Hello <break time="500ms"/> there, <emphasis>now</emphasis>.',
  'Line one\n\n- [ ] is a box\n- done',
  'She said ("really") and left.',
])('ordinary words stay as they are: %s', (text) => {
  const expected = text.replace('[ ] is', 'is');
  for (const size of sizes) expect(read(createSpeechReader(), text, size)).toBe(expected);
});

describe('code is not said', () => {
  test.each([
    ['[]', ''],
    ['{}', ''],
    ['Sure. [] ', 'Sure. '],
    ['{ } One moment.', 'One moment.'],
    ['One [] moment.', 'One moment.'],
    ['get_weather(city="Paris")', ''],
    ['Let me look. get_weather(city="Paris", days=[1, 2])', 'Let me look. '],
    ['Let me look. getWeather({"city": "Paris"}) Done.', 'Let me look. Done.'],
    ['check_stock() One moment.', 'One moment.'],
    ['<answer>It is open.</answer>', 'It is open.'],
    ['<response>\nIt is open.\n</response>', 'It is open.\n'],
    ['It is <b>open</b>.', 'It is open.'],
    ['<tool_response>7</tool_response>', '7'],
    ['It is open.</s>', 'It is open.'],
    ['[INST] It is open. [/INST]', 'It is open. '],
    ['[PAUSE] It is open.', 'It is open.'],
    ['<!-- note --> It is open.', 'It is open.'],
    ['get_weather(city="Par', ''],
  ])('%s', (text, said) => {
    for (const size of sizes) expect(read(createSpeechReader(), text, size)).toBe(said);
  });
});

test('the same text is said the same, however it is cut into pieces', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '<b>',
      '</b>',
      '[]',
      '{}',
      'get_x',
      'getX',
      '(',
      ')',
      'a=1',
      '"',
      ' ',
      '\n',
      'word',
      '<',
      '>',
      '[',
      ']',
      '@',
      '.',
    ),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const text = parts.join('');
      expect(read(createSpeechReader(), text, size)).toBe(read(createSpeechReader(), text));
    }),
    { numRuns: 2_000 },
  );
});

describe('marks of chat templates are not said, nor what they say is not for the caller', () => {
  test.each([
    ['<|im_start|>assistant\nHello there.<|im_end|>', 'Hello there.'],
    ['Hello there.<|im_end|>\n<|im_start|>user\nBook it.<|im_end|>\n', 'Hello there.'],
    ['Hello there.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nyes', 'Hello there.'],
    ['<|start_header_id|>assistant<|end_header_id|>\n\nHello.<|eot_id|>', 'Hello.'],
    [
      '<|channel|>analysis<|message|>They want tea.<|end|><|start|>assistant<|channel|>final<|message|>Tea.<|return|>',
      'Tea.',
    ],
    ['<|channel|>commentary to=functions.pay <|constrain|>json<|message|>{"amount":3}<|call|>', ''],
    ['<|channel|>final<|message|>We open at nine.', 'We open at nine.'],
    ['Hello.<|endoftext|>', 'Hello.'],
    ['<|assistant|>Hello.<|user|>Hi.', 'Hello.'],
    ['<start_of_turn>model\nHello.<end_of_turn>', 'Hello.'],
    ['<s>Hello.</s>', 'Hello.'],
    ['Hello.<｜end▁of▁sentence｜>', 'Hello.'],
    ['One moment.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>pay', 'One moment.'],
    ['[INST] Book it. [/INST] Hello.', ' Hello.'],
    ['<<SYS>>Be brief.<</SYS>>[/INST]Hello.', 'Hello.'],
    ['<|tool_call|>record({})<|/tool_call|>', '<|tool_call|>record({})<|/tool_call|>'],
    ['A <thin> line, [I] see, a < b, <| and <<', 'A <thin> line, [I] see, a < b, <| and <<'],
    ['Start of turn, <start', 'Start of turn, <start'],
  ])('%s', (text, said) => {
    for (const size of sizes) expect(read(createTemplateReader(), text, size)).toBe(said);
  });

  test('the same text gives the same words, however it is cut into pieces', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '<|im_start|>',
        '<|im_end|>',
        '<|channel|>',
        '<|message|>',
        'assistant',
        'user',
        'final',
        'analysis',
      ),
      fc.constantFrom(
        '\n',
        ' ',
        'Hello. ',
        '<',
        '|',
        '>',
        '[',
        '[INST]',
        '[/INST]',
        '<s>',
        '<<SYS>>',
        '<start_of_turn>',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const text = parts.join('');
        expect(read(createTemplateReader(), text, size)).toBe(read(createTemplateReader(), text));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a thought that ends without having begun', () => {
  test('is not said as far as nothing of it was given out, and its mark never is', () => {
    for (const size of sizes) {
      const said = read(createThoughtReader(), 'They want tea.</think>\n\nTea it is.', size);
      expect(said).not.toMatch(/think|<|>/);
      expect(said.endsWith('Tea it is.')).toBe(true);
    }
    expect(read(createThoughtReader(), 'They want tea.</think>\n\nTea it is.')).toBe('Tea it is.');
  });

  test.each([
    ['They want jam.</think> Jam it is.', 'Jam it is.'],
    ['Jam it is.', 'Jam it is.'],
    ['Hm.<think>no</think> Hm.</think>Jam.', 'Jam.'],
  ])('is held back where the model is known to do so: %s', (text, said) => {
    for (const size of sizes) expect(read(createThoughtReader({ isInThought: true }), text, size)).toBe(said);
  });
});
