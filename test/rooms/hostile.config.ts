import { env } from 'node:process';
import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { type ScriptedReply, type ScriptedRequest, ScriptedModel } from 'roomflow/testing';
import { z } from 'zod';

/** The model's reply calls functions with arguments that no participant may see. */
function answer({ userText, tools }: ScriptedRequest): ScriptedReply {
  const words = userText.toLowerCase();
  if (words.includes('look it up') && tools.includes('look_up'))
    return { calls: [{ name: 'look_up', arguments: { who: 'Zebedee Quill' } }] };
  if (words.includes('goodbye')) return { calls: [{ name: 'leave' }] };
  return { text: `The wombat heard ${userText}` };
}

/** A worker with the default visibility in a room. Its prompt, words and arguments contain recognisable markers. */
export default defineConfig({
  flows: {
    desk: {
      name: 'desk',
      initialNode: 'hello',
      nodes: {
        hello: {
          say: 'Welcome to the wombat.',
          roleMessages: [{ role: 'system', content: 'The password is xylophone.' }],
          taskMessages: [{ role: 'system', content: 'Help with the wombat.' }],
          functions: [
            { name: 'look_up', effect: 'read' },
            { name: 'leave', transitionTo: 'bye' },
          ],
        },
        bye: { say: 'Goodbye from the wombat.', end: 'done' },
      },
    },
  },
  tools: [
    flowTool({
      name: 'look_up',
      description: 'Look somebody up.',
      parameters: z.object({ who: z.string() }),
      execute({ who }) {
        throw new Error(`There is no ${who}.`);
      },
    }),
  ],
  models: {
    llm: () => new ScriptedModel(answer),
    tts: 'offline',
    ...(env['TEST_EARS'] === 'offline' ? { stt: 'offline' as const } : {}),
  },
  voice: { aecWarmupDuration: 0, endpointing: { minDelay: 400, maxDelay: 2_000 } },
  worker: { agentName: 'hostile', healthPort: 0, idleProcesses: 1, maxJobs: 4, drainTimeoutMs: 2_000 },
});
