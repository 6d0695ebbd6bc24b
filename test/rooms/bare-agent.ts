// A worker with LiveKit alone, no flow: what the rig is proved with, and what rooms with a flow are measured against.
import {
  AgentServer,
  AudioByteStream,
  defineAgent,
  initializeLogger,
  inference,
  ServerOptions,
  stt,
  tts,
  voice,
} from '@livekit/agents';
import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

export default defineAgent({
  async entry(context) {
    await context.connect();
    const session = new voice.AgentSession({
      stt: new DeafStt(),
      vad: new inference.VAD({}),
      tts: new ToneTts(),
      llm: new ScriptedModel(({ userText }) => ({ text: `You said ${userText}.` })),
      turnHandling: {
        turnDetection: 'vad',
        endpointing: { mode: 'fixed', minDelay: 400, maxDelay: 2_000 },
        interruption: { mode: 'vad', minDuration: 300 },
      },
      aecWarmupDuration: 0,
      userAwayTimeout: null,
    });
    session.once(voice.AgentSessionEventTypes.Close, () => context.shutdown());
    await session.start({ agent: voice.Agent.create({ instructions: 'Repeat.' }), room: context.room, record: false });
    session.say('Hello, this is the agent.');
  },
});

/** Does not know words, only that there were some. */
class DeafStt extends stt.STT {
  override label = 'deaf.STT';

  constructor() {
    super({ streaming: false, interimResults: false });
  }

  protected override _recognize(): Promise<stt.SpeechEvent> {
    const alternative = { text: 'something', language: 'en', startTime: 0, endTime: 0, confidence: 1 };
    return Promise.resolve({
      type: stt.SpeechEventType.FINAL_TRANSCRIPT,
      alternatives: [alternative as stt.SpeechData], // The language is a plain string with a brand.
    });
  }

  override stream(): stt.SpeechStream {
    throw new Error('LiveKit wraps what does not stream.');
  }
}

const toneRate = 24_000;

/** A tone as long as the words would take. */
class ToneTts extends tts.TTS {
  override label = 'tone.TTS';

  constructor() {
    super(toneRate, 1, { streaming: false });
  }

  override synthesize(...[text, options, signal]: Parameters<tts.TTS['synthesize']>): tts.ChunkedStream {
    return new Tone(text, this, options, signal);
  }

  override stream(): tts.SynthesizeStream {
    throw new Error('LiveKit wraps what does not stream.');
  }
}

class Tone extends tts.ChunkedStream {
  override label = 'tone.ChunkedStream';

  protected override run(): Promise<void> {
    const samples = new Int16Array(Math.round(this.inputText.length * 0.05 * toneRate));
    for (let at = 0; at < samples.length; at += 1)
      samples[at] = Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / toneRate));
    const chunks = new AudioByteStream(toneRate, 1);
    const frames = [...chunks.write(samples.buffer), ...chunks.flush()];
    for (const [index, frame] of frames.entries())
      this.queue.put({ requestId: 'tone', segmentId: 'tone', frame, final: index === frames.length - 1 });
    return Promise.resolve();
  }
}

// Job processes import this file as well; only the worker itself runs it.
if (argv[1] === fileURLToPath(import.meta.url)) {
  initializeLogger({ pretty: false, level: 'info' });
  const server = new AgentServer(
    new ServerOptions({
      agent: fileURLToPath(import.meta.url),
      agentName: 'bare',
      wsURL: env['LIVEKIT_URL'] ?? '',
      apiKey: env['LIVEKIT_API_KEY'] ?? '',
      apiSecret: env['LIVEKIT_API_SECRET'] ?? '',
      host: '127.0.0.1',
      port: Number(env['WORKER_PORT']),
      numIdleProcesses: 1,
      production: true,
      initializeProcessTimeout: 60_000,
      // LiveKit's own measure is the load of the machine, and a busy machine gets no calls.
      loadFunc: () => Promise.resolve(0),
    }),
  );
  await server.run();
}
