// A worker with LiveKit alone: the baseline of `npm run bench:rooms`.
import { AgentServer, defineAgent, initializeLogger, ServerOptions, voice } from '@livekit/agents';
import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { createModel, createVad, FixedStt, instructions, reply, ToneTts, voiceOptions } from './rooms-fakes.mjs';

export default defineAgent({
  prewarm(proc) {
    proc.userData.models = { llm: createModel(), stt: new FixedStt(), tts: new ToneTts(), vad: createVad() };
  },
  async entry(context) {
    await context.connect();
    const session = new voice.AgentSession({ ...context.proc.userData.models, ...voiceOptions });
    session.once(voice.AgentSessionEventTypes.Close, () => context.shutdown());
    await session.start({ agent: new voice.Agent({ instructions }), room: context.room, record: false });
    process.stdout.write(`${JSON.stringify({ pid: process.pid, takes: context.room.name })}\n`);
    session.say(reply);
  },
});

// Job processes import this file as well. Only the worker itself runs it.
if (argv[1] === fileURLToPath(import.meta.url)) {
  initializeLogger({ pretty: false, level: 'info' });
  const server = new AgentServer(
    new ServerOptions({
      agent: fileURLToPath(import.meta.url),
      agentName: 'bare',
      wsURL: env['LIVEKIT_URL'],
      apiKey: env['LIVEKIT_API_KEY'],
      apiSecret: env['LIVEKIT_API_SECRET'],
      host: '127.0.0.1',
      numIdleProcesses: Number(env['BENCH_PROCESSES']),
      initializeProcessTimeout: 60_000,
      loadThreshold: 1,
      // LiveKit measures the load of the machine, and a busy machine gets no calls.
      loadFunc: () => Promise.resolve(0),
    }),
  );
  process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
  await server.run();
}
