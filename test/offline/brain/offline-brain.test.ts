import { initializeLogger, llm } from '@livekit/agents';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createConversation } from '../../../src/offline/brain/conversation.ts';
import { decide, OfflineBrain } from '../../../src/offline/brain/offline-brain.ts';
import { clockAtNoon } from './clock-at-noon.ts';

beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));

const startOrder = llm.tool({
  name: 'start_order',
  description: 'The caller agrees.',
  execute: async () => 'ok',
});
const setDay = llm.tool({
  name: 'set_day',
  description: 'The caller names a day for the delivery.',
  parameters: z.object({ day: z.iso.date().describe('Which day would you like?') }),
  execute: async () => 'ok',
});

async function answer(brain: OfflineBrain, said: string, toolChoice?: llm.ToolChoice) {
  const chatCtx = new llm.ChatContext();
  chatCtx.addMessage({ role: 'system', content: 'You deliver milk.' });
  chatCtx.addMessage({ role: 'assistant', content: 'Shall we start?' });
  chatCtx.addMessage({ role: 'user', content: said });
  const stream = brain.chat({
    chatCtx,
    toolCtx: new llm.ToolContext([startOrder, setDay]),
    ...(toolChoice && { toolChoice }),
  });
  const chunks: llm.ChatChunk[] = [];
  for await (const chunk of stream) if (chunk.delta !== undefined) chunks.push(chunk);
  return chunks;
}

test('it says what it is', () => {
  const brain = new OfflineBrain();
  expect(brain.label()).toBe('roomflow.OfflineBrain');
  expect([brain.provider, brain.model]).toEqual(['roomflow', 'rules']);
});

test('calls come in one delta, with arguments as JSON, for zod schemas as well', async () => {
  const brain = new OfflineBrain({ clock: clockAtNoon, timeZone: 'UTC' });
  const [chunk, ...others] = await answer(brain, 'on Friday please');
  expect(others).toEqual([]);
  const calls = chunk?.delta?.toolCalls ?? [];
  expect(calls.map(({ name, args }) => [name, JSON.parse(args) as unknown])).toEqual([
    ['set_day', { day: '2026-11-27' }],
  ]);
  const again = await answer(brain, 'on Friday please');
  expect(again[0]?.delta?.toolCalls?.[0]?.callId).not.toBe(calls[0]?.callId);
});

test('words come one by one, and add up to the reply', async () => {
  const chunks = await answer(new OfflineBrain(), 'hello');
  expect(chunks.length).toBeGreaterThan(3);
  expect(chunks.map((chunk) => chunk.delta?.content).join('')).toBe('Hello! Shall we start?');
});

test('it says nothing to what it does not understand', async () => {
  expect(await answer(new OfflineBrain(), 'fiddlesticks')).toEqual([]);
});

test('nothing is called where no call is wanted', async () => {
  const chunks = await answer(new OfflineBrain(), 'yes', 'none');
  expect(chunks.every((chunk) => chunk.delta?.toolCalls === undefined)).toBe(true);
});

const setLanguage = {
  name: 'set_language',
  description: 'Go on in another language: the caller speaks it, or asks for it.',
  parameters: {
    type: 'object',
    properties: { language: { type: 'string', enum: ['en', 'es'], description: 'en: English. es: Spanish.' } },
    required: ['language'],
  },
};

test.each([
  ['Can we do this in Spanish?', [{ name: 'set_language', arguments: { language: 'es' } }]],
  ['Spanish, please.', [{ name: 'set_language', arguments: { language: 'es' } }]],
  ['I teach Spanish.', []],
  ['Another one, please.', []],
  ['I would like to go on.', []],
])('a flow of several languages is not asked about its language: %s', (said, calls) => {
  const items = [
    { type: 'agent', text: 'Who is calling?' },
    { type: 'caller', text: said },
  ] as const;
  const decision = decide([setLanguage], createConversation('', items, { now: '2026-11-21T12:00', region: 'US' }));
  expect(decision.calls).toEqual(calls);
  expect(decision.text).not.toContain('language');
});
