import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { digitsOf } from '../../../src/language/english/numbers/spoken-numbers.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { type ConversationItem, createConversation } from '../../../src/offline/brain/conversation.ts';
import { cpuSecondsOf } from '../../cpu.ts';
import { tries } from '../../tries.ts';
import { decide } from '../../../src/offline/brain/offline-brain.ts';
import type { BrainTool } from '../../../src/offline/brain/schema.ts';

const plainNames = ['day', 'time', 'full_name', 'people', 'size', 'order_number', 'phone', 'email', 'note', 'sizes'];
const oddNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'record',
  'a b',
  'ß',
  'day',
  'full_name',
  'orderNumber',
];
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...plainNames) },
  fc.constantFrom(...oddNames),
  fc.string({ maxLength: 12 }),
);
const words = fc.constantFrom(
  ...`yes no not please I'm my name is Ann Lee Tuesday at ten four or and the large small blue pizza cancel book a table for people
  stop agree wrong what when , . ? December third 1984 415 555 2671 number AB1234 sorry wait actually it's from to until hurt human`.split(
    /\s+/,
  ),
);
const phrases = fc.constantFrom(
  ...`yes|no|no thanks|I'm Ann Lee|on Tuesday|December third 1984|December third|at ten|four|for six people|small please|the large one
  |my number is 415 555 2671|it is 4711|order number 4711|AB 12 34|I want to book a table|can I talk to a human|that is wrong|I agree
  |I refuse|I don't know|no wait, Wednesday|small or large|what?|ann dot lee at example dot com|two adults and three kids|stop|it hurts
  |never mind|whatever you say|last week|next Friday at half past seven pm|I was born on May 4th 1990|one or two|not small|yes I have|never
  |actually make it five|the peanuts are a problem|my name is Bob Stone|from Monday to Friday|call me at noon`
    .split('|')
    .map((phrase) => phrase.trim()),
);
const speech = fc.oneof(
  phrases,
  fc.array(words, { maxLength: 25 }).map((list) => list.join(' ')),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const description = fc.oneof(
  fc.constantFrom(
    'The caller agrees.',
    'The caller refuses or wants to stop.',
    'The caller does not know the number.',
    'Book a table.',
    'What is your name?',
    'How many people?',
    'Which day, YYYY-MM-DD.',
    'small: little, tiny. large: big.',
    'Call this when the user wants a human, an operator or, failing that, a note.',
  ),
  speech,
);
const question = fc.oneof(
  fc.constantFrom(
    'What is your name?',
    'Which day?',
    'What time would you like?',
    'How many people?',
    'Small or large?',
    'What is the order number?',
    'Shall I book a table?',
    'Ann, is that right?',
    'Could you tell me your email address?',
  ),
  speech,
);
const property: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object'), description }),
  fc.record({
    type: fc.constant('string'),
    format: fc.constantFrom('date', 'time', 'email', 'phone', 'uri', 'date-time'),
    description,
  }),
  fc.record({ type: fc.constant('string'), enum: fc.constant(['small', 'large', 'yes']), description }),
  fc.record({
    type: fc.constant('integer'),
    minimum: fc.integer({ min: 0, max: 5 }),
    maximum: fc.constant(6),
    description,
  }),
  fc.record({ type: fc.constant('string'), pattern: fc.constant('^\\d{4}$'), description }),
  fc.record({
    type: fc.constant('array'),
    items: fc.constant({ type: 'string', enum: ['small', 'large'] }),
    description,
  }),
  fc.constant({ anyOf: [{ type: 'integer' }, { type: 'null' }] }),
  fc.constant({}),
);
const toolName = fc.oneof(
  { weight: 2, arbitrary: fc.constant('record') },
  fc.constantFrom('start', 'book_table', 'refuse'),
  name,
);
const tool: fc.Arbitrary<BrainTool> = fc
  .tuple(toolName, description, fc.array(fc.tuple(name, property, fc.boolean()), { maxLength: 4 }))
  .map(([called, about, members]) => ({
    name: called,
    description: about,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(members.map(([key, schema]) => [key, schema])),
      required: members.flatMap(([key, , required]) => (required && called !== 'record' ? [key] : [])),
      additionalProperties: false,
    },
  }));
