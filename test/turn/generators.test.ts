import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import { ask, end, handoff, say, tool } from '../../src/flow/document/generator-yields.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { noon } from '../kernel/session.ts';
import { talk } from './generator-rig.ts';

const tutor = defineFlow(async function* tutor() {
  const name = yield* ask({ key: 'name', text: "What's your name?" });
  yield* say(`Nice to meet you, ${name}.`);
  const sentence = yield* ask({ key: 'sentence', text: 'Send one sentence in English.' });
  const corrected = yield* tool<string>({ name: 'correct_sentence', args: { sentence } });
  yield* say(corrected.ok ? corrected.result : `That did not work: ${corrected.error}`);
  yield* handoff('reminder', { name });
});

const reminder = defineFlow(async function* reminder(ctx) {
  const { name } = ctx.input as { name: string };
  const task = yield* ask({ key: 'task', text: `What should I remind you about, ${name}?` });
  yield* end(`reminder of ${task}`);
});

const correct = { correct_sentence: { run: ({ sentence }: { sentence?: unknown }) => `${String(sentence)}!` } };

describe('Flow execution', () => {
  it('`ask` pause/resume: the flow waits for the caller, and goes on with the caller’s own words', async () => {
    const call = await talk(tutor);
    expect(call.news()).toEqual(["What's your name?"]);
    expect(call.engine.state.dialogue.pendingAskKey).toBe('name');
    await call.says('  Ana Lima ');
    expect(call.news()).toEqual(['Nice to meet you, Ana Lima.', 'Send one sentence in English.']);
    expect(call.engine.state).toMatchObject({
      position: { node: 'sentence', generator: { step: 3 } },
      dialogue: { pendingAskKey: 'sentence' },
      knowledge: { variables: { name: 'Ana Lima' } },
    });
    expect(call.inferences).toBe(0);
  });

  it('`tool` yield execution and resume value: the function’s result is what the yield is answered with', async () => {
    const call = await talk(tutor, { tools: correct, flows: { reminder } });
    await call.says('Ana');
    await call.says('I goes home');
    expect(call.said).toContain('I goes home!');
  });

  it('`handoff` transition and completion: the other flow begins with its input and ends the conversation', async () => {
    const call = await talk(tutor, { tools: correct, flows: { reminder } });
    await call.says('Ana');
    await call.says('I goes home');
    expect(call.said.at(-1)).toBe('What should I remind you about, Ana?');
    expect(call.engine.state).toMatchObject({
      position: { flow: { id: 'reminder' }, node: 'task', generator: { step: 1 } },
    });
    await call.says('milk');
    expect(call.engine.state.status).toBe('ended');
    expect(call.events.at(-1)).toEqual({ type: 'flow:ended', data: { reason: 'reminder of milk' } });
  });

  it('what a flow yields without helpers is the same', async () => {
    const plain = defineFlow(async function* () {
      const name = yield { type: 'ask', key: 'name', text: 'Who?' };
      const outcome = yield { type: 'tool', name: 'correct_sentence', args: { sentence: name } };
      yield { type: 'say', text: JSON.stringify(outcome) };
      return { reason: 'done' };
    });
    const call = await talk(plain, { tools: correct });
    await call.says('Ana');
    expect(call.said).toEqual(['Who?', '{"ok":true,"result":"Ana!"}']);
    expect(call.events.at(-1)).toEqual({ type: 'flow:ended', data: { reason: 'done' } });
  });
});

it('a flow speaks the language that the call goes on in, and after a crash finds its way in the one that it had', async () => {
  const hotel = defineFlow(async function* hotel(ctx) {
    if (ctx.language === 'en') yield* ask({ key: 'name', text: 'Who is calling?' });
    else yield* ask({ key: 'nombre', text: '¿Quién llama?' });
    yield* ask({ key: 'day', text: ctx.language === 'es' ? '¿Qué día?' : 'Which day?' });
  });
  const call = await talk(hotel);
  call.engine.language.change('es', 'code');
  await call.says('Ana');
  expect(call.said).toEqual(['Who is calling?', '¿Qué día?']);
  await call.die();
  const again = await talk(hotel, { store: call.store, clock: call.clock });
  expect(again.engine.state).toMatchObject({ status: 'active', dialogue: { pendingAskKey: 'day' } });
  expect(again.events.map(({ type }) => type)).not.toContain('flow:nondeterministic');
});

