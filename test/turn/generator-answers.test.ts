import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineFlow } from '../../src/flow/document/define.ts';
import type { FlowContext, FlowYield } from '../../src/flow/document/generator.ts';
import { ask, interrupt, say, tool } from '../../src/flow/document/generator-yields.ts';
import { noon } from '../kernel/session.ts';
import { type Completion, talk } from './generator-rig.ts';

/** A flow that asks one question and says the answer. */
function asking(question: Parameters<typeof ask>[0]) {
  return defineFlow(async function* asking() {
    const answer: unknown = yield* ask(question);
    yield* say(`Got ${JSON.stringify(answer)}.`);
    yield* ask({ key: 'more', text: 'More?' });
  });
}

describe('What a question is answered with', () => {
  it.each([
    ['a whole number', 'about seven', { key: 'a', text: '?', type: 'integer' }, 7],
    ['a yes', 'yeah sure', { key: 'a', text: '?', type: 'boolean' }, true],
    ['a date', 'the third of March', { key: 'a', text: '?', type: 'date', after: 'today' }, '2027-03-03'],
    [
      'a phone number',
      'four one five, five five five, oh one two three',
      { key: 'a', text: '?', type: 'phone' },
      '+14155550123',
    ],
    [
      'a value by another word',
      'the little one',
      { key: 'a', text: '?', type: 'enum', values: { small: ['little'], large: [] } },
      'small',
    ],
    ['a number of a zod schema', 'seven', { key: 'a', text: '?', schema: z.number().int() }, 7],
    ['a no of a zod schema', 'no thanks', { key: 'a', text: '?', schema: z.boolean() }, false],
    ['a value of a zod schema', 'coffee please', { key: 'a', text: '?', schema: z.enum(['tea', 'coffee']) }, 'coffee'],
    ['a text of a zod schema', 'green', { key: 'a', text: '?', schema: z.string().min(2) }, 'green'],
    [
      'a date that a zod schema transforms',
      'March 3rd 2027',
      { key: 'a', text: '?', schema: z.iso.date().transform((day) => ({ day })) },
      { day: '2027-03-03' },
    ],
  ] as const)('%s is read out of “%s” without an inference', async (_what, words, question, value) => {
    const call = await talk(asking(question));
    await call.says(words);
    expect(call.said.slice(1)).toEqual([`Got ${JSON.stringify(value)}.`, 'More?']);
    expect(call.inferences).toBe(0);
  });

  it('a time is read within its bounds, and one outside of them gets the reason without an inference', async () => {
    const question = { key: 'a', text: 'When?', type: 'time', after: '17:00', before: '22:00' } as const;
    const call = await talk(asking(question));
    await call.says("Ten o'clock");
    expect(call.said.at(-1)).toBe('It must be before 10:00 PM. When?');
    await call.says('nine');
    expect(call.said).toContain('Got "21:00".');
    expect(call.inferences).toBe(0);
  });

  it('where the rules find nothing, one inference hands the answer over, in silence', async () => {
    const call = await talk(asking({ key: 'a', text: 'When were you born?', type: 'date', before: 'today' }), {
      model: [{ answer: '1989-11-09' }],
    });
    await call.says('The day the wall came down');
    expect(call.said.slice(1)).toEqual(['Got "1989-11-09".', 'More?']);
    expect(call.inferences).toBe(1);
    expect(call.engine.state.knowledge.variables).toEqual({ a: '1989-11-09' });
  });

  it('an object of a zod schema comes from one inference, and is what the schema makes of it', async () => {
    const count = z.number().transform((dozens) => dozens * 12);
    const schema = z.object({ size: z.enum(['s', 'l']), count });
    const call = await talk(asking({ key: 'order', text: 'What would you like?', schema }), {
      model: [{ answer: { size: 'l', count: 2 } }],
    });
    await call.says('two dozen large ones');
    expect(call.said.slice(1)).toEqual(['Got {"size":"l","count":24}.', 'More?']);
  });

  it('the model is shown the question and the schema, and nothing else to call', async () => {
    const call = await talk(asking({ key: 'order', text: 'How {{ many }}?', schema: z.object({ count: z.int() }) }));
    const view = call.engine.view();
    expect(view.instructions).toContain('"How {{ many }}?"');
    expect(view.knowledge).toContain('It is Saturday, 2026-11-21, ');
    expect(view.functions.map(({ name, parameters }) => ({ name, parameters }))).toEqual([
      {
        name: 'answer',
        parameters: {
          type: 'object',
          properties: { value: expect.objectContaining({ type: 'object', required: ['count'] }) },
          required: ['value'],
          additionalProperties: false,
        },
      },
    ]);
  });

  it('what breaks a rule is asked again without an inference, in the author’s words', async () => {
    const again = 'It has to be in the past. When were you born?';
    const call = await talk(asking({ key: 'a', text: 'When were you born?', type: 'date', before: 'today', again }));
    await call.says('March 3rd 2031');
    expect(call.said.slice(1)).toEqual([again]);
    expect(call.events).toContainEqual({ type: 'answer:refused', data: { key: 'a', problem: 'out-of-range' } });
    await call.says('March 3rd 1984');
    expect(call.said.at(-2)).toBe('Got "1984-03-03".');
    expect(call.inferences).toBe(0);
  });

  it('a telephone number in parts is joined, and the rest is asked for without a miss', async () => {
    const call = await talk(asking({ key: 'a', text: 'Your number?', type: 'phone' }));
    await call.says('four one five');
    expect(call.said.slice(1)).toEqual(['The rest of the number is missing. Your number?']);
    await call.says('five five five');
    expect(call.said).toHaveLength(3);
    await call.says('oh one two three');
    expect(call.said.slice(-2)).toEqual(['Got "+14155550123".', 'More?']);
    expect(call.inferences).toBe(0);
    expect(call.events.filter(({ type }) => type === 'question:missed')).toEqual([]);
  });

  it.each([
    ['forty', { type: 'integer', minimum: 1, maximum: 12 }, 'at most 12'],
    ['zero', { type: 'integer', minimum: 1, maximum: 12 }, 'at least 1'],
    ['yesterday', { type: 'date', after: 'today' }, 'after today'],
  ] as const)('“%s” is out of bounds, and the reason is said with the question', async (words, rule, reason) => {
    const call = await talk(asking({ key: 'a', text: 'How much?', ...rule }));
    await call.says(words);
    expect(call.said.slice(1)).toEqual([expect.stringContaining(reason)]);
    expect(call.said.at(-1)).toMatch(/How much\?$/);
    expect(call.inferences).toBe(0);
  });

  it('what a schema refuses is asked again, also where only its code can tell', async () => {
    const schema = z.number().refine((count) => count % 2 === 0, 'must be even');
    const call = await talk(asking({ key: 'a', text: 'How many?', schema }));
    await call.says('three');
    expect(call.said.slice(1)).toEqual(['Sorry, I did not get that. How many?']);
    expect(call.events).toContainEqual({ type: 'answer:refused', data: { key: 'a', problem: 'must be even' } });
    expect(call.engine.state.knowledge.variables).toEqual({});
    await call.says('four');
    expect(call.said.at(-2)).toBe('Got 4.');
  });

  it('words that are no answer are answered by the model, and the question stays open', async () => {
    const call = await talk(asking({ key: 'a', text: 'Your age?', type: 'integer' }), {
      model: [{ text: 'So that I can find the right plan. How old are you?' }],
    });
    await call.says('why do you want to know?');
    expect(call.said.slice(1)).toEqual(['So that I can find the right plan. How old are you?']);
    expect(call.engine.state.dialogue.pendingAskKey).toBe('a');
    await call.says('forty two');
    expect(call.said.at(-2)).toBe('Got 42.');
  });

  it.each([
    ['Is it open on December third?', { key: 'a', text: '?', type: 'date', after: 'today' }],
    ['how much is it for four', { key: 'a', text: '?', type: 'integer' }],
    ['Do you close at 3 pm?', { key: 'a', text: '?', type: 'time' }],
  ] as const)('a value in a question of the caller does not answer: “%s”', async (words, question) => {
    const call = await talk(asking(question), { model: [{ text: 'I am afraid not.' }] });
    await call.says(words);
    expect(call.inferences).toBe(1);
    expect(call.said).not.toContainEqual(expect.stringMatching(/^Got/));
  });

  it('an answer of the model that asks nothing is followed by the question, which is then answered', async () => {
    const call = await talk(asking({ key: 'a', text: 'Your age?', type: 'integer' }), {
      model: [{ text: 'We are a small firm.' }, { text: 'It is written down.' }],
    });
    await call.says('who are you?');
    expect(call.said.slice(1)).toEqual(['We are a small firm.', 'So: Your age?']);
    await call.says('more or less as old as my brother');
    expect(call.said.slice(3)).toEqual(['It is written down.', expect.stringMatching(/: Your age\?$/)]);
    await call.says('forty two');
    expect(call.said.at(-2)).toBe('Got 42.');
  });

  it('a wrong answer of the model, none at all, and a model that fails are all asked again', async () => {
    const question = { key: 'a', text: 'Your age?', type: 'integer', minimum: 18 } as const;
    for (const model of [[{ answer: 'x' }, { answer: 'x' }], [{ answer: 3 }], []]) {
      const call = await talk(asking(question), { model });
      await call.says('well, more or less');
      expect(call.said.slice(1)).toEqual(['Sorry, I did not get that. Your age?']);
      await call.says('forty two');
      expect(call.said.at(-2)).toBe('Got 42.');
    }
  });

  it.each([
    ['yes', [], 'yes'],
    ['yes, order them please', [], 'yes'],
    ['yes, I was hoping that you would', [{ answer: true }], 'yes'],
    ['no, eight', [], 'no'],
    ["no, not before I've talked to my wife", [], 'no'],
    ['yes but make it eight', [{ answer: true }], null],
    ['thanks', [{ answer: true }], null],
  ] as const)(
    '“%s” to what is confirmed, of which a model makes %j, is taken for %s',
    async (words, model, decision) => {
      const flow = defineFlow(async function* confirming() {
        const answer = yield* interrupt.confirm({ key: 'sure', question: 'Two at seven, shall I order them?' });
        yield* say(answer.decision);
        yield* ask({ key: 'more', text: 'More?' });
      });
      const call = await talk(flow, { model });
      await call.says(words);
      expect(call.said[1]).toBe(decision ?? 'Sorry, I did not get that. Two at seven, shall I order them?');
      expect(call.inferences).toBe(model.length);
    },
  );

  it('a yes to the model’s own question, said again, is no yes to what is confirmed', async () => {
    const flow = defineFlow(async function* confirming() {
      const answer = yield* interrupt.confirm({ key: 'sure', question: 'Two at seven, shall I order them?' });
      yield* say(answer.decision);
      yield* ask({ key: 'more', text: 'More?' });
    });
    const call = await talk(flow, { model: [{ text: 'Sorry, what do you mean?' }, { text: 'Alright.' }] });
    for (const words of ['My dog is barking.', 'Can you repeat that?']) await call.says(words);
    expect(call.said.at(-1)).toBe('Sorry, what do you mean?');
    await call.says('Yes.');
    expect(call.said).not.toContain('yes');
  });

  it.each([
    ['okay', 'So: Two at seven, shall I order them?'],
    ['yes', 'yes'],
  ])('"%s" in the last words of what is confirmed comes to: %s', async (words, next) => {
    const flow = defineFlow(async function* confirming() {
      const answer = yield* interrupt.confirm({ key: 'sure', question: 'Two at seven, shall I order them?' });
      yield* say(answer.decision);
      yield* ask({ key: 'more', text: 'More?' });
    });
    const call = await talk(flow, { hears: () => 'Two at seven, shall I order' });
    await call.says(words);
    expect(call.said[1]).toBe(next);
  });

  it.each([
    ['a question', { key: 'a', text: 'Who?' }],
    ['a question with a type', { key: 'a', text: 'Who?', type: 'name' }],
    ['a question with a schema', { key: 'a', text: 'Who?', schema: z.string().min(1) }],
  ] as const)('nothing at all, and no word, is no answer to %s, and asks no model', async (_what, question) => {
    for (const words of ['  ', '...', 'hmm', 'uh, um']) {
      const call = await talk(asking(question));
      await call.says(words);
      expect(call.said.slice(1)).toEqual(['Sorry, I did not get that. Who?']);
      expect(call.inferences).toBe(0);
    }
  });

  it('where the model never makes anything of the words, the caller is told that, and of no failure', async () => {
    const call = await talk(asking({ key: 'a', text: 'Your age?', type: 'integer' }), { model: [{}, {}, {}] });
    for (const words of ['dunno', 'later', 'nope']) await call.says(words);
    expect(call.said.at(-1)).toMatch(/^I am sorry, I cannot help you any further here/);
    expect(call.events.at(-1)).toEqual({ type: 'flow:ended', data: { reason: 'no-match' } });
  });

  it('what a caller says who has not heard the question is no answer: it is asked anew', async () => {
    const call = await talk(asking({ key: 'a', text: 'Who?' }), { hears: () => '' });
    await call.says('hello hello');
    expect(call.said).toEqual(['Who?', 'Who?']);
    expect(call.engine.state.position.generator?.step).toBe(1);
  });

  it('words that bring nothing are a miss beside a model that talks, and a question of the caller’s is not', async () => {
    const missed = async (words: string, completion: Completion): Promise<readonly string[]> => {
      const flow = defineFlow(async function* confirming() {
        yield* interrupt.confirm({ key: 'sure', question: 'Two pizzas for 30 euros. Shall I order them?' });
      });
      const call = await talk(flow, { model: [completion] });
      await call.says(words);
      expect(call.said.at(-1)).toMatch(/Two pizzas for 30 euros\. Shall I order them\?$/);
      // A consent is not a value that the flow needs.
      expect(call.said.at(-1)).not.toMatch(/need|cannot go on/);
      return call.events.map(({ type }) => type).filter((type) => type === 'question:missed');
    };
    expect(await missed('My dog is barking.', { text: 'I see.' })).toHaveLength(1);
    expect(await missed('My dog is barking.', { answer: true })).toHaveLength(1);
    expect(await missed('What do they cost?', { text: 'Thirty euros.' })).toEqual([]);
    expect(await missed('What do they cost?', { answer: true })).toEqual([]);
  });

  it('an answer counts if the question was heard and only its repetition was cut off', async () => {
    const call = await talk(asking({ key: 'a', text: 'How many?', type: 'integer' }), {
      hears: (text) => (text === 'How many?' ? text : ''),
    });
    await call.says('hmm');
    await call.says('seven');
    expect(call.said).toEqual(['How many?', 'Sorry, I did not get that. How many?', 'Got 7.', 'More?']);
  });

  it('after a takeover the open question is repeated, also if it was asked meanwhile', async () => {
    const take = (): unknown => call.engine.dispatch({ signal: { type: 'takeover:started', at: noon, actor: null } });
    const giveBack = async (): Promise<void> => {
      call.engine.dispatch({ signal: { type: 'takeover:ended', at: noon, actor: null } });
      await call.goOn();
    };
    const flow = defineFlow(async function* orders() {
      yield* ask({ key: 'who', text: 'Who is calling?' });
      yield* tool({ name: 'transfer' });
      const count: unknown = yield* ask({ key: 'count', text: 'How many?', type: 'integer' });
      yield* say(`Got ${String(count)}.`);
      yield* ask({ key: 'more', text: 'More?' });
    });
    const call = await talk(flow, { tools: { transfer: { run: take } } });
    take();
    await giveBack();
    expect(call.news()).toEqual(['Who is calling?', 'Who is calling?']);
    await call.says('Ana');
    await giveBack();
    expect(call.news()).toEqual(['How many?']);
    await call.says('seven');
    expect(call.news()).toEqual(['Got 7.', 'More?']);
    expect(call.inferences).toBe(0);
  });

  it('a key may be any text', async () => {
    const call = await talk(asking({ key: '__proto__', text: 'Who?' }));
    await call.says('Ana');
    expect(call.said.at(-2)).toBe('Got "Ana".');
    expect(Object.getOwnPropertyNames(call.engine.state.knowledge.variables)).toEqual(['__proto__']);
  });
});

