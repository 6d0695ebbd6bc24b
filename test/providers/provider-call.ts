import { VAD, VADEventType, type VADStream, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { RunnerOptions } from '../../src/runner/options/runner-options.ts';
import { createRunner, type FlowRunner } from '../../src/runner/flow-runner.ts';
import type { VoiceModels } from '../../src/livekit/plug-ins/voice-models.ts';
import { type CallRecord, closeLater, recordCall, silenceLivekit } from '../livekit/call-record.ts';
import { ScriptedVadStream } from '../livekit/speech/voice-parts.ts';
import { Ear, Microphone } from './caller-sound.ts';

export interface ProviderCall extends CallRecord {
  readonly runner: FlowRunner;
  readonly session: voice.AgentSession;
  /** Seconds of audio that reached the caller. */
  readonly sound: () => number;
  /** The caller makes a sound for a while and falls silent. */
  speak(): Promise<void>;
}

/** A flow on a real AgentSession with the models of a provider's plug-in, with audio in and out, without a room. */
export async function providerCall(
  flow: ConversationFlow,
  models: Pick<VoiceModels, 'llm' | 'stt' | 'tts'>,
  options: Partial<Omit<RunnerOptions, 'flow' | 'session'>> = {},
): Promise<ProviderCall> {
  silenceLivekit();
  const session = new voice.AgentSession({
    ...models,
    vad: new LoudnessVad(),
    turnHandling: {
      turnDetection: 'vad',
      endpointing: { mode: 'fixed', minDelay: 20, maxDelay: 20 },
      interruption: { mode: 'vad' },
      preemptiveGeneration: { enabled: false },
    },
    aecWarmupDuration: 0,
    userAwayTimeout: null,
  });
  const ear = new Ear();
  const microphone = new Microphone(16_000);
  session.output.audio = ear;
  session.input.audio = microphone;
  const runner = createRunner({ session, flow, timeZone: 'UTC', ...options });
  const record = recordCall(runner);
  closeLater(async () => {
    await runner.stop();
    await session.close();
  });
  await runner.start();
  return { runner, session, ...record, sound: () => ear.seconds, speak: () => microphone.speak() };
}

/** Treats any loud sound as a voice. */
class LoudnessVad extends VAD {
  override label = 'loudness.VAD';

  constructor() {
    super({ updateInterval: 20 });
  }

  override stream(): VADStream {
    return new LoudnessStream(this);
  }
}

/** Milliseconds of voice before it is reported. */
const speechDuration = 300;

class LoudnessStream extends ScriptedVadStream {
  #frames: AudioFrame[] = [];
  #quiet = 0;

  constructor(vad: LoudnessVad) {
    super(vad);
    void this.#listen();
  }

  async #listen(): Promise<void> {
    for (;;) {
      const next = await this.inputReader.read();
      if (next.done) return;
      if (typeof next.value === 'symbol') continue;
      const isLoud = next.value.data.some((sample) => Math.abs(sample) > 500);
      if (isLoud && this.#frames.length === 0)
        this.give({ type: VADEventType.START_OF_SPEECH, speaking: true, speechDuration });
      this.#quiet = isLoud ? 0 : this.#quiet + 1;
      if (isLoud || this.#frames.length > 0) this.#frames.push(next.value);
      if (this.#frames.length > 0 && this.#quiet === 10) {
        const frames = this.#frames;
        this.#frames = [];
        this.give({ type: VADEventType.END_OF_SPEECH, speaking: false, speechDuration, frames });
      }
    }
  }
}
