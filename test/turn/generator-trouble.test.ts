import { describe, expect, it } from 'vitest';
import { defineFlow } from '../../src/flow/document/define.ts';
import { ask, handoff, say, tool } from '../../src/flow/document/generator-yields.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { generatorGraph } from '../../src/flow/graph/generator-graph.ts';
import { conversation, graphOf, noon } from '../kernel/session.ts';
import { defaultLanguage, languageOf } from '../../src/language/language-of.ts';
import { talk } from './generator-rig.ts';

const farewell = 'I am sorry, something went wrong here. I have to end this conversation.';

const classic = graphOf({
  name: 'classic',
  initialNode: 'desk',
  nodes: {
    desk: { say: 'How can I help?', functions: [{ name: 'bye', description: 'All is done.', transitionTo: 'bye' }] },
    bye: { say: 'Goodbye.', end: 'done' },
  },
});

describe('Flow execution failures', () => {
  it('invalid `tool` yield parameters => recoverable tool result fed back to flow', async () => {
    const runs: unknown[] = [];
    const book = {
      parameters: { type: 'object', properties: { seats: { type: 'integer', minimum: 1 } }, required: ['seats'] },
      run: (args: unknown) => void runs.push(args),
    };
    const flow = defineFlow(async function* table() {
      const first = yield* tool({ name: 'book', args: { seats: 'two' } });
      const second = yield* tool({ name: 'book', args: { seats: 2 } });
      yield* ask({ key: 'ok', text: `${first.ok ? '' : first.error} ${second.ok}` });
    });
    const call = await talk(flow, { tools: { book } });
    expect(call.said[0]).toMatch(/^The arguments do not fit: seats: .* true$/);
    expect(runs).toEqual([{ seats: 2 }]);
  });

  it('tool timeout => recoverable timeout text, flow may continue or end', async () => {
    const find = { run: () => new Promise(() => undefined) };
    const flow = defineFlow(async function* search() {
      const found = yield* tool({ name: 'find', timeoutMs: 300 });
      if (!found.ok) return { reason: found.error };
      return { reason: 'found' };
    });
    const clock = createVirtualClock(noon);
    const begun = talk(flow, { tools: { find }, clock });
    await clock.advance(300);
    expect((await begun).events.at(-1)?.data).toEqual({ reason: 'The function took longer than 300 ms.' });
  });

  it('a function that nobody has registered, or that throws, is an outcome as well', async () => {
    const flow = defineFlow(async function* search() {
      const missing = yield* tool({ name: 'nothing' });
      const broken = yield* tool({ name: 'broken' });
      yield* ask({ key: 'more', text: `${missing.ok || missing.error} ${broken.ok || broken.error}` });
    });
    const broken = {
      run: () => {
        throw new Error('the database of Ana Lima is down');
      },
    };
    const call = await talk(flow, { tools: { broken } });
    expect(call.said).toEqual(['There is no nothing. It failed.']);
  });

  it('unresolved handoff target => terminate flow and fallback to the flow that is named for that', async () => {
    const flow = defineFlow(async function* lost() {
      yield* say('One moment.');
      yield* handoff('nowhere');
    });
    const call = await talk(flow, { flows: { classic }, fallback: 'classic' });
    expect(call.said).toEqual(['One moment.', 'Sorry, something went wrong there.', 'How can I help?']);
    expect(call.engine.state).toMatchObject({ position: { flow: { id: 'classic' }, node: 'desk', generator: null } });
    expect(call.events).toContainEqual({ type: 'flow:cleared', data: { reason: 'handoff-unresolved' } });
    expect(call.events).toContainEqual({ type: 'flow:fallback', data: { from: 'lost', to: 'classic' } });
    expect(call.events.map(({ type }) => type)).not.toContain('flow:handoff');
  });

  it('without a fallback flow the caller is told, and the conversation ends', async () => {
    const flow = defineFlow(async function* lost() {
      yield* handoff('nowhere');
    });
    const call = await talk(flow);
    expect(call.said).toEqual([farewell]);
    expect(call.events.at(-1)).toEqual({ type: 'flow:ended', data: { reason: 'handoff-unresolved' } });
  });

  it('a flow that was called by another gives the conversation back to it', () => {
    const call = conversation(classic);
    call.start();
    call.call(generatorGraph('broken', { language: languageOf(defaultLanguage), languageOf }));
    for (let attempt = 1; attempt <= 2; attempt += 1)
      call.send({ type: 'generator:failed', at: noon, key: call.effects[0]?.key ?? '', reason: 'TypeError' });
    expect(call.outcome).toEqual(['say: Sorry, something went wrong there.', 'end failed']);
    call.giveBack(classic);
    expect(call.state).toMatchObject({
      status: 'active',
      position: { flow: { id: 'classic' }, node: 'desk', generator: null },
    });
  });

  it('an unexpected exception is tried once more, with everything that is recorded', async () => {
    let throws = 1;
    const flow = defineFlow(async function* shaky() {
      const name = yield* ask({ key: 'name', text: 'Who?' });
      if (throws > 0) {
        throws -= 1;
        throw new TypeError('not now');
      }
      yield* ask({ key: 'more', text: `And more, ${name}?` });
    });
    const call = await talk(flow);
    await call.says('Ana');
    expect(call.said).toEqual(['Who?', 'And more, Ana?']);
    expect(call.thrown).toEqual([new TypeError('not now')]);
    expect(JSON.stringify(call.events)).not.toContain('not now');
    expect(call.events).toContainEqual({ type: 'flow:failed', data: { step: 2, reason: 'TypeError', attempt: 1 } });
  });

  it('repeated unexpected exceptions in a flow step => clear active flow, send fallback reply', async () => {
    const flow = defineFlow(async function* broken() {
      yield* ask({ key: 'name', text: 'Who?' });
      throw new Error('always');
    });
    const call = await talk(flow, { flows: { classic }, fallback: 'classic' });
    await call.says('Ana');
    expect(call.said).toEqual(['Who?', 'Sorry, something went wrong there.', 'How can I help?']);
    expect(call.engine.state.position.flow.id).toBe('classic');

    const alone = await talk(flow);
    await alone.says('Ana');
    expect(alone.said).toEqual(['Who?', farewell]);
    expect(alone.events.at(-1)).toEqual({ type: 'flow:ended', data: { reason: 'failed' } });
  });

  it.each([
    ['no yield at all', 5],
    ['an unknown kind', { type: 'sing', text: 'La' }],
    ['a question without a key', { type: 'ask', text: 'Who?' }],
    ['a question of an unknown type', { type: 'ask', key: 'a', text: 'Who?', expects: { type: 'colour' } }],
    ['a question with a rule that is no rule', { type: 'ask', key: 'a', text: 'Who?', expects: { type: 'enum' } }],
    ['arguments that JSON cannot hold', { type: 'tool', name: 'a', args: { n: 1n } }],
  ])('%s as a yield is an exception of the flow', async (_what, made) => {
    const flow = defineFlow(async function* odd() {
      yield made as never;
    });
    const call = await talk(flow);
    expect(call.events).toContainEqual({ type: 'flow:failed', data: { step: 1, reason: 'yield-invalid', attempt: 2 } });
    expect(call.said).toEqual([farewell]);
  });

  it('a flow that works too long without a yield is given up like one that throws', async () => {
    const clock = createVirtualClock(noon);
    const flow = defineFlow(async function* stuck() {
      await new Promise(() => undefined);
      yield* say('Too late.');
    });
    const begun = talk(flow, { clock });
    await clock.advance(30_000);
    const call = await begun;
    const late = { type: 'flow:failed', data: { step: 1, reason: 'flow-late', attempt: 1 } };
    expect(call.events.filter(({ type }) => type === 'flow:failed')).toEqual([late]);
    // The filler is said, and only once.
    expect(call.said).toEqual(['One moment, please.', farewell]);
  });

  it('a flow that never asks anybody anything is stopped', async () => {
    const flow = defineFlow(async function* endless() {
      for (;;) yield* say('Hello.');
    });
    const call = await talk(flow);
    expect(call.said).toHaveLength(1_001);
    expect(call.said.at(-1)).toBe(farewell);
    expect(call.events.at(-1)).toEqual({ type: 'flow:ended', data: { reason: 'too-many-yields' } });
  });

  it('flows that hand off to each other without end are stopped', async () => {
    const ping = defineFlow(async function* ping() {
      yield* handoff('pong');
    });
    const pong = defineFlow(async function* pong() {
      yield* handoff('ping');
    });
    const call = await talk(ping, { flows: { ping, pong } });
    expect(call.events.filter(({ type }) => type === 'flow:handoff')).toHaveLength(10);
    expect(call.said).toEqual([farewell]);
  });
});

