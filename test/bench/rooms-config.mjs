// The configuration of `roomflow worker` for `npm run bench:rooms`: one node in which the model speaks, with the fakes
// of the bare worker.
import { env } from 'node:process';
import { createModel, FixedStt, instructions, reply, ToneTts, voiceOptions } from './rooms-fakes.mjs';

const { turnHandling, ...others } = voiceOptions;

export default {
  flows: {
    talk: {
      name: 'talk',
      initialNode: 'talk',
      roleMessages: [{ role: 'system', content: instructions }],
      nodes: {
        talk: {
          say: reply,
          taskMessages: [{ role: 'system', content: 'Talk.' }],
          functions: [{ name: 'leave', description: 'The caller takes leave.', transitionTo: 'bye' }],
        },
        bye: { say: 'Goodbye.', end: true },
      },
    },
  },
  models: { llm: createModel, stt: () => new FixedStt(), tts: () => new ToneTts() },
  voice: { ...turnHandling, ...others },
  worker: {
    agentName: 'flow',
    healthPort: 0,
    idleProcesses: Number(env['BENCH_PROCESSES']),
    rejoinTimeoutMs: 0,
    logLevel: 'info',
  },
};
