import { llm, voice } from '@livekit/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ask, end, handoff, say } from '../../src/flow/document/generator-yields.ts';
import { defineFlow } from '../../src/flow/document/define.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { BeforeLLMDecision } from '../../src/engine/policy/decisions.ts';
import type { AgentContext, BeforeLLMInput } from '../../src/engine/policy/hooks.ts';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { order } from './flows.ts';
import { live } from './live.ts';
import { until } from './until.ts';

const tutor = defineFlow(async function* () {
  const name = yield* ask({ key: 'name', text: 'What is your name?' });
  yield* say(`Nice to meet you, ${name}.`);
  yield* end('taught');
});
const flows = { order, tutor };
const prompt = 'You are the receptionist of {{ place }}.';
const context = { place: 'a small shop' };
const chatty = { '*': [{ text: 'Hello there.' }] };

describe('the classic path', () => {
  test('no-flow agents unchanged: requests and speech equal those of a plain AgentSession', async () => {
    const opening = flowTool({ name: 'opening', description: 'When we open.', execute: () => ({ at: 9 }) });
    const script = {
      '*': [
        { afterTool: 'opening', text: 'We open at nine.' },
        { when: 'open', calls: [{ name: 'opening' }] },
      ],
    };
    const said = ['When do you open?', 'Thank you.'];
    const agent = await live(null, script, { prompt: 'You are the receptionist.', tools: [opening] });
    for (const words of said) await agent.runner.send(words);
    const model = new ScriptedModel(script);
    const session = createTextSession(model);
    const tools = [llm.tool({ name: 'opening', description: 'When we open.', execute: async () => ({ at: 9 }) })];
    await session.start({ agent: voice.Agent.create({ instructions: 'You are the receptionist.', tools }) });
    for (const words of said) await session.generateReply({ userInput: words }).waitForPlayout();
    const asked = (one: ScriptedModel) =>
      one.requests.map(({ instructions, tools: offered, items }) => ({ instructions, offered, items }));
    expect(asked(agent.model)).toEqual(asked(model));
    const heard = session.history.items.flatMap((item) =>
      item.type === 'message' && item.role === 'assistant' ? [item.textContent] : [],
    );
    expect(agent.heard).toEqual(heard);
    void session.close();
  });

  test('a prompt and its tools: it waits for the caller, then the model replies, calls and replies', async () => {
    const clock = flowTool({ name: 'opening', description: 'When we open.', execute: () => 'at nine' });
    const script = {
      classic: [{ afterTool: 'opening', text: 'We open at nine.' }, { calls: [{ name: 'opening' }] }],
    };
    const { runner, heard, model } = await live(null, script, { prompt, context, tools: [clock] });
    expect(heard).toEqual([]);
    await runner.send('When do you open?');
    await runner.send('And tomorrow?');
    expect(heard).toEqual(['We open at nine.', 'We open at nine.']);
    expect(model.requests).toHaveLength(4);
    expect(model.requests[0]?.instructions).toContain('the receptionist of a small shop');
    expect(runner.currentNode).toBe('classic');
  });

  test('neither a flow nor a prompt is refused before anything is said', async () => {
    await expect(live(null, chatty)).rejects.toThrow('there is neither a flow nor a prompt. Give one of them.');
  });
});