describe('Reliability', () => {
  it('dedup prevents double-advance: a second message of the same id changes nothing', async () => {
    const call = await talk(tutor);
    expect(await call.says('Ana', 'ev1')).toBe('taken');
    const { state } = call.engine;
    expect(await call.says('Ana', 'ev1')).toBe('duplicate');
    expect(call.engine.state).toBe(state);
    expect(call.said).toHaveLength(3);
  });

  it('at most one transition is committed for each inbound message, together with the message', async () => {
    const call = await talk(tutor, { tools: correct, flows: { reminder } });
    expect(call.store.transactions).toBe(1);
    await call.says('Ana', 'ev1');
    expect(call.store.transactions).toBe(2);
    expect(await call.store.inbox.isConsumed('s/ev1')).toBe(true);
  });

  it('a tool is committed with the yield that intends it, and its result before the flow runs on', async () => {
    const call = await talk(tutor, { tools: correct, flows: { reminder } });
    await call.says('Ana');
    const before = call.store.transactions;
    await call.says('I goes home');
    const log = (await call.store.steps.list('s'))
      .map(({ signal }) => signal.type)
      .filter((type) => type !== 'speech:settled');
    expect(log.slice(-6)).toEqual([
      'user:turn',
      'generator:yielded',
      'batch:settled',
      'generator:yielded',
      'flow:handed-off',
      'generator:yielded',
    ]);
    expect(call.store.transactions).toBe(before + 4);
  });

  it('timeout/retry bounds respected: a tool that is late is tried as often as it may, and then is an outcome', async () => {
    const attempts: number[] = [];
    const slow = {
      find: {
        run: (_args: unknown, _key: string, attempt: number) => {
          attempts.push(attempt);
          return new Promise(() => undefined);
        },
      },
    };
    const flow = defineFlow(async function* patient() {
      // A late write is not retried while it still runs.
      const found = yield* tool({
        ...{ name: 'find', effect: 'read', timeoutMs: 500 },
        retry: { maxAttempts: 2, backoffMs: 100 },
      });
      yield* say(found.ok ? 'Found.' : found.error);
      yield* ask({ key: 'next', text: 'What now?' });
    });
    const clock = createVirtualClock(noon);
    const begun = talk(flow, { tools: slow, clock });
    await clock.advance(1_099);
    expect(attempts).toEqual([1, 2]);
    await clock.advance(1);
    expect((await begun).said).toEqual(['The function took longer than 500 ms.', 'What now?']);
  });

  it('restart resumes from persisted flow snapshot: same step, the question asked anew, nothing done twice', async () => {
    const runs: string[] = [];
    const tools = {
      correct_sentence: {
        run: ({ sentence }: { sentence?: unknown }, key: string) => {
          runs.push(key);
          return `${String(sentence)}!`;
        },
      },
    };
    const flow = defineFlow(async function* lesson(ctx) {
      const name = yield* ask({ key: 'name', text: 'Who?' });
      const began = ctx.now();
      const lesson = ctx.uuid();
      const sentence = yield* ask({ key: 'sentence', text: `A sentence, ${name}?` });
      const corrected = yield* tool<string>({ name: 'correct_sentence', args: { sentence, began, lesson } });
      yield* ask({ key: 'more', text: corrected.ok ? `${corrected.result} More?` : 'No.' });
      yield* say(`Lesson ${lesson} of ${name}: ${began}, ${ctx.inbound?.text}`);
    });
    const first = await talk(flow, { tools });
    await first.says('Ana');
    await first.says('I go');
    await first.die();
    await first.clock.advance(5_000);

    const { store, clock } = first;
    const second = await talk(flow, { tools, store, clock });
    expect(second.said).toEqual(['Sorry, I was gone for a moment.', 'I go! More?']);
    expect(second.engine.state).toMatchObject({ position: { node: 'more', generator: { step: 4 } } });
    await second.says('no');
    expect(runs).toHaveLength(1);
    expect(second.said.at(-1)).toMatch(
      /^Lesson [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12} of Ana/,
    );
    expect(second.said.at(-1)).toMatch(new RegExp(`: ${noon}, no$`));
  });

  it('a write that a crash cut off is run again under the same key', async () => {
    const keys: string[] = [];
    let isAlive = false;
    const tools = {
      book: {
        run: (_args: unknown, key: string) => {
          keys.push(key);
          return isAlive ? 'booked' : new Promise(() => undefined);
        },
      },
    };
    const flow = defineFlow(async function* booking() {
      const day = yield* ask({ key: 'day', text: 'Which day?' });
      const booked = yield* tool<string>({ name: 'book', args: { day } });
      yield* ask({ key: 'more', text: booked.ok ? `It is ${booked.result}. More?` : booked.error });
    });
    const first = await talk(flow, { tools });
    void first.says('Monday', 'ev1');
    await first.clock.advance(10);
    expect(keys).toHaveLength(1);
    // The process is gone: it runs and stores nothing more.
    await first.store.leases.release({ sessionId: 's', owner: '', token: 1, expiresAt: 0 });

    isAlive = true;
    const second = await talk(flow, { tools, store: first.store, clock: first.clock });
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(second.said).toEqual(['Sorry, I was gone for a moment.', 'It is booked. More?']);
  });

  it('a caller’s answer that was committed before the crash is not asked for again', async () => {
    const first = await talk(tutor, { tools: correct });
    await first.says('Ana');
    const log = await first.store.steps.list('s');
    const { state } = first.engine;
    await first.die();
    const second = await talk(tutor, { tools: correct, store: first.store, clock: first.clock });
    expect(second.engine.state.position.generator).toMatchObject({ step: state.position.generator?.step });
    expect(second.said).toEqual(['Sorry, I was gone for a moment.', 'Send one sentence in English.']);
    expect((await second.store.steps.list('s')).slice(0, log.length)).toEqual(log);
  });
});

