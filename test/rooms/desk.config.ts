import { env } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { type ScriptedReply, type ScriptedRequest, ScriptedModel } from 'roomflow/testing';
import { z } from 'zod';
import { note } from './ledger.ts';

// Minutes long, so that a test can interrupt it on a busy machine too.
const story = `The house was built by a captain. ${Array.from(
  { length: 14 },
  (_, floor) =>
    `Room ${floor + 1} is named after a harbour in which he stayed, and looks out over the water to the east.`,
).join(' ')} Breakfast is served below deck.`;

/** The replies of the desk's model, in words for a voice. */
function answer({ userText, tools }: ScriptedRequest): ScriptedReply {
  const words = userText.toLowerCase();
  if (words.includes('tell me more')) return { text: story };
  if (words.includes('save it') && tools.includes('save')) return { calls: [{ name: 'save' }] };
  if (words.includes('look it up') && tools.includes('look_up')) return { calls: [{ name: 'look_up' }] };
  // If the sound stutters, "good" and "bye" are recognised separately, or as "good by".
  if (/\bbye\b|\bgood ?bye?\b/.test(words)) return { calls: [{ name: 'leave' }] };
  return { text: userText === '' ? 'Anything else?' : `You said ${userText}` };
}

/** A worker with two flows whose functions take time. */
export default defineConfig({
  flows: {
    desk: {
      name: 'desk',
      initialNode: 'hello',
      nodes: {
        hello: {
          say: 'Welcome to the desk.',
          taskMessages: [{ role: 'system', content: 'Help.' }],
          functions: [
            { name: 'save', effect: 'write', transitionTo: 'saved' },
            { name: 'look_up', effect: 'read', timeoutMs: 120_000, transitionTo: 'found' },
            { name: 'leave', transitionTo: 'bye' },
          ],
        },
        saved: {
          say: 'It is saved. Anything else?',
          taskMessages: [{ role: 'system', content: 'Help on.' }],
          functions: [{ name: 'leave', transitionTo: 'bye' }],
        },
        found: {
          say: 'I have found it. Anything else?',
          functions: [{ name: 'leave', transitionTo: 'bye' }],
        },
        bye: { say: 'Goodbye from the desk.', end: 'done' },
      },
    },
    shop: {
      name: 'shop',
      initialNode: 'hello',
      nodes: {
        hello: {
          say: 'Welcome to the shop.',
          taskMessages: [{ role: 'system', content: 'Sell.' }],
          functions: [{ name: 'leave', transitionTo: 'bye' }],
        },
        bye: { say: 'Goodbye from the shop.', end: 'done' },
      },
    },
  },
  initialFlow: 'desk',
  tools: [
    flowTool({
      name: 'save',
      description: 'Save it.',
      parameters: z.object({}),
      async execute(_nothing, { key, sessionId }) {
        note({ did: 'save begun', session: sessionId, key });
        await wait(3_000);
        note({ did: 'save ended', session: sessionId, key });
        return 'saved';
      },
    }),
    flowTool({
      name: 'look_up',
      description: 'Look it up.',
      parameters: z.object({}),
      async execute(_nothing, { sessionId, signal }) {
        note({ did: 'look begun', session: sessionId });
        await wait(100_000, undefined, { signal });
        return 'found';
      },
    }),
  ],
  models: {
    llm: () => new ScriptedModel(answer),
    tts: 'offline',
    ...(env['TEST_EARS'] === 'offline' ? { stt: 'offline' as const } : {}),
  },
  voice: { aecWarmupDuration: 0, endpointing: { minDelay: 400, maxDelay: 2_000 } },
  worker: {
    agentName: 'desk',
    showFlow: true,
    healthPort: 0,
    idleProcesses: 1,
    maxJobs: 16,
    rejoinTimeoutMs: 20_000,
    drainTimeoutMs: 1_000,
  },
});