describe('The types of a generator flow', () => {
  it('an answer is of the type that was asked for', () => {
    defineFlow(async function* typed(ctx) {
      expectTypeOf(ctx).toEqualTypeOf<FlowContext>();
      const name = yield* ask({ key: 'name', text: 'Who?' });
      expectTypeOf(name).toEqualTypeOf<string>();
      const day = yield* ask({ key: 'day', text: 'When?', type: 'date' });
      expectTypeOf(day).toEqualTypeOf<string>();
      const age = yield* ask({ key: 'age', text: 'How old?', type: 'integer', minimum: 18 });
      expectTypeOf(age).toEqualTypeOf<number>();
      const sure = yield* ask({ key: 'sure', text: 'Sure?', type: 'boolean' });
      expectTypeOf(sure).toEqualTypeOf<boolean>();
      const size = yield* ask({ key: 'size', text: 'Which?', type: 'enum', values: ['s', 'l'] });
      expectTypeOf(size).toEqualTypeOf<'s' | 'l'>();
      const drink = yield* ask({ key: 'drink', text: 'Which?', type: 'enum', values: { tea: ['cha'], coffee: [] } });
      expectTypeOf(drink).toEqualTypeOf<'tea' | 'coffee'>();
      const order = yield* ask({ key: 'order', text: 'What?', schema: z.object({ n: z.coerce.number() }) });
      expectTypeOf(order).toEqualTypeOf<{ n: number }>();
      const found = yield* tool<{ id: string }>({ name: 'find' });
      if (found.ok) expectTypeOf(found.result).toEqualTypeOf<{ id: string }>();
      else expectTypeOf(found.error).toEqualTypeOf<string>();
      const plain = yield { type: 'ask', key: 'plain', text: 'Who?' };
      expectTypeOf(plain).toEqualTypeOf<unknown>();
      expectTypeOf(yield* say('Bye.')).toEqualTypeOf<void>();
      return { reason: 'done' };
    });
    defineFlow(async function* withResources(ctx: FlowContext<{ db: Map<string, string> }>) {
      expectTypeOf(ctx.resources.db.get('a')).toEqualTypeOf<string | undefined>();
      yield* say('Hello.');
    });
    expect(defineFlow).toBeTypeOf('function');
  });

  it('has type errors where a yield is none, a question has no key, or a type is unknown', () => {
    defineFlow(async function* wrong() {
      // @ts-expect-error a question needs a key
      yield* ask({ text: 'Who?' });
      // @ts-expect-error there is no such type of answer
      yield* ask({ key: 'a', text: 'Who?', type: 'colour' });
      // @ts-expect-error either a type or a schema
      yield* ask({ key: 'a', text: 'Who?', type: 'integer', schema: z.number() });
      const shout: FlowYield = {
        // @ts-expect-error there is no such yield
        type: 'shout',
        text: 'Hey',
      };
      yield shout;
    });
    // @ts-expect-error a flow is an async generator
    defineFlow(async () => 5);
    expect(defineFlow).toBeTypeOf('function');
  });
});
