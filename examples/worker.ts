// The configuration of a worker: npm run -s roomflow -- worker --config examples/worker.ts
import { env } from 'node:process';
import { defineConfig, defineFlow } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { z } from 'zod';

/** For outbound calls of the shop: examples/outbound.ts. */
const bikeReady = defineFlow({
  name: 'bike-ready',
  initialNode: 'tell',
  input: { name: { type: 'string' } },
  roleMessages: [{ role: 'system', content: 'You call customers of a bike shop. Be brief.' }],
  nodes: {
    tell: {
      say: 'Hello {{ name }}, this is the bike shop. Your bike is ready. Will you fetch it today?',
      functions: [
        { name: 'today', description: 'The customer comes today.', transitionTo: 'soon' },
        { name: 'later', description: 'The customer comes another day.', transitionTo: 'kept' },
      ],
    },
    soon: { say: 'See you, then.', end: 'today' },
    kept: { say: 'We keep it for you. Goodbye.', end: 'later' },
  },
});

export default defineConfig({
  flows: { 'bike-service': 'bike-service.yaml', 'bike-ready': bikeReady },
  initialFlow: 'bike-service',
  tools: [
    flowTool({
      name: 'book_service',
      description: 'Book the service.',
      parameters: z.object({ day: z.string() }),
      execute: ({ day }, { key }) => ({ booked: day, key }),
    }),
  ],
  worker: {
    agentName: 'bike-shop',
    maxJobs: 4,
    // In a container set HEALTH_HOST=0.0.0.0, because probes come from outside.
    healthHost: env['HEALTH_HOST'] ?? '127.0.0.1',
    healthPort: Number(env['PORT'] ?? 8081),
    // Ends telephone calls when the flow has ended.
    onEnd: 'delete-room',
  },
});