describe('A generator that changed', () => {
  const asked = (key: string, text: string) =>
    defineFlow(async function* lesson() {
      yield* say('Hello.');
      const name = yield* ask({ key, text });
      yield* tool({ name: 'correct_sentence', args: { sentence: name } });
      yield* ask({ key: 'more', text: 'More?' });
    });

  it('is parked with step, expected and found; nothing is said, and the caller’s words are not taken', async () => {
    const first = await talk(asked('name', 'Who?'), { tools: correct });
    await first.says('Ana');
    await first.die();
    const { store, clock } = first;
    const second = await talk(asked('full_name', 'Who?'), { tools: correct, store, clock });
    expect(second.said).toEqual([]);
    expect(second.engine.state).toMatchObject({
      status: 'parked',
      position: {
        generator: {
          step: 4,
          divergence: { step: 2, expected: { type: 'ask', key: 'name' }, found: { type: 'ask', key: 'full_name' } },
        },
      },
    });
    expect(second.events).toContainEqual({
      type: 'flow:parked',
      data: { reason: 'flow-nondeterministic', step: 2, expected: 'ask name', found: 'ask full_name' },
    });
    expect(await second.says('hello?')).toBe('over');
    await second.die();

    const third = await talk(asked('name', 'Who?'), { tools: correct, store, clock });
    expect(third.said).toEqual(['Sorry, I was gone for a moment.', 'More?']);
  });

  it.each([
    [
      'another argument of a tool',
      (name: string) => tool({ name: 'correct_sentence', args: { sentence: `${name}.` } }),
    ],
    ['another tool', (name: string) => tool({ name: 'correct', args: { sentence: name } })],
    ['another kind', () => say('Well.')],
    ['an end', () => end()],
  ])('is parked for %s', async (_what, changed) => {
    const flowWith = (step: typeof changed) =>
      defineFlow(async function* lesson() {
        const name = yield* ask({ key: 'name', text: 'Who?' });
        yield* step(name);
        yield* ask({ key: 'more', text: 'More?' });
      });
    const first = await talk(
      flowWith((name) => tool({ name: 'correct_sentence', args: { sentence: name } })),
      { tools: correct },
    );
    await first.says('Ana');
    await first.die();
    const second = await talk(flowWith(changed), { tools: correct, store: first.store, clock: first.clock });
    expect(second.engine.state).toMatchObject({
      status: 'parked',
      position: { generator: { divergence: { step: 2 } } },
    });
    expect(second.said).toEqual([]);
  });

  it('is parked where it draws what it did not draw, or throws where it did not', async () => {
    const flowWith = (before: (ctx: { now(): number; random(): number }) => void) =>
      defineFlow(async function* lesson(ctx) {
        yield* ask({ key: 'name', text: 'Who?' });
        before(ctx);
        yield* ask({ key: 'more', text: 'More?' });
      });
    for (const [before, found] of [
      [(ctx: { random(): number }) => void ctx.random(), 'random'],
      [
        () => {
          throw new Error('now it throws');
        },
        'an exception',
      ],
    ] as const) {
      const first = await talk(flowWith((ctx) => void ctx.now()));
      await first.says('Ana');
      await first.die();
      const second = await talk(flowWith(before), { store: first.store, clock: first.clock });
      expect(second.events.find(({ type }) => type === 'flow:parked')?.data).toMatchObject({ step: 2, found });
      expect(second.thrown).toEqual(found === 'an exception' ? [new Error('now it throws')] : []);
    }
  });

  it('keeps what a tool had brought when it was parked: nothing is run again', async () => {
    const keys: string[] = [];
    const tools = { book: { run: (_args: unknown, key: string) => (keys.push(key), 'Monday') } };
    const flowWith = (greeting: 'say' | 'ask', work: () => Promise<void>) =>
      defineFlow(async function* booking() {
        if (greeting === 'say') yield* say('Hello.');
        else yield* ask({ key: 'name', text: 'Hello?' });
        const booked = yield* tool<string>({ name: 'book' });
        await work();
        yield* ask({ key: 'more', text: booked.ok ? `It is ${booked.result}.` : booked.error });
      });
    const clock = createVirtualClock(noon);
    const store = createMemoryStore({ clock });
    void talk(
      flowWith('say', () => new Promise(() => undefined)),
      { tools, store, clock },
    );
    await clock.advance(10);
    expect(keys).toHaveLength(1);
    await store.leases.release({ sessionId: 's', owner: '', token: 1, expiresAt: 0 });
    const parked = await talk(
      flowWith('ask', () => Promise.resolve()),
      { tools, store, clock },
    );
    expect(parked.engine.state.status).toBe('parked');
    await parked.die();
    const right = await talk(
      flowWith('say', () => Promise.resolve()),
      { tools, store, clock },
    );
    expect(right.said).toEqual(['Sorry, I was gone for a moment.', 'It is Monday.']);
    expect(keys).toHaveLength(1);
  });

  it('goes on where only the wording of what is said has changed, which is noted', async () => {
    const first = await talk(asked('name', 'Who?'), { tools: correct });
    await first.says('Ana');
    await first.die();
    const second = await talk(asked('name', 'Who is it?'), { tools: correct, store: first.store, clock: first.clock });
    expect(second.events).toContainEqual({ type: 'flow:reworded', data: { step: 2 } });
    expect(second.said).toEqual(['Sorry, I was gone for a moment.', 'More?']);
  });

  it('is parked where a question’s type has changed, and goes on where a tool may only try longer', async () => {
    const flowWith = (type: 'integer' | 'number', timeoutMs: number) =>
      defineFlow(async function* lesson() {
        const age = yield* ask({ key: 'age', text: 'How old?', type });
        yield* tool({ name: 'correct_sentence', args: { sentence: age }, timeoutMs });
        yield* ask({ key: 'more', text: 'More?' });
      });
    const first = await talk(flowWith('integer', 100), { tools: correct });
    await first.says('seven');
    await first.die();
    const { store, clock } = first;
    const second = await talk(flowWith('number', 100), { tools: correct, store, clock });
    expect(second.engine.state.status).toBe('parked');
    await second.die();
    const third = await talk(flowWith('integer', 200), { tools: correct, store, clock });
    expect(third.engine.state.status).toBe('active');
  });
});