describe('commands come first', () => {
  const options = { prompt, context, flows, commands: { hours: () => 'Nine to five.' } };

  test('/flow NAME begins a flow, and its end returns to the classic path', async () => {
    const script = {
      classic: [{ text: 'Anything else?' }],
      size: [{ calls: [{ name: 'record', arguments: { size: 'large' } }] }],
    };
    const { runner, heard, model, events } = await live(null, script, options);
    await runner.send('/flow order');
    expect(heard).toEqual(['Which size?']);
    expect(model.requests).toEqual([]);
    await runner.send('a large one');
    await runner.send('thanks');
    expect(heard).toEqual(['Which size?', 'It is ordered.', 'Anything else?']);
    expect(runner.currentNode).toBe('classic');
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['flow:called', 'flow:returned']));
  });

  test('/flow NAME of a flow that cannot begin reports it, and does not reach the model', async () => {
    const needy: ConversationFlow = {
      initialNode: 'a',
      input: { who: { type: 'string' } },
      nodes: { a: { say: 'Hi {{ who }}.', end: true } },
    };
    const { runner, heard, events, model } = await live(null, {}, { prompt, context, flows: { needy }, commands: {} });
    await runner.send('/flow needy');
    expect(heard).toEqual(['Flow "needy" cannot begin: it needs input, or it cannot be read.']);
    expect(model.requests).toEqual([]);
    expect(events).toContainEqual({
      type: 'response:failed',
      data: expect.objectContaining({ stage: 'turn', reason: 'input-missing' }) as unknown,
    });
  });

  test('/flow status and /flow stop are answered, and the flow’s question is not repeated', async () => {
    const { runner, heard, model } = await live(null, chatty, options);
    await runner.send('/flow order');
    await runner.send('/flow status');
    await runner.send('/flow stop');
    await runner.send('/flow status');
    expect(heard).toEqual(['Which size?', 'Flow "order" is active.', 'Flow "order" is stopped.', 'No flow is active.']);
    expect(model.requests).toEqual([]);
  });

  test('/flow stop of the initial flow ends the conversation if there is no prompt', async () => {
    const { runner, heard, model } = await live(order, chatty, { commands: {} });
    await runner.send('/flow stop');
    expect(await runner.ended).toBe('stopped');
    expect(heard).toEqual(['Which size?', 'Flow "order" is stopped.']);
    expect(model.requests).toEqual([]);
  });

  test('a flow that is written as a generator begins like any other', async () => {
    const { runner, heard } = await live(null, chatty, options);
    await runner.send('/flow tutor');
    await runner.send('Ann');
    await runner.send('hello');
    expect(heard).toEqual(['What is your name?', 'Nice to meet you, Ann.', 'Hello there.']);
  });

  test('a custom command answers without an inference, and spoken words are not a command', async () => {
    const { runner, heard, model } = await live(null, chatty, options);
    await runner.send('/hours');
    expect(heard).toEqual(['Nine to five.']);
    expect(model.requests).toEqual([]);
    await runner.send('/hours', { via: 'dtmf' });
    expect(heard.at(-1)).toBe('Hello there.');
  });

  test.each([
    ['of a node', 'plan'],
    ['of a function', 'desk'],
  ])('while a question %s is open, which stays so, and which /flow stop takes back', async (_, initialNode) => {
    const clinic: ConversationFlow = {
      initialNode,
      nodes: {
        plan: { type: 'control.gate', input: { prompt: 'Which plan?' }, defaultTransition: 'done' },
        desk: { functions: [{ name: 'book', run: 'booking', saveAs: 'booked', transitionTo: 'done' }] },
        done: { say: 'Done.', end: true },
      },
    };
    const booking: TaskFlow = {
      flow: { name: 'booking' },
      nodes: [{ id: 'agreed', type: 'control.gate', input: { prompt: 'Shall I?' } }],
    };
    const given = { ...options, flows: { clinic, booking, order } };
    const script = { desk: [{ when: 'book', calls: [{ name: 'book' }] }], '*': [{ text: 'Hello there.' }] };
    const { runner, heard, events } = await live(null, script, given);
    const question = initialNode === 'plan' ? 'Which plan?' : 'Shall I?';
    const begin = async (): Promise<void> => {
      await runner.send('/flow clinic');
      if (initialNode === 'desk') await runner.send('book');
      expect(heard.at(-1)).toBe(question);
    };
    await begin();
    await runner.send('/flow status');
    await runner.send('/hours');
    expect(heard.slice(-3)).toEqual([question, 'Flow "clinic" is active.', 'Nine to five.']);
    await runner.send('premium');
    expect(heard.at(-1)).toBe('Done.');
    await begin();
    await runner.send('/flow stop');
    await runner.send('premium');
    expect(heard.slice(-2)).toEqual(['Flow "clinic" is stopped.', 'Hello there.']);
    await begin();
    await runner.send('/flow order');
    expect(heard.at(-1)).toBe('Which size?');
    await runner.send('/flow stop');
    expect(events.filter(({ type }) => type === 'turn:answered')).toHaveLength(1);
  });

  test('without commands a slash is ordinary text', async () => {
    const { runner, heard } = await live(null, chatty, { prompt, context, flows });
    await runner.send('/flow order');
    expect(heard).toEqual(['Hello there.']);
  });
});

test.each<[string, object, string]>([
  [
    'a misspelt hook',
    { hooks: { beforeReponse: () => undefined } },
    'hooks: there is no "beforeReponse". Did you mean "beforeResponse"?',
  ],
  [
    'a misspelt mode of a router',
    { router: { mode: 'detectr', prompt: 'x' } },
    'router.mode: must be "detector", "schema_intent" or "rules".',
  ],
  [
    'a command that is not a word',
    { commands: { 'Say Hi': () => 'Hi.' } },
    'commands.Say Hi: must be one word in lower case',
  ],
])('%s is refused before a call is taken', (_what, options, fact) => {
  const session = createTextSession(new ScriptedModel({}));
  expect(() => createRunner({ session, prompt, ...options })).toThrow(`config-invalid: ${fact}`);
});

