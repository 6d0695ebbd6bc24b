import { APIStatusError, llm } from '@livekit/agents';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { type ScriptedRequest, ScriptedModel } from '../../src/testing/scripted-model.ts';
import { live } from './live.ts';

const desk: ConversationFlow = {
  initialNode: 'desk',
  slots: { name: { type: 'text' } },
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: [{ role: 'system', content: 'Help the caller.' }],
      functions: [{ name: 'look', parameters: { type: 'object', properties: { n: { type: 'integer' } } } }],
    },
  },
};
const look = flowTool({ name: 'look', description: 'look', execute: () => 'x'.repeat(400) });
const sizeOf = ({ items }: ScriptedRequest): number => items.join('').length;

/** A model that calls `look` for each question and summarizes on request. */
const script = ({ items, userText, afterTool }: ScriptedRequest) => {
  if (userText.startsWith('Sum up')) return { text: `Ana asked for ${items.length - 1} things.` };
  if (userText.startsWith('I am ')) return { calls: [{ name: 'record', arguments: { name: userText.slice(5) } }] };
  if (afterTool === '' && userText !== '') return { calls: [{ name: 'look', arguments: { n: 1 } }] };
  return { text: 'There you are. What else?' };
};

describe('a long conversation', () => {
  test('is shown within its budget: a summary of the oldest turns, the last turns in full, and the known values', async () => {
    const { runner, model } = await live(desk, script, { tools: [look], limits: { contextCharacters: 6_000 } });
    await runner.send('I am Ana');
    for (let turn = 1; turn <= 100; turn += 1) await runner.send(`question ${turn}`);
    const requests = model.requests.filter(({ userText }) => !userText.startsWith('Sum up'));
    // The budget does not count the names of roles and functions, but this test does.
    expect(Math.max(...requests.map(sizeOf))).toBeLessThan(7_000);
    const last = requests.at(-1);
    expect(last?.items.slice(-3, -1)).toEqual(['user: question 100', 'call: look']);
    expect(last?.items).toContain('user: question 98');
    expect(last?.items).not.toContain('user: question 50');
    expect(last?.instructions).toMatch(/Summary of the conversation so far: Ana asked for \d+ things/);
    expect(last?.instructions).toMatch(/name: Ana/);
  });

  test('is cut from time to time, not at every turn, so that the prefix stays the same', async () => {
    const { runner, model } = await live(desk, script, { tools: [look], limits: { contextCharacters: 6_000 } });
    for (let turn = 1; turn <= 40; turn += 1) await runner.send(`question ${turn}`);
    const firsts = model.requests
      .filter(({ userText }) => userText.startsWith('question'))
      .map(({ items }) => items[0]);
    expect(new Set(firsts).size).toBeLessThan(12);
  });

  test('whose last turn alone is too long is shown with truncated texts', async () => {
    const long = flowTool({ name: 'look', description: 'look', execute: () => 'x'.repeat(50_000) });
    const { runner, model, heard } = await live(desk, script, { tools: [long], limits: { contextCharacters: 6_000 } });
    await runner.send('question 1');
    expect(sizeOf(model.requests.at(-1) as ScriptedRequest)).toBeLessThan(7_000);
    expect(model.requests.at(-1)?.items.at(-1)).toMatch(/The rest is left out/);
    expect(heard.at(-1)).toMatch(/There you are/);
  });
});

test('a request that exceeds the model’s limit is retried with less, unnoticed by the caller', async () => {
  const inner = new ScriptedModel(script);
  let refused = 0;
  class SmallModel extends llm.LLM {
    override label(): string {
      return 'small';
    }
    override chat(options: Parameters<llm.LLM['chat']>[0]): llm.LLMStream {
      const stream = inner.chat(options);
      const request = inner.requests.at(-1) as ScriptedRequest;
      if (sizeOf(request) <= 8_000) return stream;
      refused += 1;
      inner.requests.pop();
      stream.close();
      return new RefusedStream(this, {
        chatCtx: options.chatCtx,
        connOptions: { maxRetry: 0, timeoutMs: 1_000, retryIntervalMs: 0 },
      });
    }
  }
  const session = createTextSession(new SmallModel());
  const runner = createRunner({ session, flow: desk, tools: [look], timeZone: 'UTC' });
  const heard: string[] = [];
  runner.onSpeech((text) => heard.push(text));
  onTestFinished(() => runner.stop());
  await runner.start();
  await runner.idle();
  for (let turn = 1; turn <= 60; turn += 1) await runner.send(`question ${turn}`);
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(10);
  expect(heard.slice(1)).toEqual(Array(60).fill('There you are. What else?'));
});

/** OpenAI's error for a request that is too long. */
class RefusedStream extends llm.LLMStream {
  protected override run(): Promise<void> {
    return Promise.reject(
      new APIStatusError({
        message: "400 This model's maximum context length is 8192 tokens.",
        options: { statusCode: 400, retryable: false, body: { code: 'context_length_exceeded' } },
      }),
    );
  }
}
