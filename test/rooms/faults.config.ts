import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { z } from 'zod';
import { note } from './ledger.ts';

/** A worker on providers whose addresses and keys come from the environment. Each test chooses their faults. */
export default defineConfig({
  flows: {
    desk: {
      name: 'desk',
      initialNode: 'desk',
      fallback: 'Sorry, say that again?',
      replyTimeoutMs: 5_000,
      nodes: {
        desk: {
          say: 'Hello there.',
          taskMessages: [{ role: 'system', content: 'Help.' }],
          functions: [{ name: 'pay', effect: 'write', transitionTo: 'paid' }],
        },
        paid: { say: 'Paid.', end: 'paid' },
      },
    },
  },
  tools: [
    flowTool({
      name: 'pay',
      description: 'Pay.',
      parameters: z.object({ amount: z.number() }),
      execute: (_amount, { sessionId }) => note({ did: 'paid', session: sessionId }),
    }),
  ],
  models: { llm: 'openai', tts: 'openai', stt: 'deepgram' },
  voice: { aecWarmupDuration: 0, endpointing: { minDelay: 400, maxDelay: 2_000 } },
  worker: { agentName: 'faults', showFlow: true, healthPort: 0, idleProcesses: 1, maxJobs: 16, rejoinTimeoutMs: 500 },
});
