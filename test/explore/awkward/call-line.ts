import { voice } from '@livekit/agents';
import { z } from 'zod';
import { createMemoryStore } from '../../../src/store/memory/store.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { isGeneratorFlow } from '../../../src/flow/document/generator.ts';
import type { Graph } from '../../../src/flow/graph/graph.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import type { Event } from '../../../src/model/events/event.ts';
import type { LoggedSignal } from '../../../src/model/ports/store.ts';
import { createRunner, type FlowRunner } from '../../../src/runner/flow-runner.ts';
import { createCountingIds } from '../../../src/testing/counting-ids.ts';
import { OpenMicrophone } from '../../../src/testing/open-microphone.ts';
import { ScriptedModel, type ScriptedReply, type ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import type { VirtualClock } from '../../../src/testing/virtual-clock.ts';
import { createRealtimeSession } from '../../livekit/realtime/realtime-session.ts';
import { createRealtimeModel } from '../talk/realtime.ts';
import type { Scene } from './scene.ts';
import { createStallingVoice, type StallingVoice } from './stalling-voice.ts';

export interface CallLineOptions {
  readonly scene: Scene;
  readonly graph: Graph;
  readonly clock: VirtualClock;
  readonly isRealtime: boolean;
  /** Whether the functions return nothing in its various forms. */
  readonly isEmptyHanded: boolean;
  reply(request: ScriptedRequest): ScriptedReply;
  note(line: string): void;
  /** Called before a function runs, and after it. */
  onCall(name: string, args: JsonObject): void;
  onDone(name: string, result: unknown): void;
  onFailed(reason: string): void;
  onEvent(event: Event): void;
}

/** The line between a caller and the flow: a real AgentSession in text with one store. */
export interface CallLine {
  readonly runner: FlowRunner;
  /** The agent's voice. In a realtime session it never stops. */
  readonly voice: StallingVoice;
  /** Whether the current speech cannot be interrupted. Words spoken into it are processed after it. */
  readonly isProtected: boolean;
  /** Why the call has ended; null while it runs. */
  readonly ended: string | null;
  start(): Promise<void>;
  /** Resumes the call in a new process. */
  resume(): Promise<void>;
  close(): Promise<readonly LoggedSignal[]>;
  /** The content of the store besides the log. */
  left(): Promise<readonly unknown[]>;
}

export function openLine(options: CallLineOptions): CallLine {
  const { scene, graph, clock, isRealtime, reply, note } = options;
  const store = createMemoryStore({ clock });
  const ids = createCountingIds();
  const desk = scene.tools();
  const tools = toolsOf(options);
  let ended: string | null = null;
  let isLeaving = false;
  /** The end reason of the flow, before the session reports it. */
  let over: string | null = null;
  const connect = () => {
    const speaker = createStallingVoice(!isRealtime);
    const session = isRealtime
      ? createRealtimeSession(createRealtimeModel(reply))
      : createTextSession(new ScriptedModel(reply, { clock }), speaker);
    // Words arrive as text. Silence is measured as for a caller by voice.
    session.input.audio = new OpenMicrophone();
    const handlers = Object.fromEntries(
      Object.keys(desk).map((name) => [
        name,
        async (data: JsonObject, { key }: { key: string }) => void (await desk[name]?.(data, { key })),
      ]),
    );
    const flow = isGeneratorFlow(scene.source) ? scene.source : graph.document;
    const runner = createRunner({
      ...{ session, flow, tools, handlers, store, clock, ids },
      sessionId: 's',
      timeZone: 'UTC',
    });
    void runner.ended.then((reason) => (ended = isLeaving ? ended : reason));
    if (isRealtime) runner.onSpeech((text) => void speaker.write(`${text} `));
    runner.hub.subscribe('*', (event) => {
      options.onEvent(event);
      if (event.type === 'flow:ended') over = event.data.reason;
      if (event.type === 'transition:taken') note(`        -> ${event.data.to}`);
      if (event.type === 'response:failed' && event.data.stage === 'turn') options.onFailed(event.data.reason);
    });
    const speeches: voice.SpeechHandle[] = [];
    session.on(voice.AgentSessionEventTypes.SpeechCreated, ({ speechHandle }) => void speeches.push(speechHandle));
    return { ...{ session, runner, speeches }, voice: speaker };
  };
  let now = connect();
  const line: CallLine = {
    get runner() {
      return now.runner;
    },
    get voice() {
      return now.voice;
    },
    get isProtected() {
      return now.speeches.find((one) => !one.done())?.allowInterruptions === false;
    },
    get ended() {
      return ended;
    },
    async start() {
      const { runner } = now;
      void runner.start().catch(() => undefined);
      // LiveKit starts a session over more rounds of the event loop than one step of the clock has.
      for (let round = 0; round < 50 && !hasStarted(runner); round += 1) await clock.advance(0);
    },
    async resume() {
      const { runner, session } = now;
      isLeaving = true;
      const left = runner.leave();
      await clock.advance(0);
      now.voice.cut();
      await clock.advance(1_000);
      await left;
      isLeaving = false;
      void session.close().catch(() => undefined);
      // The flow ended during the last step.
      if (over !== null) {
        ended = over;
        return;
      }
      now = connect();
      await line.start();
    },
    async close() {
      now.voice.cut();
      void now.runner.stop('explored').catch(() => undefined);
      void now.session.close().catch(() => undefined);
      for (let second = 0; second < 20; second += 1) await clock.advance(1_000);
      return await store.steps.list('s');
    },
    left: async () => [await store.effects.list('s'), await store.steps.listEvents('s'), await store.sessions.get('s')],
  };
  return line;
}

function hasStarted(runner: FlowRunner): boolean {
  try {
    return runner.currentNode !== '';
  } catch {
    return false;
  }
}

const nothings = [undefined, null, {}, [], ''];

function toolsOf({ scene, note, onCall, onDone, isEmptyHanded }: CallLineOptions) {
  const desk = scene.tools();
  let calls = 0;
  return Object.keys(desk).map((name) =>
    flowTool({
      name,
      description: name,
      parameters: z.looseObject({}),
      execute: async (input, { key }) => {
        note(`        (${name} ${JSON.stringify(input)})`);
        onCall(name, input as JsonObject); // Arguments of a call are JSON.
        const made = await desk[name]?.(input, { key });
        const result = isEmptyHanded ? nothings[calls % nothings.length] : made;
        calls += 1;
        onDone(name, result);
        return result;
      },
    }),
  );
}
