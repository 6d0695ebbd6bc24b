import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { ask, end, handoff, say } from '../../src/flow/document/generator-yields.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { systemClock } from '../../src/system.ts';
import type { ResponseMeta } from '../../src/engine/policy/hooks.ts';
import { fastClock } from '../fast-clock.ts';
import { order } from './flows.ts';
import { live } from './live.ts';
import { notedWaits } from './noted-waits.ts';
import { until } from './until.ts';

const prompt = 'You are a receptionist.';
const output = z.object({ reply: z.string(), topic: z.string() });
const large = { when: 'large', calls: [{ name: 'record', arguments: { size: 'large' } }] };
const hours = { '*': [large, { text: '{"reply":"We open at nine.","topic":"hours"}' }] };

const flows = {
  order,
  broken: defineFlow(async function* () {
    yield* say('Let me see.');
    throw new Error('always');
  }),
  astray: defineFlow(async function* () {
    yield* ask({ key: 'what', text: 'What is it?' });
    yield* handoff('nobody');
  }),
  back: defineFlow(async function* () {
    yield* say('I give you back.');
    yield* handoff('classic');
  }),
};
const router = { mode: 'rules', rules: { order: { patterns: ['order'] } } } as const;

/** Checks that the conversation is in the classic path only. */
async function expectClassic(call: Awaited<ReturnType<typeof live>>, told: readonly ResponseMeta[]): Promise<void> {
  const { runner, heard } = call;
  await runner.send('/flow status');
  expect(heard.at(-1)).toBe('No flow is active.');
  await runner.send('When do you open?');
  expect(heard.at(-1)).toBe('We open at nine.');
  expect(told.at(-1)).toMatchObject({ source: 'classic', flowId: 'classic' });
  expect(runner.state.position.stack).toEqual([]);
}

describe('after a flow that was routed to', () => {
  it.each([
    ['fails', '/flow broken', []],
    ['hands off to nobody', '/flow astray', ['A parcel.']],
    ['hands off to classic', '/flow back', []],
    ['ends', '/flow order', ['large']],
  ])(
    '%s the classic path has the conversation again: status, output, meta and router',
    async (_what, begin, answers) => {
      const told: ResponseMeta[] = [];
      const onResponse = async (_reply: unknown, _ctx: unknown, meta?: ResponseMeta): Promise<void> => {
        if (meta !== undefined) told.push(meta);
      };
      const call = await live(null, hours, { prompt, output, flows, commands: {}, hooks: { onResponse } });
      await call.runner.send(begin);
      for (const answer of answers) await call.runner.send(answer);
      await expectClassic(call, told);
    },
  );

  it.each(['/flow broken', '/flow back'])('%s a router is asked again, also in the next process', async (begin) => {
    const store = createMemoryStore({ clock: systemClock });
    const options = { prompt, flows, commands: {}, router, store, sessionId: 's' };
    const first = await live(null, { '*': [{ text: 'Yes?' }] }, options);
    await first.runner.send(begin);
    await first.runner.leave();
    const second = await live(null, { '*': [{ text: 'Yes?' }] }, options);
    await second.runner.send('I want to order');
    // It asks its first question again, because the words may have answered it.
    expect(second.runner.state.position.flow.id).toBe('order');
  });
});

it('an unresolved handoff needs no apology: the classic path answers the caller’s last words', async () => {
  const call = await live(
    null,
    { classic: [{ when: 'parcel', text: 'A parcel goes to the gate.' }] },
    {
      prompt,
      flows,
      commands: {},
    },
  );
  await call.runner.send('/flow astray');
  await call.runner.send('a parcel');
  expect(call.heard.at(-1)).toBe('A parcel goes to the gate.');
  expect(call.events.map(({ type }) => type)).not.toContain('flow:handoff');
  expect(call.events).toContainEqual({ type: 'flow:cleared', data: { reason: 'handoff-unresolved' } });
});

