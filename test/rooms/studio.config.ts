import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import { defineConfig } from 'roomflow';
import { createOfflineTts } from '../../src/offline/voice/offline-tts.ts';
import agent from './agent.config.ts';

/** The clinic as the studio's tests speak to it: each call has the pace that stands in a file as it begins. */
export default defineConfig({
  ...agent,
  models: {
    ...agent.models,
    tts: () => createOfflineTts({ pace: Number(readFileSync(env['TEST_PACE_FILE'] ?? '', 'utf8')) }),
  },
});
