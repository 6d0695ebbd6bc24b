// The configuration of `roomflow worker` for `approval.to_speech_ms`: a call that waits for a person again and again.
import { env } from 'node:process';
import { createModel, FixedStt, reply, ToneTts, voiceOptions } from './rooms-fakes.mjs';

const { turnHandling, ...others } = voiceOptions;
const asked = {
  to: 'desk',
  question: 'Shall it be done?',
  options: ['approve'],
  say: reply,
  meanwhile: { every: '10m' },
};

export default {
  flows: {
    approvals: {
      name: 'approvals',
      initialNode: 'one',
      // Each says its line and waits. A decision leads to the other.
      nodes: {
        one: { type: 'interrupt.escalate', input: asked, defaultTransition: 'other' },
        other: { type: 'interrupt.escalate', input: asked, defaultTransition: 'one' },
      },
    },
  },
  models: { llm: createModel, stt: () => new FixedStt(), tts: () => new ToneTts() },
  voice: { ...turnHandling, ...others },
  resolveActor: () => ({ id: 'desk' }),
  can: () => true,
  http: { port: Number(env['BENCH_HTTP_PORT']) },
  worker: { agentName: 'approvals', healthPort: 0, idleProcesses: 1, rejoinTimeoutMs: 0, logLevel: 'info' },
};