const item: fc.Arbitrary<ConversationItem> = fc.oneof(
  fc.record({ type: fc.constantFrom('caller', 'agent'), text: speech }),
  fc.record({ type: fc.constant('call'), name, arguments: fc.constant('{}') }),
  fc.record({
    type: fc.constant('output'),
    name,
    text: fc.oneof(fc.json({ maxDepth: 3 }), speech, fc.constant('{"rejected":{"day":"must be after today"}}')),
    isError: fc.boolean(),
  }),
);
const instructions = fc.oneof(
  speech,
  fc.constantFrom(
    'Be brief.\n\nAsk what time they want.\n\nIt is Saturday, 2026-11-21, 12:00.\n\nKnown so far:\n- day: 2026-12-01\n- full_name: Ann (not confirmed yet)\n\nNot known yet: orderNumber, toString. Ask for the first of them.',
  ),
);

const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, ownProperties: true });

const scene = fc
  .tuple(fc.array(item, { maxLength: 4 }), question, speech, fc.boolean())
  .map(([before, asked, answer, isAnswered]): ConversationItem[] =>
    isAnswered ? [...before, { type: 'agent', text: asked }, { type: 'caller', text: answer }] : before,
  );

test('whatever the functions and the words are, the answer is always the same, and its arguments fit the schema', () => {
  fc.assert(
    fc.property(fc.array(tool, { maxLength: 4 }), instructions, scene, (tools, prompt, items) => {
      expectGrounded(tools, prompt, items);
    }),
    { numRuns: tries(1_000) },
  );
});

const plainFields: Readonly<Record<string, JsonObject>> = {
  day: { type: 'string', format: 'date', description: 'Which day?' },
  birth_date: { type: 'string', format: 'date', description: 'When were you born?' },
  time: { type: 'string', format: 'time', description: 'What time would you like?' },
  full_name: { type: 'string', description: 'What is your name?' },
  people: { type: 'integer', minimum: 1, maximum: 8, description: 'How many people?' },
  kids: { type: 'integer', description: 'How many children?' },
  size: {
    type: 'string',
    enum: ['small', 'large', 'other'],
    description: 'Small or large? small: little. large: big.',
  },
  order_number: { type: 'string', pattern: '^\\d{4}$', description: 'What is the order number?' },
  phone: { type: 'string', format: 'phone', description: 'Which phone number can we reach you on?' },
  email: { type: 'string', format: 'email', description: 'Could you tell me your email address?' },
  note: { type: 'string', description: 'Is there anything else we should know?' },
  again: { type: 'boolean', description: 'Have you been here before?' },
};
const fieldNames = fc.uniqueArray(fc.constantFrom(...Object.keys(plainFields)), { minLength: 1, maxLength: 6 });
const functionNames = fc.constantFrom('record', 'book_table', 'find_order');

test('no value is made up: each was said in words that say it', () => {
  let values = 0;
  fc.assert(
    fc.property(
      fieldNames,
      functionNames,
      fc.boolean(),
      fc.array(phrases, { minLength: 1, maxLength: 3 }),
      fc.array(phrases, { maxLength: 1 }),
      (names, called, isStrict, answer, earlier) => {
        const properties = Object.fromEntries(names.map((key) => [key, plainFields[key] ?? {}]));
        const required = isStrict && called !== 'record' ? names.slice(0, 2) : [];
        const offered: BrainTool[] = [
          { name: called, description: 'Book a table.', parameters: { type: 'object', properties, required } },
          { name: 'stop', description: 'The caller refuses.', parameters: { type: 'object', properties: {} } },
        ];
        const question = plainFields[names[0] ?? '']?.['description'] as string;
        const before: ConversationItem[] = earlier.flatMap((text) => [
          { type: 'agent', text: 'Which day?' } as const,
          { type: 'caller', text } as const,
        ]);
        const items: ConversationItem[] = [
          ...before,
          { type: 'agent', text: question },
          { type: 'caller', text: answer.join(', ') },
        ];
        values += expectGrounded(offered, '', items);
      },
    ),
    { numRuns: 500 },
  );
  // With hardly any arguments, the property would show nothing.
  expect(values).toBeGreaterThan(40);
});

