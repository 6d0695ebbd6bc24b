import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/events/json.ts';
import { type ConversationItem, createConversation } from '../../../src/session/brain/conversation.ts';
import { decide } from '../../../src/session/brain/offline-brain.ts';
import type { BrainTool } from '../../../src/session/brain/schema.ts';

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
const name = fc.oneof(fc.constantFrom(...oddNames), fc.string({ maxLength: 12 }));
const words = fc.constantFrom(
  ...`yes no not please I'm my name is Ann Lee Tuesday at ten four or and the large small blue pizza cancel book a table for people
  stop agree wrong what when , . ? December third 1984 415 555 2671 number AB1234 sorry wait actually it's from to until hurt human`.split(
    /\s+/,
  ),
);
const speech = fc.oneof(
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
const tool: fc.Arbitrary<BrainTool> = fc
  .tuple(name, description, fc.array(fc.tuple(name, property, fc.boolean()), { maxLength: 4 }))
  .map(([toolName, about, members]) => ({
    name: toolName,
    description: about,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(members.map(([key, schema]) => [key, schema])),
      required: members.flatMap(([key, , required]) => (required ? [key] : [])),
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
    'Be brief.\n\nAsk what time they want.\n\nToday is 2026-11-21.\n\nKnown so far:\n- day: 2026-12-01\n- full_name: Ann (not confirmed yet)\n\nStill to find out here:\n- orderNumber\n- toString (optional)',
  ),
);

const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false });

test('whatever the functions and the words are, there is an answer, and its arguments fit the schema and the words', () => {
  fc.assert(
    fc.property(
      fc.array(tool, { maxLength: 4 }),
      instructions,
      fc.array(item, { maxLength: 6 }),
      (tools, prompt, items) => {
        const offered = [...new Map(tools.map((each) => [each.name, each])).values()];
        const conversation = createConversation(prompt, items, { now: '2026-11-21T12:00', region: 'US' });
        const decision = decide(offered, conversation);
        expect(decision).toEqual(decide(offered, conversation));
        expect(decision.calls.length > 0 || decision.text !== '').toBe(true);
        const said = items
          .flatMap((each) => (each.type === 'call' || each.type === 'output' ? [] : [each.text]))
          .join(' ');
        const sources = letters(`${said} ${prompt}`);
        for (const call of decision.calls) {
          const called = offered.find((each) => each.name === call.name);
          expect(called).toBeDefined();
          const isValid = ajv.validate(called?.parameters ?? {}, call.arguments);
          expect(isValid, ajv.errorsText()).toBe(true);
          for (const [key, value] of Object.entries(call.arguments))
            expectSaid(value, schemaOf(called, key), said, sources);
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

/** A text is in the caller's own words; a date or a number was said in words that say dates or numbers. */
function expectSaid(value: unknown, schema: JsonObject, said: string, sources: string): void {
  const isChoice = Object.hasOwn(schema, 'enum') || Object.hasOwn(schema, 'items');
  if (
    typeof value === 'string' &&
    !Object.hasOwn(schema, 'format') &&
    !isChoice &&
    !/^\d{4}-\d\d-\d\d|^\d\d:\d\d|^\+\d/.test(value)
  )
    for (const word of value.split(/[\s-]+/)) expect(sources).toContain(letters(word));
  else if (typeof value === 'number' || (typeof value === 'string' && !isChoice))
    expect(`${said} ${sources}`).toMatch(/\d|ten|four|third|one|two|tuesday|december|today|a\b/i);
}

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
  const time = (text: string): number => {
    const items: ConversationItem[] = [
      { type: 'agent', text: 'How many?' },
      { type: 'caller', text },
    ];
    const begin = performance.now();
    decide(tools, createConversation('', items, { now: '2026-11-21T12:00', region: 'US' }));
    return performance.now() - begin;
  };
  for (const piece of ['one and two, ', 'A B ', '1 ', '"', 'not ', 'from to ', 'order number 12 ', ' ', 'a,', '- '])
    expect(time(piece.repeat(Math.ceil(4_000 / piece.length))), piece).toBeLessThan(1_500);
});