describe('What a flow does besides', () => {
  it('a line is said at once where the flow has to work before it goes on', async () => {
    const clock = createVirtualClock(noon);
    let finish = (): void => undefined;
    const flow = defineFlow(async function* slow() {
      yield* say('One moment.');
      await new Promise<void>((resolve) => (finish = resolve));
      yield* ask({ key: 'more', text: 'Done. More?' });
    });
    const begun = talk(flow, { clock });
    await clock.advance(20);
    await clock.advance(5_000);
    finish();
    await clock.advance(0);
    const call = await begun;
    expect(call.said).toEqual(['One moment.', 'Done. More?']);
    expect(call.store.transactions).toBe(2);
  });

  it('its `finally` runs when the conversation ends elsewhere', async () => {
    let cleaned = 0;
    const flow = defineFlow(async function* careful() {
      try {
        yield* ask({ key: 'name', text: 'Who?' });
      } finally {
        cleaned += 1;
      }
    });
    const call = await talk(flow);
    await call.engine.close('hung-up');
    await call.clock.advance(0);
    expect(cleaned).toBe(1);
    expect(call.engine.state.status).toBe('ended');
  });

  it.each([
    ['a function without the star', () => undefined],
    ['an async one', () => Promise.reject(new Error('It fails.'))],
  ])('%s is given up like one that throws, and the session can still end', async (_what, run) => {
    const call = await talk(defineFlow(run as never));
    expect(call.events.at(-1)).toEqual({ type: 'flow:ended', data: { reason: 'failed' } });
    await call.engine.close('hung-up');
  });

  it('may be a generator that is not async', async () => {
    const flow = defineFlow(function* sync() {
      const name = yield* ask({ key: 'name', text: 'Who?' });
      yield* say(`Hello, ${name}.`);
    } as never);
    const call = await talk(flow);
    await call.says('Ana');
    expect(call.said).toEqual(['Who?', 'Hello, Ana.']);
    await call.engine.close('hung-up');
  });

  const called = defineFlow(async function* brief(ctx) {
    yield* say('Goodbye.');
    ctx.endSession('enough');
    yield* ask({ key: 'name', text: 'Who?' });
  });
  const yielded = defineFlow(async function* brief(ctx) {
    yield* say('Goodbye.');
    yield* ctx.endSession('enough');
  });
  it.each([
    ['at the next yield', called],
    ['where it is yielded to', yielded],
  ])('`endSession` ends the conversation %s, after what was said before', async (_where, flow) => {
    const call = await talk(flow);
    expect(call.said).toEqual(['Goodbye.']);
    expect(call.events.at(-1)).toEqual({ type: 'flow:ended', data: { reason: 'enough' } });
  });

  it('`startFlow` is a handoff, and `getActiveFlowState` tells where the flow is', async () => {
    const states: unknown[] = [];
    const next = defineFlow(async function* next(ctx) {
      yield* ask({ key: 'b', text: `B of ${JSON.stringify(ctx.input)}` });
    });
    const flow = defineFlow(async function* first(ctx) {
      states.push(ctx.getActiveFlowState());
      yield* ask({ key: 'a', text: 'A' });
      states.push(ctx.getActiveFlowState(), ctx.inbound?.text);
      yield* ctx.startFlow('next', [1, 2]);
    });
    const call = await talk(flow, { flows: { next } });
    await call.says('one');
    expect(call.said).toEqual(['A', 'B of [1,2]']);
    expect(states).toEqual([
      { flowId: 'first', step: 0, lastYield: null, pendingAskKey: null },
      { flowId: 'first', step: 1, lastYield: { type: 'ask', key: 'a', text: 'A' }, pendingAskKey: null },
      'one',
    ]);
  });

  it('what it is handed cannot be changed under the log', async () => {
    const flow = defineFlow(async function* rude() {
      const found = yield* tool<{ list: number[] }>({ name: 'find' });
      if (found.ok) found.result.list.push(4);
      yield* ask({ key: 'more', text: 'More?' });
    });
    const call = await talk(flow, { tools: { find: { run: () => ({ list: [1] }) } } });
    const log = await call.store.steps.list('s');
    expect(JSON.stringify(log)).toContain('{"list":[1]}');
    expect(JSON.stringify(log)).not.toContain('[1,4]');
  });
});
