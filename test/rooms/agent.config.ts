import { env } from 'node:process';
import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import agent from '../../agent.config.ts';
import * as clinic from '../../flows/clinic-intake/tools.ts';
import { createOfflineTts } from '../../src/offline/voice/offline-tts.ts';
import { note } from './ledger.ts';

const visits = clinic.createTools({ today: () => new Date().toLocaleDateString('sv-SE') });

/** The agent of `npm start`, by voice and without keys, as a worker for room tests. */
export default defineConfig({
  ...agent,
  flows: { 'clinic-intake': '../../flows/clinic-intake/flow.yaml' },
  tools: [
    ...(agent.tools ?? []).filter(({ name }) => name !== 'book_visit'),
    flowTool({
      name: 'book_visit',
      description: 'Book the visit.',
      parameters: clinic.toolArguments.book_visit,
      execute(visit, call) {
        note({ did: 'book_visit', session: call.sessionId, ...visit });
        return visits.book_visit(visit, call);
      },
    }),
  ],
  models: {
    llm: 'offline',
    tts: () => createOfflineTts({ pace: Number(env['TEST_PACE'] ?? 1) }),
    ...(env['TEST_EARS'] === 'offline' ? { stt: 'offline' as const } : {}),
  },
  // By default LiveKit ignores the first seconds of a call, until its echo canceller has adapted.
  voice: { aecWarmupDuration: 0, endpointing: { minDelay: 400, maxDelay: 2_000 } },
  worker: {
    agentName: 'clinic',
    showFlow: true,
    healthPort: 0,
    idleProcesses: 1,
    maxJobs: 16,
    rejoinTimeoutMs: 15_000,
    drainTimeoutMs: 1_000,
  },
});