describe('beforeLLM', () => {
  const deciding = (decision: unknown) => ({
    prompt,
    context,
    flows,
    // JavaScript lets a hook return any value.
    hooks: { beforeLLM: async () => decision as undefined },
  });

  test('`beforeLLM.skip_llm` avoids LLM call: its line is said', async () => {
    const { runner, heard, model } = await live(null, chatty, deciding({ action: 'skip_llm', draftReply: 'Closed.' }));
    await runner.send('hi');
    expect(heard).toEqual(['Closed.']);
    expect(model.requests).toEqual([]);
  });

  test('skip_llm without a line says nothing', async () => {
    const { runner, heard, model } = await live(null, chatty, deciding({ action: 'skip_llm' }));
    await runner.send('hi');
    expect(heard).toEqual([]);
    expect(model.requests).toEqual([]);
  });

  test('`beforeLLM.route_flow` routes deterministically: the flow begins in the same turn', async () => {
    const { runner, heard, model } = await live(null, chatty, deciding({ action: 'route_flow', flowId: 'order' }));
    await runner.send('I want something');
    // The flow takes the caller's words before the question.
    expect(heard).toEqual(['Hello there. Which size?']);
    expect(model.requests).toHaveLength(1);
  });

  test('route_flow to an unknown flow does not change the turn, and is reported', async () => {
    const found = await live(null, chatty, deciding({ action: 'route_flow', flowId: 'toString' }));
    await found.runner.send('hi');
    expect(found.heard).toEqual(['Hello there.']);
    expect(found.events).toContainEqual({ type: 'route:fallback', data: { mode: 'hook', reason: 'unknown-flow' } });
  });

  const talking: ConversationFlow = {
    initialNode: 'a',
    nodes: {
      a: { say: 'You are at A.', taskMessages: [{ role: 'system', content: 'A.' }] },
      b: { taskMessages: [{ role: 'system', content: 'B.' }] },
    },
  };
  const wordless = (decision: BeforeLLMDecision | undefined, asked: string[] = []) => ({
    flows,
    hooks: {
      beforeLLM: async ({ text }: BeforeLLMInput, { inbound }: AgentContext) => {
        asked.push(text);
        return inbound === null ? decision : undefined;
      },
    },
  });

  test('is called once, without words, before the first inference after `enter()`', async () => {
    const asked: string[] = [];
    const { runner, heard, model } = await live(talking, chatty, wordless(undefined, asked));
    expect(asked).toEqual([]);
    await runner.enter('b');
    expect(heard).toEqual(['You are at A.', 'Hello there.']);
    expect([asked, model.requests.length]).toEqual([[''], 1]);
  });

  test('`skip_llm` stops an inference without words: its line is said, or nothing', async () => {
    for (const draftReply of ['Not now.', undefined]) {
      const decision = {
        action: 'skip_llm',
        reason: 'quota',
        ...(draftReply === undefined ? {} : { draftReply }),
      } as const;
      const { runner, heard, model, events } = await live(talking, chatty, wordless(decision));
      await runner.enter('b');
      expect(heard.slice(1)).toEqual(draftReply === undefined ? [] : [draftReply]);
      expect(model.requests).toEqual([]);
      expect(events.find(({ type }) => type === 'turn:decided')?.data).toMatchObject({ policyReason: 'quota' });
      // The conversation continues with the caller's next words.
      await runner.send('Hello?');
      expect(heard.at(-1)).toBe('Hello there.');
    }
  });

  test('`end` and `route_flow` also apply to such an inference', async () => {
    const ended = await live(talking, chatty, wordless({ action: 'end', reason: 'quota' }));
    void ended.runner.enter('b').catch(() => undefined);
    expect(await ended.runner.ended).toBe('quota');
    const routed = await live(talking, chatty, wordless({ action: 'route_flow', flowId: 'order' }));
    await routed.runner.enter('b');
    expect(routed.heard).toEqual(['You are at A.', 'Which size?']);
    expect(routed.model.requests).toEqual([]);
  });

  test('is called before the inference after a deadline', async () => {
    const asked: string[] = [];
    const slow: ConversationFlow = {
      initialNode: 'pause',
      nodes: {
        pause: { type: 'interrupt.wait', input: { for: '1s' }, defaultTransition: 'b' },
        b: { taskMessages: [{ role: 'system', content: 'B.' }] },
      },
    };
    const skips = wordless({ action: 'skip_llm', draftReply: 'Later.' }, asked);
    const { heard, model } = await live(slow, chatty, skips);
    await until(() => heard.includes('Later.'), 'the deadline');
    expect([asked, model.requests.length]).toEqual([[''], 0]);
  });

  test('end ends the session', async () => {
    const { runner } = await live(null, chatty, deciding({ action: 'end', reason: 'blocked' }));
    await runner.send('hi');
    expect(await runner.ended).toBe('blocked');
  });

  test('duplicate inbound ids do not reapply policy side effects: beforeLLM is asked once a turn, after commands', async () => {
    const asked: string[] = [];
    const beforeLLM = async ({ text }: { text: string }): Promise<void> => void asked.push(text);
    const { runner } = await live(null, chatty, {
      prompt,
      context,
      commands: { ok: () => 'ok' },
      hooks: { beforeLLM },
    });
    await runner.send('/ok');
    await runner.send('one', { eventId: 'e1' });
    await runner.send('one', { eventId: 'e1' });
    expect(asked).toEqual(['one']);
  });

  test('hook errors produce deterministic fallback + telemetry: beforeLLM that throws counts as continue', async () => {
    const hooks = { beforeLLM: () => Promise.reject(new TypeError('secret')) };
    const { runner, heard, events } = await live(null, chatty, { prompt, context, hooks });
    await runner.send('hi');
    expect(heard).toEqual(['Hello there.']);
    const data = { source: 'classic', stage: 'beforeLLM', reason: 'TypeError' };
    expect(events).toContainEqual({ type: 'response:failed', data });
  });
});

