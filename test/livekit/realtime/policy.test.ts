import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import type { BeforeResponseInput, Hooks, StructuredReply } from '../../../src/engine/policy/hooks.ts';
import type { RealtimeScript } from './fake-model.ts';
import { order, twoNodes, twoNodesWith } from '../flows.ts';
import { realtimeCall, walks } from './rig.ts';
import { until } from '../until.ts';
import { settledSoon } from '../speech/voice-rig.ts';

const classic = { prompt: 'You are a receptionist.' };
const chatty: RealtimeScript = () => ({ text: 'Hello there. How are you?' });
const said = (items: readonly string[] | undefined) => (items ?? []).filter((item) => item.startsWith('assistant:'));

function deciding(decide: (input: BeforeResponseInput) => unknown, more: Partial<Hooks> = {}) {
  const seen: string[] = [];
  const beforeResponse = async (input: BeforeResponseInput): Promise<undefined> => {
    seen.push(input.reply.trim());
    return decide(input) as undefined; // JavaScript lets a hook return any value.
  };
  return { seen, options: { ...classic, hooks: { beforeResponse, ...more } } };
}

describe('beforeResponse on a realtime model that writes', () => {
  it('receives the whole reply, and lets it pass as the model’s own', async () => {
    const { seen, options } = deciding(() => undefined);
    const { model, heard, hasHeard } = await realtimeCall(null, chatty, {}, options);
    model.last.callerSays('hi');
    await hasHeard(1);
    model.last.callerSays('and?');
    await hasHeard(2);
    expect(heard).toEqual(['Hello there. How are you?', 'Hello there. How are you?']);
    expect(seen).toEqual(heard);
    expect(said(model.requests.at(-1)?.items)).toEqual(['assistant:Hello there. How are you?']);
  });

  it('`beforeResponse.cancel` suppresses send: nothing is heard, and the model forgets that it said it', async () => {
    const { seen, options } = deciding(() => ({ action: 'cancel' }));
    const { model, runner, heard } = await realtimeCall(null, chatty, {}, options);
    model.last.callerSays('hi');
    await until(() => seen.length === 1, 'the first decision');
    await settledSoon();
    await runner.idle();
    model.last.callerSays('and?');
    await until(() => seen.length === 2, 'the second decision');
    await settledSoon();
    expect(heard).toEqual([]);
    expect(model.requests).toHaveLength(2);
    expect(said(model.requests.at(-1)?.items)).toEqual([]);
  });

  it('`beforeResponse.replace` overrides outbound payload: the heard words replace the model’s in its context', async () => {
    const { options } = deciding(() => ({ action: 'replace', reply: 'Good day.' }));
    const { model, heard, hasHeard } = await realtimeCall(null, chatty, {}, options);
    model.last.callerSays('hi');
    await hasHeard(1);
    model.last.callerSays('and?');
    await hasHeard(2);
    expect(heard).toEqual(['Good day.', 'Good day.']);
    expect(said(model.requests.at(-1)?.items)).toEqual(['assistant:Good day.']);
  });

  it('decides sentence by sentence where so configured', async () => {
    const { seen, options } = deciding(({ reply }) => (reply.startsWith('How') ? { action: 'cancel' } : undefined), {
      decideBy: 'sentence',
    });
    const { model, heard, hasHeard } = await realtimeCall(null, chatty, {}, options);
    model.last.callerSays('hi');
    await hasHeard(1);
    expect(seen).toEqual(['Hello there.', 'How are you?']);
    expect(heard.map((line) => line.trim())).toEqual(['Hello there.']);
  });

  it('does not delay calls, and decides about the words after them', async () => {
    const { seen, options } = deciding(() => undefined);
    const { model, path, hasHeard } = await realtimeCall(twoNodes, walks, {}, { hooks: options.hooks });
    await hasHeard(1);
    model.last.callerSays('go on');
    await hasHeard(2);
    expect(path).toEqual(['a -> b']);
    expect(seen).toEqual(['Here is Node A.', 'Here is Node B.']);
  });
});

