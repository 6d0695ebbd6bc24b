import { inference, initializeLogger, type llm, loggerOptions, voice } from '@livekit/agents';
import { Room, RoomEvent } from '@livekit/rtc-node';
import { FlowError } from '../../model/errors.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { LiveSession, StartOptions } from '../agent/live-session.ts';
import { type ModelChoices, plugInOf, type VoiceOptions } from '../plug-ins/plug-in-choice.ts';
import { createVoiceModels, openRealtimeSpeech } from '../plug-ins/voice-models.ts';
import { createRealtimeModel } from '../realtime/model.ts';
import { attendCaller, type Conversation } from './attend-caller.ts';

/** Options of a call that this process takes itself, without a LiveKit worker. */
export interface DirectCallOptions {
  readonly models: ModelChoices;
  readonly voice: VoiceOptions;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** Wraps the model to observe its requests. */
  readonly watch?: (model: llm.LLM) => llm.LLM;
  readonly url: string;
  /** Token with which the agent joins the room. */
  readonly token: string;
  /** Identity of the caller. */
  readonly caller: string;
  readonly onError: (error: unknown) => void;
  /** The room has closed. */
  readonly onClosed: () => void;
}

/** A call that has not begun. */
export interface DirectCall {
  readonly session: LiveSession;
  /** Joins the room. Returns the start options of the conversation. */
  join(conversation: Conversation): Promise<StartOptions>;
  /** Leaves the room; resolves quickly even if the server is unreachable. */
  end(): Promise<void>;
}

/** How long to wait for a caller who dropped out, in milliseconds. */
const graceMs = 15_000;
const keyPauseMs = 1_000;
const joinWithinMs = 10_000;
/** How long to wait for a server that does not respond to the leave, in milliseconds. */
const leaveWithinMs = 2_000;

/** Opens the models of a call. Throws `key-missing` or `plugin-missing`; joining throws `room-unreachable`. */
export async function createDirectCall(options: DirectCallOptions): Promise<DirectCall> {
  const { models: choices, env, clock, url, token, caller, onError, onClosed, watch = (model) => model } = options;
  if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: 'silent' });
  const stt = await plugInOf(choices.stt);
  const tts = await plugInOf(choices.tts);
  const realtime = await plugInOf(choices.realtime);
  const spoken =
    realtime === undefined ? await createVoiceModels({ llm: await plugInOf(choices.llm), stt, tts }, env) : null;
  const models =
    spoken === null && realtime !== undefined
      ? { ...(await openRealtimeSpeech({ stt, tts }, env)), llm: await createRealtimeModel(realtime, env) }
      : { vad: new inference.VAD({ model: 'silero' }), ...spoken };
  const { aecWarmupDuration, userAwayTimeout = null, ...turnHandling } = options.voice;
  const session = new voice.AgentSession({
    ...models,
    ...(spoken === null ? {} : { llm: watch(spoken.llm) }),
    userAwayTimeout,
    ...(aecWarmupDuration === undefined ? {} : { aecWarmupDuration }),
    turnHandling: {
      turnDetection: 'vad',
      ...turnHandling,
      interruption: { mode: 'vad', ...turnHandling.interruption },
    },
  });
  const room = new Room();
  let leave = (): void => undefined;
  return {
    session,
    async join(conversation) {
      const joined = room.connect(url, token, { autoSubscribe: true, dynacast: false });
      const late = new Promise<'late'>((resolve) => void clock.schedule(joinWithinMs, () => resolve('late')));
      const outcome = await Promise.race([joined.catch((cause: unknown) => ({ cause })), late]);
      if (outcome !== undefined)
        throw new FlowError(
          'room-unreachable',
          'the LiveKit server does not let the agent into the room. Is it running?',
          {
            cause: outcome === 'late' ? outcome : outcome.cause,
          },
        );
      room.on(RoomEvent.Disconnected, onClosed);
      const attendance = attendCaller(conversation, { room, caller, clock, graceMs, keyPauseMs, onError });
      leave = () => attendance.end();
      // Nothing of a call is sent to LiveKit's cloud.
      return { room, record: false, inputOptions: attendance.inputOptions };
    },
    async end() {
      leave();
      room.off(RoomEvent.Disconnected, onClosed);
      const left = session.close().then(() => room.disconnect());
      let cancel = (): void => undefined;
      const late = new Promise<void>((resolve) => (cancel = clock.schedule(leaveWithinMs, resolve)));
      await Promise.race([left, late]).finally(() => cancel());
      // A later failure concerns nothing that is still running.
      left.catch(() => undefined);
    },
  };
}
