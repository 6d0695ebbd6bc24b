import type { llm, voice } from '@livekit/agents';
import type { Event } from '../../model/events/event.ts';
import { createTextSession } from '../../livekit/agent/text-session.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Ids } from '../../model/ports/time.ts';
import { createRunner, type FlowRunner } from '../../runner/flow-runner.ts';
import type { RunnerOptions } from '../../runner/options/runner-options.ts';
import { OpenMicrophone } from '../../testing/open-microphone.ts';
import { createPacedSpeech, type PacedSpeech } from '../../testing/paced-speech.ts';
import { ScriptedModel, type ScriptedRequest } from '../../testing/scripted-model.ts';
import type { VirtualClock } from '../../testing/virtual-clock.ts';
import { createMortalStore, type MortalStore, type WriteCount, type WritePoint } from './mortal-store.ts';
import { createProcessClock, type ProcessClock } from './process-clock.ts';
import { WatchedModel } from './watched-model.ts';

/** Receives the events of a process of a scenario. */
export interface ProcessListener {
  onSpeech(heard: string, interrupted: boolean, beganAt: number): void;
  onEvent(event: Event): void;
  onRequest(request: ScriptedRequest): void;
  onError(error: unknown): void;
}

export interface ProcessOptions {
  readonly clock: VirtualClock;
  readonly store: Store;
  readonly sessionId: string;
  readonly ids: Ids;
  readonly runner: Omit<RunnerOptions, 'session' | 'clock' | 'store' | 'ids' | 'sessionId' | 'tools' | 'handlers'>;
  readonly toolsOn: (clock: ProcessClock) => Pick<RunnerOptions, 'tools' | 'handlers'>;
  readonly modelOn: (clock: ProcessClock) => llm.LLM;
  /** The duration of the next word, in milliseconds. */
  readonly wordMs: () => number;
  /** The point at which it dies, or null if it does not. */
  readonly crash: WritePoint | null;
  /** The writes of earlier processes. Its own writes are added. */
  readonly count: WriteCount;
  readonly listener: ProcessListener;
}

/** A process that runs the conversation of a scenario, until it dies. */
export interface ConversationProcess {
  readonly runner: FlowRunner;
  readonly session: voice.AgentSession;
  readonly speech: PacedSpeech;
  readonly stored: MortalStore;
  readonly isDead: boolean;
  /** Open requests to the model. */
  readonly openRequests: number;
  /** Why the conversation has ended here, or null if it has not. */
  readonly ended: string | null;
  /** Kills it, as with kill -9. */
  kill(): void;
}

/** A new process is the same owner, because it is known that the earlier process is dead. */
const owner = 'flowtest';

export function openProcess(options: ProcessOptions): ConversationProcess {
  const { listener } = options;
  const clock = createProcessClock(options.clock);
  let isDead = false;
  let ended: string | null = null;
  const die = (): void => {
    isDead = true;
    clock.kill();
    speech.cut();
    stored.kill();
  };
  const stored = createMortalStore(options.store, options.crash, die, options.count);
  const speech = createPacedSpeech(clock, options.wordMs);
  const watcher = {
    nodeOf: () => nodeOf(runner),
    onRequest(request: ScriptedRequest) {
      if (isDead) return false;
      listener.onRequest(request);
      return true;
    },
  };
  const inner = options.modelOn(clock);
  if (inner instanceof ScriptedModel) inner.nodeOf = watcher.nodeOf;
  const model = new WatchedModel(inner, watcher, clock);
  const session = createTextSession(model, speech);
  session.input.audio = new OpenMicrophone();
  const runner: FlowRunner = createRunner({
    ...options.runner,
    ...options.toolsOn(clock),
    session,
    clock,
    // The test says how a transfer ends.
    transfers: { begin: () => undefined },
    ...{ store: stored.store, sessionId: options.sessionId, ids: options.ids, owner, onEnd: 'keep' },
    onFlowError: (error) => {
      if (!isDead) listener.onError(error);
    },
  });
  runner.hub.subscribe('*', (event) => {
    if (!isDead) listener.onEvent(event);
  });
  runner.onSpeech((heard, interrupted) => {
    if (isDead) return;
    listener.onSpeech(heard, interrupted, speech.beganAt ?? clock.now());
    speech.restart();
  });
  void runner.ended.then((reason) => {
    if (!isDead) ended ??= reason;
  });
  return {
    runner,
    session,
    speech,
    stored,
    get isDead() {
      return isDead;
    },
    get openRequests() {
      return model.open;
    },
    get ended() {
      return ended;
    },
    kill: die,
  };
}

/** Before the conversation has begun, it is not in a node. */
function nodeOf(runner: FlowRunner): string {
  try {
    return runner.currentNode;
  } catch {
    return '';
  }
}