it('the same for the flow that a conversation began with', async () => {
  const call = await live(
    null,
    { classic: [{ when: 'parcel', text: 'A parcel goes to the gate.' }] },
    {
      prompt,
      flows: { ...flows },
      ...({ flow: flows.astray } as object),
    },
  );
  await call.runner.send('a parcel');
  expect(call.heard.at(-1)).toBe('A parcel goes to the gate.');
  expect(call.events).toContainEqual({ type: 'flow:fallback', data: { from: 'astray', to: 'classic' } });
  expect(call.events.map(({ type }) => type)).not.toContain('flow:handoff');
});

describe('a flow that returns the caller without a word', () => {
  const what = () => ask({ key: 'what', text: 'What is it?' });
  const nodes: ConversationFlow = {
    initialNode: 'size',
    slots: order.slots,
    nodes: { size: { collect: ['size'], defaultTransition: 'bye' }, bye: { end: true } },
  };
  const silent = {
    returns: defineFlow(async function* () {
      yield* what();
    }),
    ends: defineFlow(async function* () {
      yield* what();
      yield* end('done');
    }),
    handsBack: defineFlow(async function* () {
      yield* what();
      yield* handoff('classic');
    }),
    atOnce: defineFlow(async function* () {}),
    speaks: defineFlow(async function* () {
      yield* what();
      yield* say('Thank you.');
    }),
    nodes,
  };
  const toParcels = { size: [large], classic: [{ text: 'It goes to the gate.' }] };

  it.each([
    ['returns', ['a parcel']],
    ['ends', ['a parcel']],
    ['handsBack', ['a parcel']],
    ['nodes', ['large']],
  ] as const)(
    'and so would leave them in silence: the classic path answers what they have said (%s)',
    async (name, [words]) => {
      const call = await live(null, toParcels, { prompt, flows: silent, commands: {} });
      await call.runner.send(`/flow ${name}`);
      await call.runner.send(words);
      expect(call.heard.slice(1)).toEqual(['It goes to the gate.']);
    },
  );

  it('lets the classic path answer the words that routed to it, also for the initial flow', async () => {
    const router = { mode: 'rules', rules: { atOnce: { patterns: ['parcel'] } } } as const;
    const routed = await live(null, toParcels, { prompt, flows: silent, router });
    await routed.runner.send('a parcel');
    expect(routed.heard).toEqual(['It goes to the gate.']);
    const first = await live(silent.handsBack, toParcels, { prompt, flows: {} });
    await first.runner.send('a parcel');
    expect(first.heard.slice(1)).toEqual(['It goes to the gate.']);
  });

  it('answers neither answered words nor a command', async () => {
    const call = await live(null, toParcels, { prompt, flows: silent, commands: {} });
    await call.runner.send('/flow speaks');
    await call.runner.send('a parcel');
    await call.runner.send('/flow atOnce');
    expect(call.heard).toEqual(['What is it?', 'Thank you.']);
    expect(call.model.requests).toEqual([]);
  });

  it.each(['astray', 'atOnce'] as const)(
    'does not ask the model for ever where its own reply has led there (%s)',
    async (to) => {
      const astray = defineFlow(async function* () {
        yield* handoff('nobody');
      });
      const reply = JSON.stringify({ reply: 'One moment.', topic: to });
      const call = await live(null, (_request, count) => ({ text: count > 9 ? 'Enough.' : reply }), {
        ...{ prompt, output, flows: { ...silent, astray } },
        router: { mode: 'schema_intent', field: 'topic' },
      });
      await call.runner.send('a parcel');
      expect(call.model.requests).toHaveLength(1);
    },
  );
});

it('flows that hand off to each other endlessly lead to one apology', async () => {
  const ping = defineFlow(async function* () {
    yield* handoff('pong');
  });
  const pong = defineFlow(async function* () {
    yield* handoff('ping');
  });
  const call = await live(null, {}, { prompt, flows: { ping, pong, order }, fallback: 'order', commands: {} });
  await call.runner.send('/flow ping');
  expect(call.heard).toEqual(['Sorry, something went wrong there. Which size?']);
});

