import { env } from 'node:process';
import { defineConfig } from 'roomflow';
import agent from '../../agent.config.ts';

/** The agent that `npm start` talks to, by voice and without keys, as a worker for room tests. */
export default defineConfig({
  ...agent,
  models: { llm: 'offline', tts: 'offline', ...(env['TEST_EARS'] === 'offline' ? { stt: 'offline' as const } : {}) },
  // LiveKit hears nobody in the first seconds of a call otherwise, until it has learnt the echo.
  voice: { aecWarmupDuration: 0, endpointing: { minDelay: 400, maxDelay: 2_000 } },
  worker: {
    agentName: 'clinic',
    healthPort: 0,
    idleProcesses: 2,
    maxJobs: 4,
    rejoinTimeoutMs: 15_000,
    drainTimeoutMs: 1_000,
  },
});
