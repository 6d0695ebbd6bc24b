import { voice } from '@livekit/agents';
import type { Clock } from '../../../src/model/ports/time.ts';
import type { RunnerOptions } from '../../../src/runner/options/runner-options.ts';
import { createRunner, type FlowRunner } from '../../../src/runner/flow-runner.ts';
import { systemClock } from '../../../src/system.ts';
import { OpenMicrophone } from '../../../src/testing/open-microphone.ts';
import { type ModelScript, ScriptedModel } from '../../../src/testing/scripted-model.ts';
import { type CallRecord, closeLater, recordCall, silenceLivekit } from '../call-record.ts';
import { until } from '../until.ts';
import { Loudspeaker, ScriptedStt, ScriptedVad, WordTts } from './voice-parts.ts';

/** The caller. Each step resolves when LiveKit has noticed it. */
export interface Caller {
  /** Starts to speak, long enough to interrupt. */
  begins(): Promise<void>;
  /** Makes a sound that is too short to interrupt. */
  murmurs(): Promise<void>;
  /** Emits a final transcript. From here on LiveKit may generate preemptively. */
  isUnderstood(text: string, language?: string): Promise<void>;
  /** Falls silent. If a transcript exists, the turn is complete a moment later. */
  stops(): Promise<void>;
  /** Says a whole turn; resolves when the flow has taken it. `afterwards` runs 130 ms after the turn is complete. */
  says(text: string, afterwards?: () => void, language?: string): Promise<void>;
}

export interface VoiceCall extends CallRecord {
  readonly runner: FlowRunner;
  readonly session: voice.AgentSession;
  readonly model: ScriptedModel;
  readonly caller: Caller;
  readonly speaker: Loudspeaker;
  /** Resolves when both are silent, no work runs, and no event has occurred for a while. */
  readonly quiet: () => Promise<void>;
}

/** LiveKit's preemptive work before the caller's turn is complete: none, asking the model, or synthesis as well. */
export const preemptiveModes = [false, 'of text', 'of text and voice'] as const;

export type VoiceOptions = Partial<Omit<RunnerOptions, 'flow' | 'session'>> & {
  readonly preemptive: (typeof preemptiveModes)[number];
  /** Plays nothing before the test says so. */
  readonly hold?: boolean;
  /** Whether the caller may interrupt. Default: true. */
  readonly interruptible?: boolean;
  /** Whether playing can be paused. Default: true. */
  readonly canPause?: boolean;
};

/** How long a call must be without events to count as quiet, in milliseconds. */
const quietMs = 60;

/**
 * A voice session without a room, with its caller and loudspeaker. Everything is LiveKit's own except recognition,
 * voice and model.
 */
export interface VoiceSession {
  readonly session: voice.AgentSession;
  readonly speaker: Loudspeaker;
  readonly caller: Omit<Caller, 'says'>;
}

export function voiceSession(
  model: ScriptedModel,
  { preemptive, hold = false, interruptible = true, canPause = true }: VoiceOptions,
): VoiceSession {
  silenceLivekit();
  const ears = { stt: new ScriptedStt(), vad: new ScriptedVad() };
  const session = new voice.AgentSession({
    ...ears,
    llm: model,
    tts: new WordTts(),
    turnHandling: {
      turnDetection: 'vad',
      endpointing: { mode: 'fixed', minDelay: 20, maxDelay: 20 },
      interruption: {
        enabled: interruptible,
        mode: 'vad',
        minDuration: 10,
        falseInterruptionTimeout: 80,
        resumeFalseInterruption: true,
      },
      preemptiveGeneration: { enabled: preemptive !== false, preemptiveTts: preemptive === 'of text and voice' },
    },
    aecWarmupDuration: 0,
    userAwayTimeout: null,
  });
  const speaker = new Loudspeaker(canPause);
  if (hold) speaker.hold();
  session.output.audio = speaker;
  session.input.audio = new OpenMicrophone();
  let understood = 0;
  session.on(voice.AgentSessionEventTypes.UserInputTranscribed, ({ isFinal }) => void (understood += isFinal ? 1 : 0));
  const caller: Omit<Caller, 'says'> = {
    async begins() {
      ears.vad.hearVoice();
      await until(() => session.userState === 'speaking', 'the caller to be heard speaking');
    },
    async murmurs() {
      ears.vad.hearMurmur();
      await until(() => session.userState === 'speaking', 'the caller to be heard speaking');
    },
    async isUnderstood(text, language) {
      const before = understood;
      ears.stt.understand(text, true, language);
      await until(() => understood > before, 'the words to be understood');
    },
    async stops() {
      ears.vad.hearSilence();
      await until(() => session.userState === 'listening', 'the caller to be heard falling silent');
    },
  };
  return { session, speaker, caller };
}

/** Starts a flow, or with null the classic path, in such a voice session. */
export async function voiceCall(
  flow: NonNullable<RunnerOptions['flow']> | null,
  script: ModelScript,
  options: VoiceOptions,
): Promise<VoiceCall> {
  const model = new ScriptedModel(script);
  const { session, speaker, caller: mouth } = voiceSession(model, options);
  const runner = createRunner({ session, ...(flow === null ? {} : { flow }), timeZone: 'UTC', ...options });
  model.nodeOf = () => runner.currentNode;

  const record = recordCall(runner);
  let lastChange = Date.now();
  let turns = 0;
  const noted = (): void => void (lastChange = Date.now());
  runner.on('turn:started', () => void (turns += 1));
  runner.on('turn:answered', () => void (turns += 1));
  runner.hub.subscribe('*', noted);
  for (const type of [
    voice.AgentSessionEventTypes.AgentStateChanged,
    voice.AgentSessionEventTypes.ConversationItemAdded,
    voice.AgentSessionEventTypes.SpeechCreated,
  ] as const)
    session.on(type, noted);
  closeLater(async () => {
    speaker.run();
    await runner.stop();
    await session.close();
  });
  const caller: Caller = {
    ...mouth,
    async says(text, afterwards, language) {
      const before = turns;
      await caller.begins();
      await caller.isUnderstood(text, language);
      await caller.stops();
      // Set after LiveKit's timer of 20 ms, so that it fires later on any machine.
      if (afterwards !== undefined) setTimeout(afterwards, 150);
      await until(() => turns > before, `the turn "${text}" to be taken`);
    },
  };
  await runner.start();
  return {
    runner,
    session,
    model,
    caller,
    speaker,
    ...record,
    async quiet() {
      await runner.idle();
      let requests = -1;
      await until(() => {
        if (requests !== model.requests.length) noted();
        requests = model.requests.length;
        return Date.now() - lastChange >= quietMs;
      }, 'the call to become quiet');
    },
  };
}

/** Long enough for everything that would happen at once. */
export const settledSoon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

/** Whether a promise settles at once. */
export async function settlesSoon(promise: Promise<unknown>): Promise<boolean> {
  return await Promise.race([promise.then(() => true), settledSoon().then(() => false)]);
}

/** Shortens long waits, which these tests are not about. */
export const impatientClock: Clock = {
  now: systemClock.now,
  schedule: (delayMs, task) => systemClock.schedule(delayMs < 1_000 ? delayMs : delayMs / 10, task),
};