describe('a hook that routes to classic', () => {
  const toClassic = (words: string) => ({
    hooks: {
      beforeLLM: async ({ text }: { readonly text: string }) =>
        text.includes(words) ? ({ action: 'route_flow', flowId: 'classic' } as const) : undefined,
    },
  });

  it('lets the prompt answer', async () => {
    const call = await live(null, { classic: [{ text: 'At nine.' }] }, { prompt, flows, ...toClassic('open') });
    await call.runner.send('When do you open?');
    expect(call.heard).toEqual(['At nine.']);
  });

  it('leaves the active flow, which is then over', async () => {
    const call = await live(
      null,
      { classic: [{ text: 'At nine.' }] },
      {
        ...{ prompt, flows, commands: {} },
        ...toClassic('open'),
      },
    );
    await call.runner.send('/flow order');
    await call.runner.send('When do you open?');
    expect(call.heard.at(-1)).toBe('At nine.');
    await call.runner.send('/flow status');
    expect(call.heard.at(-1)).toBe('No flow is active.');
  });

  it('also leaves the initial flow', async () => {
    const call = await live(
      order,
      { classic: [{ text: 'At nine.' }] },
      { prompt, flows, commands: {}, ...toClassic('open') },
    );
    await call.runner.send('When do you open?');
    expect(call.heard.at(-1)).toBe('At nine.');
    await call.runner.send('/flow status');
    expect(call.heard.at(-1)).toBe('No flow is active.');
  });

  it('is reported and changes nothing if there is no prompt', async () => {
    const call = await live(order, { '*': [large] }, { flows, ...toClassic('huge') });
    await call.runner.send('huge or large, large');
    expect(call.heard.at(-1)).toBe('It is ordered.');
    expect(call.events).toContainEqual({ type: 'route:fallback', data: { mode: 'hook', reason: 'unknown-flow' } });
  });
});

describe('`ctx.startFlow` as a plain call', () => {
  it('begins the flow at the next yield or return', async () => {
    const first = defineFlow(async function* (ctx) {
      yield* say('First.');
      ctx.startFlow('order');
    });
    const call = await live(null, {}, { prompt, flows: { first, order }, commands: {} });
    await call.runner.send('/flow first');
    expect(call.heard.at(-1)).toBe('First. Which size?');
    expect(call.runner.state.position.flow.id).toBe('order');
  });

  it('may be yielded directly', async () => {
    const first = defineFlow(async function* (ctx) {
      yield ctx.startFlow('order') as never;
    });
    const call = await live(null, {}, { prompt, flows: { first, order }, commands: {} });
    await call.runner.send('/flow first');
    expect(call.heard).toEqual(['Which size?']);
  });
});

it('`ctx.endSession` ends the conversation, not only the routed flow', async () => {
  const over = defineFlow(async function* (ctx) {
    yield* say('Goodbye.');
    ctx.endSession('abuse');
  });
  const call = await live(null, {}, { prompt, flows: { over }, commands: {} });
  await call.runner.send('/flow over');
  expect(call.events).toContainEqual({ type: 'flow:ended', data: { reason: 'abuse' } });
  expect(call.heard).toEqual(['Goodbye.']);
});

it('the model’s thoughts are neither said nor remembered', async () => {
  const text = '<think>They ask when. I know: nine.</think> We open at nine.';
  const { runner, heard, model } = await live(null, { '*': [{ text }] }, { prompt });
  await runner.send('When do you open?');
  await runner.send('Really?');
  expect(heard).toEqual(['We open at nine.', 'We open at nine.']);
  expect(model.requests.at(-1)?.items.join()).not.toContain('They ask');
});

it.each([
  ['classic', undefined, 'flows.classic: the name is reserved for the prompt.'],
  ['stop', {}, 'flows.stop: "/flow stop" is a command.'],
])('a flow that nobody could reach by its name (%s) is refused', (name, commands, fact) => {
  const session = createTextSession(new ScriptedModel({}));
  const make = () =>
    createRunner({ session, prompt, flows: { [name]: order }, ...(commands === undefined ? {} : { commands }) });
  expect(make).toThrow(`flow-name-taken: ${fact}`);
});