describe('structured output on a realtime model that writes', () => {
  const output = z.object({ reply: z.string(), intent: z.string().optional() });
  const base = { ...classic, flows: { order }, output };

  it('is requested, even from a model that answers by itself, and only its reply is heard', async () => {
    const told: StructuredReply[] = [];
    const hooks: Hooks = { onResponse: async (reply) => void told.push(reply) };
    const answers: RealtimeScript = () => ({ text: '{"reply": "We open at nine.", "intent": "none"}' });
    const { model, runner, heard, troubles, hasHeard } = await realtimeCall(null, answers, {}, { ...base, hooks });
    await settledSoon();
    model.last.callerSays('when do you open?');
    await hasHeard(1);
    await runner.stop();
    expect(heard).toEqual(['We open at nine.']);
    expect(told).toEqual([{ reply: 'We open at nine.', intent: 'none' }]);
    expect(model.requests.map(({ instructions }) => instructions.includes('"required":["reply"]'))).toEqual([true]);
    expect(troubles).toEqual([]);
  });

  it('that is broken is requested again', async () => {
    let count = 0;
    const answers: RealtimeScript = () => ({ text: (count += 1) === 1 ? '{"intent": ' : '{"reply": "Hello."}' });
    const { model, heard, troubles, hasHeard } = await realtimeCall(null, answers, {}, base);
    model.last.callerSays('hi');
    await hasHeard(1);
    expect(heard).toEqual(['Hello.']);
    expect(troubles).toEqual(['output output-broken']);
    expect(model.requests[1]?.instructions).toContain('Your last answer was no such JSON.');
  });

  it('leads to a flow, which speaks in the same turn', async () => {
    const router = { mode: 'schema_intent', field: 'intent' } as const;
    const answers: RealtimeScript = () => ({ text: '{"reply": "With pleasure.", "intent": "order"}' });
    const { model, runner, heard, hasHeard } = await realtimeCall(null, answers, {}, { ...base, router });
    model.last.callerSays('I want one');
    await hasHeard(2);
    await runner.idle();
    expect(heard).toEqual(['With pleasure.', 'Which size?']);
    expect(runner.state.position.flow.id).toBe('order');
    expect(model.requests).toHaveLength(1);
  });
});

describe('beside the call', () => {
  it('a realtime model summarises in a separate session, and the next node receives the summary', async () => {
    const flow = twoNodesWith({ contextStrategy: { strategy: 'reset_with_summary', summaryPrompt: 'Summarise.' } });
    const script: RealtimeScript = (request) =>
      request.items.at(-1) === 'user:Summarise.' ? { text: 'They want to go on.' } : walks(request);
    const { model, path, hasHeard } = await realtimeCall(flow, script);
    await hasHeard(1);
    model.last.callerSays('go on');
    await hasHeard(2);
    expect(path).toEqual(['a -> b']);
    const [asked] = model.requests.filter(({ items }) => items.at(-1) === 'user:Summarise.');
    expect(asked).toMatchObject({ session: 1, instructions: '', tools: [] });
    expect(asked?.items).toContain('user:go on');
    const last = model.requests.find(({ instructions }) => instructions.includes('Node B.'));
    expect(`${last?.instructions} ${last?.items.join(' ')}`).toContain('They want to go on.');
    expect(last?.items).not.toContain('user:go on');
    expect(model.sessions.map(({ isClosed }) => isClosed)).toEqual([false, true]);
  });

  it('it detects which flow the caller wants', async () => {
    const outputSchema = z.object({ intent: z.string() });
    const router = { mode: 'detector', prompt: 'What do they want?', outputSchema } as const;
    const script: RealtimeScript = ({ instructions }) => ({
      text: instructions.startsWith('What do they want?') ? '{"intent": "bye"}' : 'Hello.',
    });
    const bye: ConversationFlow = { initialNode: 'bye', nodes: { bye: { say: 'Goodbye.', end: 'left' } } };
    const { model, runner, heard } = await realtimeCall(null, script, {}, { ...classic, flows: { bye }, router });
    await runner.send('I have to go');
    expect(heard).toEqual(['Goodbye.']);
    expect(model.sessions).toHaveLength(2);
  });
});

describe('a realtime model that speaks', () => {
  const speaks = { audioOutput: true };
  const output = z.object({ reply: z.string() });
  const beforeResponse = async (): Promise<void> => undefined;
  const detector = { mode: 'detector', prompt: 'x', outputSchema: z.object({ intent: z.string() }) } as const;

  it.each([
    [{ output }, 'output: JSON cannot be spoken'],
    [{ router: detector }, 'router: mode "detector" asks for JSON'],
    [{ hooks: { beforeResponse } }, 'hooks.beforeResponse: the realtime model cannot be made to say other words'],
    [{ hooks: { beforeResponse, decideBy: 'sentence' } }, 'hooks.decideBy: the sound of a realtime model has no'],
  ] as const)('is refused before anything is said where it is asked for what it cannot do: %o', async (policy, why) => {
    const options = { ...classic, ...policy };
    await expect(realtimeCall(null, chatty, speaks, options)).rejects.toMatchObject({
      code: 'realtime-unsupported',
      message: expect.stringContaining(why),
    });
  });
});
