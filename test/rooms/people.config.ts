import { env } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { ScriptedModel } from 'roomflow/testing';
import { z } from 'zod';
import { isHeld, note } from './ledger.ts';

// Longer than any test waits for its end.
const story = Array.from({ length: 30 }, (_, floor) => `Room ${floor + 1} looks out over the water to the east.`);

/** A worker whose calls wait for people and can be taken over. */
export default defineConfig({
  flows: {
    refund: {
      name: 'refund',
      initialNode: 'approve',
      nodes: {
        approve: {
          type: 'interrupt.escalate',
          input: {
            ...{ to: 'refunds', question: 'Refund it?', facts: { order: 'A-17' }, options: ['approve', 'reject'] },
            say: 'Let me check that with my colleague.',
            meanwhile: { every: '2s', say: ['Still checking.'] },
            reach: 'call',
          },
          defaultTransition: 'sorry',
        },
        refund: {
          call: 'refund_order',
          functions: [{ name: 'refund_order', effect: 'write', timeoutMs: 120_000, transitionTo: 'done' }],
        },
        done: { say: 'It is approved.', end: 'refunded' },
        sorry: { say: 'I am sorry.', end: 'refused' },
      },
      edges: [{ from: 'approve', to: 'refund', when: { equals: { var: 'approve.decision', value: 'approve' } } }],
    },
    house: {
      name: 'house',
      initialNode: 'hello',
      nodes: {
        hello: {
          say: 'Welcome to the house.',
          taskMessages: [{ role: 'system', content: 'Tell about the house.' }],
          functions: [{ name: 'leave', transitionTo: 'bye' }],
        },
        paid: {
          taskMessages: [{ role: 'system', content: 'Go on.' }],
          functions: [{ name: 'leave', transitionTo: 'bye' }],
        },
        bye: { say: 'Goodbye.', end: 'done' },
      },
    },
    pharmacy: {
      name: 'pharmacy',
      initialNode: 'menu',
      functions: [{ name: 'front_desk', transfer: { to: '+49 30 300', say: 'One moment.' } }],
      nodes: {
        menu: {
          say: 'This is the pharmacy.',
          taskMessages: [{ role: 'system', content: 'Find out who is needed.' }],
          functions: [{ name: 'pharmacist', transitionTo: 'pharmacist' }],
        },
        pharmacist: {
          transfer: {
            ...{ to: '+49 30 200', mode: 'warm', say: 'I am putting you through.', hold: 'silence', ringMs: 60_000 },
            brief: 'A caller asks about order number seven. It was sent on Monday, and it has not arrived yet.',
            on: { answered: 'after', busy: 'later' },
          },
          defaultTransition: 'later',
        },
        after: {
          say: 'Is there anything else?',
          taskMessages: [{ role: 'system', content: 'Go on.' }],
          functions: [{ name: 'leave', transitionTo: 'bye' }],
        },
        later: { say: 'They will call you back.', end: 'later' },
        bye: { say: 'Goodbye.', end: 'done' },
      },
    },
  },
  initialFlow: 'refund',
  tools: [
    flowTool({
      name: 'refund_order',
      description: 'Pays it back.',
      parameters: z.object({}),
      async execute(_nothing, { key, sessionId }) {
        while (isHeld(sessionId)) await pause(100);
        note({ did: 'refunded', session: sessionId, key });
        return 'paid';
      },
    }),
  ],
  models: {
    llm: () =>
      new ScriptedModel(({ userText, instructions, items }) => {
        if (/story/.test(userText)) return { text: story.join(' ') };
        if (/pharmacist/.test(userText)) return { calls: [{ name: 'pharmacist' }] };
        if (/front desk/.test(userText)) return { calls: [{ name: 'front_desk' }] };
        if (/good-?bye/i.test(userText)) return { calls: [{ name: 'leave' }] };
        const isShown = /paid by hand/.test([instructions, ...items].join(' '));
        return { text: `The note is ${isShown ? 'there' : 'not there'}.` };
      }),
    tts: 'offline',
    ...(env['TEST_EARS'] === 'offline' ? { stt: 'offline' as const } : {}),
  },
  hooks: {
    beforeLLM: async ({ text }) => note({ did: 'hook', text }),
  },
  calls: { trunk: 'ST_test', from: '+49301', every: '5s', ringFor: '2m' },
  replyTarget: '+49 30 22',
  resolveActor: ({ bearer }) => (bearer === 'desk-token' ? { id: 'desk' } : null),
  can: ({ id }, action) => id === 'desk' || (id === 'ada' && action.startsWith('takeover:')),
  http: { port: Number(env['TEST_HTTP_PORT'] ?? '0') },
  voice: { aecWarmupDuration: 0, endpointing: { minDelay: 400, maxDelay: 2_000 } },
  worker: {
    agentName: 'people',
    showFlow: true,
    healthPort: 0,
    idleProcesses: 1,
    maxJobs: 8,
    rejoinTimeoutMs: 1_000,
    drainTimeoutMs: 500,
  },
});