/** Checks an answer and returns the number of its values. */
function expectGrounded(tools: readonly BrainTool[], prompt: string, items: readonly ConversationItem[]): number {
  const offered = [...new Map(tools.map((each) => [each.name, each])).values()];
  const conversation = createConversation(prompt, items, { now: '2026-11-21T12:00', region: 'US' });
  const decision = decide(offered, conversation);
  expect(decision).toEqual(decide(offered, conversation));
  const said = items.flatMap((each) => (each.type === 'caller' ? [each.text] : [])).join(' ');
  // "Four seven one one" says 4711.
  const sources = letters(`${said} ${prompt} ${digitsOf(said)}`);
  let values = 0;
  for (const call of decision.calls) {
    const called = offered.find((each) => each.name === call.name);
    expect(called).toBeDefined();
    // Ajv leaves out a property of this name and then refuses it as unknown.
    const isValid =
      Object.hasOwn(call.arguments, '__proto__') || ajv.validate(called?.parameters ?? {}, call.arguments);
    expect(isValid, ajv.errorsText()).toBe(true);
    for (const [key, value] of Object.entries(call.arguments)) {
      values += 1;
      // A known value need not be said again.
      if (!prompt.includes(`- ${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`))
        expectSaid(value, schemaOf(called, key), said, sources);
    }
  }
  return values;
}

/** A text must occur in the caller's words. A number, a year and a day must be said in words for them. */
function expectSaid(value: unknown, schema: JsonObject, said: string, sources: string): void {
  if (Object.hasOwn(schema, 'enum') || Object.hasOwn(schema, 'items') || typeof value === 'boolean') return;
  if (typeof value === 'number')
    expect([...(numberWords[value] ?? []), String(value)].some((word) => said.includes(word))).toBe(true);
  else if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) {
    expect(said).toMatch(/day\b|December|third|May 4th|week|tomorrow/i);
    // Only a coming day may be said without its year.
    if (!/^202[67]/.test(value)) expect(said).toContain(value.slice(0, 4));
  } else if (typeof value === 'string' && /^\d\d:\d\d/.test(value))
    expect(said).toMatch(/\d|ten|four|five|six|noon|half past/i);
  else if (typeof value === 'string')
    for (const word of value.split(/[\s@.+-]+/)) expect(sources).toContain(letters(word).replace(/^1(?=\d{10})/, ''));
}

const numberWords: Readonly<Record<number, readonly string[]>> = {
  1: ['one', 'a '],
  2: ['two'],
  3: ['three'],
  4: ['four'],
  5: ['five'],
  6: ['six'],
  7: ['seven'],
  8: ['eight'],
  10: ['ten'],
};

function schemaOf(called: BrainTool | undefined, key: string): JsonObject {
  const properties = called?.parameters['properties'] as Readonly<Record<string, JsonObject>> | undefined;
  return properties !== undefined && Object.hasOwn(properties, key) ? (properties[key] ?? {}) : {};
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '');
}

test('long speech is answered in no more than proportionate time', () => {
  const tools: BrainTool[] = ['day', 'back', 'count', 'more', 'order_number'].map((key) => ({
    name: `take_${key}`,
    description: `The caller gives the ${key}.`,
    parameters: {
      type: 'object',
      properties: { [key]: { type: key === 'count' || key === 'more' ? 'integer' : 'string' } },
      required: [key],
    },
  }));
  const seconds = (text: string): number => {
    const items: ConversationItem[] = [
      { type: 'agent', text: 'How many?' },
      { type: 'caller', text },
    ];
    return cpuSecondsOf(() => decide(tools, createConversation('', items, { now: '2026-11-21T12:00', region: 'US' })));
  };
  for (const piece of ['one and two, ', 'A B ', '1 ', '"', 'not ', 'from to ', 'order number 12 ', ' ', 'a,', '- '])
    expect(seconds(piece.repeat(Math.ceil(4_000 / piece.length))), piece).toBeLessThan(10);
});
