import { dirname } from 'node:path';
import { env } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { z } from 'zod';
import { note, readLedger } from './ledger.ts';

/** A worker whose calls outlive it. */
export default defineConfig({
  flows: {
    table: {
      name: 'table',
      initialNode: 'wishes',
      slots: {
        size: { type: 'integer', ask: 'How many of you will there be?' },
        side: { type: 'enum', values: ['garden', 'street'], ask: 'On the garden, or on the street?' },
      },
      nodes: {
        wishes: { say: 'Welcome.', collect: ['size', 'side'], defaultTransition: 'agreed' },
        agreed: {
          say: 'Shall I save it?',
          functions: [{ name: 'save', description: 'The caller agrees.', effect: 'write', transitionTo: 'saved' }],
        },
        saved: {
          say: 'It is saved. Anything else?',
          functions: [{ name: 'leave', description: 'The caller says goodbye.', transitionTo: 'bye' }],
        },
        bye: { say: 'Goodbye.', end: 'done' },
      },
    },
  },
  tools: [
    flowTool({
      name: 'save',
      description: 'The caller agrees.',
      parameters: z.object({}),
      async execute(_nothing, { key, sessionId, get }) {
        const isFirst = readLedger(dirname(env['TEST_LEDGER'] ?? '')).length === 0;
        note({ did: 'save begun', session: sessionId, key });
        // Waits until its worker is killed.
        if (isFirst) await wait(600_000);
        note({ did: 'saved', session: sessionId, key, size: get('size'), side: get('side') });
        return 'saved';
      },
    }),
  ],
  models: { llm: 'offline', tts: 'offline' },
  worker: {
    agentName: 'table',
    showFlow: true,
    healthPort: 0,
    idleProcesses: 1,
    maxJobs: 4,
    rejoinTimeoutMs: 20_000,
    drainTimeoutMs: 500,
  },
});
