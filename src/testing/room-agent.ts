import { inference, initializeLogger, llm, loggerOptions, type stt, type tts, voice } from '@livekit/agents';
import { Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import type { RunnerOptions } from '../runner/options/runner-options.ts';
import { createRunner, type FlowRunner } from '../runner/flow-runner.ts';
import { attendCaller } from '../livekit/room/attend-caller.ts';
import { showAttributes } from '../livekit/room/shown-attributes.ts';
import { systemClock } from '../system.ts';
import type { RoomServer } from './caller.ts';
import { ScriptedModel, type ScriptedRequest } from './scripted-model.ts';
import type { SimulationOptions } from './simulate-room.ts';
import { standInTools } from './stand-in.ts';

/** The options of a simulation, without its virtual time and voice, and the place of the room. */
export interface RoomAgentOptions extends Omit<SimulationOptions, 'now' | 'wordsPerMinute' | 'seed'> {
  readonly server: RoomServer;
  /** The agent's voice. Default: the offline voice. */
  readonly tts?: tts.TTS;
  /** The agent's speech recognition. Without it the caller types. */
  readonly stt?: stt.STT;
}

/** A caller's action in a room, as it reaches the conversation. */
export type Reached = 'send' | 'hush' | 'recap';

/** An agent in a room that runs in this process, and listens like a worker's agent. */
export interface RoomAgent {
  readonly runner: FlowRunner;
  /** The requests to a scripted model, or null for any other model. */
  readonly requests: readonly ScriptedRequest[] | null;
  /** When the agent last began to speak, in epoch milliseconds. */
  readonly beganAt: number;
  /** Joins the room and speaks to the caller. */
  begin(room: string, caller: string): Promise<void>;
  /** Resolves when the next action of this kind has reached the conversation and was answered. */
  next(kind: Reached): Promise<unknown>;
  /** The next words that the caller speaks: resolves when they were understood, and when they were answered. */
  nextSpoken(): { readonly understood: Promise<void>; readonly answered: Promise<void> };
  close(): Promise<void>;
}

const defaultGraceMs = 30_000;
const keyPauseMs = 1_000;

/** Creates an agent for a flow. `server` is the server of its room. */
export async function createRoomAgent(
  flow: NonNullable<RunnerOptions['flow']>,
  options: RoomAgentOptions,
): Promise<RoomAgent> {
  const { server, model: given, tts: ownVoice, stt: ears, functions = {}, tools = [], ...rest } = options;
  const { graceMs = defaultGraceMs, timeZone = 'UTC', ...ofFlow } = rest;
  if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: 'silent' });
  const model = given instanceof llm.LLM ? given : new ScriptedModel(given);
  const session = new voice.AgentSession({
    llm: model,
    tts: ownVoice ?? (await offlineVoice()),
    ...(ears === undefined ? { vad: null } : { stt: ears, vad: new inference.VAD({ model: 'silero' }) }),
    turnHandling: {
      turnDetection: ears === undefined ? null : 'vad',
      endpointing: { mode: 'fixed', minDelay: 400, maxDelay: 2_000 },
      interruption: { mode: 'vad' },
      // Requests are counted as in a simulation.
      preemptiveGeneration: { enabled: false },
    },
    aecWarmupDuration: 0,
    userAwayTimeout: null,
  });
  const allTools = standInTools(functions, tools);
  const runner = createRunner({ ...ofFlow, session, flow, timeZone, tools: allTools, onEnd: 'keep' });
  if (model instanceof ScriptedModel) model.nodeOf = () => runner.currentNode;

  const room = new Room();
  const awaited: Record<Reached, ((answered: Promise<unknown>) => void)[]> = { send: [], hush: [], recap: [] };
  const tell = <Result>(kind: Reached, answered: Promise<Result>): Promise<Result> => {
    for (const reach of awaited[kind].splice(0)) reach(answered);
    return answered;
  };
  let beganAt = systemClock.now();
  session.on(voice.AgentSessionEventTypes.AgentStateChanged, ({ newState }) => {
    if (newState === 'speaking') beganAt = systemClock.now();
  });
  let leave = (): void => undefined;
  return {
    runner,
    get requests() {
      return model instanceof ScriptedModel ? model.requests : null;
    },
    get beganAt() {
      return beganAt;
    },
    async begin(roomName, caller) {
      const token = new AccessToken(server.apiKey, server.apiSecret, { identity: `agent-${roomName}` });
      token.kind = 'agent';
      token.addGrant({ room: roomName, roomJoin: true, canUpdateOwnMetadata: true, agent: true });
      await room.connect(server.url, await token.toJwt(), { autoSubscribe: true, dynacast: false });
      const conversation = {
        send: (...said: Parameters<FlowRunner['send']>) => tell('send', runner.send(...said)),
        press: (...pressed: Parameters<FlowRunner['press']>) => tell('send', runner.press(...pressed)),
        hush: () => tell('hush', runner.interrupt()),
        holdNoInput: () => runner.holdNoInput(),
        holdInbox: () => runner.holdInbox(),
        recap: () => tell('recap', runner.resume()),
        stop: (reason: string) => runner.stop(reason),
      };
      const onError = (): void => undefined;
      const attendance = attendCaller(conversation, { room, caller, clock: systemClock, graceMs, keyPauseMs, onError });
      leave = () => attendance.end();
      await runner.start({ room, record: false, inputOptions: attendance.inputOptions });
      const hide = showAttributes(runner, room);
      leave = () => {
        attendance.end();
        hide();
      };
    },
    next: (kind) => new Promise((resolve) => awaited[kind].push(resolve)),
    nextSpoken() {
      const understood = new Promise<void>((resolve) => {
        const stop = runner.on('turn:started', ({ data }) => {
          if (data.via !== 'speech') return;
          stop();
          resolve();
        });
      });
      const answer = async (): Promise<void> => {
        await understood;
        // The reply is requested once the turn is processed. A turn that needs no reply is over at that time.
        await new Promise<void>((resolve) => {
          session.once(voice.AgentSessionEventTypes.SpeechCreated, () => resolve());
          systemClock.schedule(replyAskedWithinMs, resolve);
        });
        await runner.idle();
      };
      return { understood, answered: answer() };
    },
    async close() {
      leave();
      await runner.stop('simulation-over');
      await session.close();
      await room.disconnect();
    },
  };
}

/** LiveKit requests the reply to a turn immediately. */
const replyAskedWithinMs = 2_000;

/** Loaded only on demand, because it needs optional peer dependencies. */
async function offlineVoice(): Promise<tts.TTS> {
  return (await import('../offline/voice/offline-tts.ts')).createOfflineTts();
}