describe('the router', () => {
  const rules = { mode: 'rules', rules: { order: { patterns: ['\\border\\b'] } } } as const;

  test('low-confidence fallback to classic: a router runs only for callers without a flow', async () => {
    const script = {
      size: [{ when: 'want', text: 'Of course.' }, { text: 'Small or large?' }],
      classic: [{ text: 'Hello.' }],
    };
    const { runner, heard, events } = await live(null, script, { prompt, context, flows, router: rules });
    await runner.send('good morning');
    await runner.send('I want to order');
    await runner.send('what did I order last time?');
    expect(heard).toEqual(['Hello.', 'Of course. Which size?', 'Small or large?']);
    expect(events.filter(({ type }) => type === 'route:selected')).toEqual([
      { type: 'route:selected', data: { mode: 'rules', to: 'classic' } },
      { type: 'route:selected', data: { mode: 'rules', to: 'order' } },
    ]);
    expect(events).toContainEqual({ type: 'route:fallback', data: { mode: 'rules', reason: 'low-confidence' } });
  });

  test('route and handoff events emitted: for the target of a router and of a flow, in the turn of the words', async () => {
    const greeter = defineFlow(async function* () {
      yield* say('One moment.');
      yield* handoff('tutor');
    });
    const router = { mode: 'rules', rules: { greeter: { patterns: ['lesson'] } } } as const;
    const { runner, heard } = await live(null, chatty, { prompt, context, flows: { greeter, tutor }, router });
    const told: unknown[] = [];
    let turn: string | undefined;
    runner.hub.subscribe('*', ({ type, data, requestId }) => {
      if (type === 'turn:started') turn = requestId;
      if (/^(?:route:|flow:(?:called|handoff))/.test(type)) told.push([type, data, requestId]);
    });
    await runner.send('a lesson, please');
    expect(heard.join(' ').replace(/\s+/g, ' ')).toBe('One moment. What is your name?');
    expect(told).toEqual([
      ['route:selected', { mode: 'rules', to: 'greeter' }, turn],
      ['flow:called', { flow: 'greeter' }, turn],
      ['flow:handoff', { from: 'greeter', to: 'tutor' }, turn],
    ]);
  });

  test('detector mode route success: one inference before the flow’s own', async () => {
    const outputSchema = z.object({ intent: z.string(), confidence: z.number().optional() });
    const router = { mode: 'detector', prompt: 'What do they want?', outputSchema } as const;
    const script = { size: [{ text: 'Gladly.' }], '*': [{ text: '{"intent": "order", "confidence": 1}' }] };
    const { runner, heard, model } = await live(null, script, { prompt, context, flows, router });
    await runner.send('one of those, please');
    expect(heard).toEqual(['Gladly. Which size?']);
    // One request by the detector, and one in which the flow receives the words.
    expect(model.requests).toHaveLength(2);
  });

  test('the detector receives the agent’s last words, because an answer may mean nothing alone', async () => {
    const outputSchema = z.object({ intent: z.string() });
    const router = { mode: 'detector', prompt: 'What do they want?', outputSchema } as const;
    const isDetector = (instructions: string): boolean => instructions.includes('What do they want?');
    const { runner, model } = await live(
      null,
      ({ instructions }) => ({ text: isDetector(instructions) ? '{"intent": "classic"}' : 'Pizza or pasta?' }),
      { prompt, context, flows, router },
    );
    await runner.send('what is there?');
    await runner.send('the first');
    const asked = model.requests.filter(({ instructions }) => isDetector(instructions));
    expect(asked.map(({ items }) => items)).toEqual([
      ['user: what is there?'],
      ['assistant: Pizza or pasta?', 'user: the first'],
    ]);
  });
});