it('a fallback that is not a flow is refused, and so is a router by an unknown field', async () => {
  const make = () => live(null, {}, { prompt, flows, fallback: 'ordr' });
  await expect(make()).rejects.toThrow('config-invalid: fallback: flow "ordr" is not among flows (');
  const routed = live(null, {}, { prompt, flows, router: { mode: 'schema_intent', field: 'topic' } });
  await expect(routed).rejects.toThrow(
    'router-invalid: router.field: "topic" is a field of output, and there is none.',
  );
});

it('words or ids that are not strings are refused, and the conversation continues', async () => {
  const call = await live(null, hours, { prompt });
  const send = (words: unknown, eventId?: unknown) =>
    call.runner.send(words as string, eventId === undefined ? {} : { eventId: eventId as string });
  for (const given of [[undefined], [5], [{}], ['hi', 7], ['hi', null]] as const)
    await expect(send(...(given as [unknown]))).rejects.toMatchObject({ code: 'input-invalid' });
  await send('When do you open?');
  expect(call.heard).toHaveLength(1);
});

describe('a custom command', () => {
  const commands = {
    away: () => ({ stopFlow: true }),
    order: () => ({ say: 'Gladly.', startFlow: 'order' }),
  };

  it('that stops the flow changes nothing if no flow is active', async () => {
    const call = await live(null, hours, { prompt, flows, commands });
    await call.runner.send('/away');
    expect(await call.runner.send('When do you open?')).toBe('taken');
    expect(call.heard).toHaveLength(1);
  });

  it('may say a line and begin a flow', async () => {
    const call = await live(null, hours, { prompt, flows, commands });
    await call.runner.send('/order');
    expect(call.heard).toEqual(['Gladly. Which size?']);
  });
});

describe('a command while a flow works', () => {
  const at = { work: 0 };
  const stuck = () => {
    let cleaned = 0;
    const flow = defineFlow(async function* () {
      try {
        yield* ask({ key: 'name', text: 'Who?' });
        at.work += 1;
        await new Promise(() => undefined);
        yield* say('Never.');
      } finally {
        cleaned += 1;
      }
    });
    return { flow, cleaned: () => cleaned };
  };

  it('/flow stop is answered at once, and the classic path has the conversation again', async () => {
    const { clock, waits } = notedWaits();
    const call = await live(null, hours, { prompt, flows: { stuck: stuck().flow }, commands: {}, clock });
    await call.runner.send('/flow stuck');
    const before = at.work;
    void call.runner.send('Ana');
    await until(() => at.work > before, 'the flow to work');
    await call.runner.send('/flow stop');
    expect(call.heard.at(-1)).toBe('Flow "stuck" is stopped.');
    // A write would be waited for, for ten seconds.
    expect(waits.filter((ms) => ms >= 10_000)).toEqual([]);
    await call.runner.send('/flow status');
    expect(call.heard.at(-1)).toBe('No flow is active.');
  });

  it('/flow status is answered while it continues', async () => {
    // The end of the test waits for the flow's work.
    const clock = fastClock(40);
    const call = await live(null, hours, { prompt, flows: { stuck: stuck().flow }, commands: {}, clock });
    await call.runner.send('/flow stuck');
    const before = at.work;
    void call.runner.send('Ana');
    await until(() => at.work > before, 'the flow to work');
    await call.runner.send('/flow status');
    expect(call.heard.at(-1)).toBe('Flow "stuck" is active.');
  });

  it('/flow stop runs the `finally` of a flow that waits for an answer', async () => {
    const { flow, cleaned } = stuck();
    const call = await live(null, hours, { prompt, flows: { stuck: flow }, commands: {} });
    await call.runner.send('/flow stuck');
    await call.runner.send('/flow stop');
    await until(() => cleaned() === 1, 'its finally');
  });
});

it('a generator receives the words that led to it', async () => {
  const found: (string | null)[] = [];
  const order = defineFlow(async function* (ctx) {
    found.push(ctx.inbound?.text ?? null);
    yield* ask({ key: 'when', text: 'When?' });
  });
  const call = await live(null, {}, { prompt, flows: { order }, router, commands: {} });
  await call.runner.send('I want to order milk');
  await call.runner.send('/flow order');
  // A command does not reach the flow as words.
  expect(found).toEqual(['I want to order milk', null]);
});
