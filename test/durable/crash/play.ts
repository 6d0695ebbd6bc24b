import type { voice } from '@livekit/agents';
import { sameValue } from '../../../src/flow/expression/same-value.ts';
import type { Json } from '../../../src/model/json.ts';
import { generatorGraph } from '../../../src/flow/graph/generator-graph.ts';
import type { Graph } from '../../../src/flow/graph/graph.ts';
import { newSession, type SessionState } from '../../../src/kernel/state/state.ts';
import { step } from '../../../src/kernel/step.ts';
import { withoutTables } from '../../kernel/session.ts';
import { checkFlow } from '../../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../../src/flow/nodes/builtin.ts';
import type { Store } from '../../../src/model/ports/store.ts';
import type { Clock } from '../../../src/model/ports/time.ts';
import { createRunner } from '../../../src/runner/flow-runner.ts';
import { OfflineBrain } from '../../../src/offline/brain/offline-brain.ts';
import { systemClock } from '../../../src/system.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';
import { FakeRealtimeModel } from '../../livekit/realtime/fake-model.ts';
import { createRealtimeSession } from '../../livekit/realtime/realtime-session.ts';
import { MortalModel } from './mortal-model.ts';
import { defaultLanguage, languageOf } from '../../../src/language/language-of.ts';
import { ledgerInMemory, type Scene, type World } from './scenes.ts';

/** The caller's memory from before the crash. The caller sends the last words again, under their id. */
export interface Caller {
  turns: number;
  last: string | null;
  /** The agent's question at that time. */
  question: string | null;
}

export function newCaller(): Caller {
  return { turns: 0, last: null, question: null };
}

export const sessionId = 'call';

/** More turns would mean that the conversation loops. */
const mostTurns = 40;

export interface Playing {
  readonly store: Store;
  readonly world: World;
  readonly caller: Caller;
  readonly now: number;
  /** After this signal the process must not continue. */
  readonly died?: AbortSignal;
  /** Called for each request to the model. False: the request is never answered. */
  readonly infer?: () => boolean;
  /** Called before the caller speaks. */
  readonly onTurn?: (caller: Caller) => void;
}

/** Plays a scene to its end, or until the process dies. Resumes from the store. */
export async function play(
  scene: Scene,
  { store, world, caller, now, died, infer = () => true, onTurn }: Playing,
): Promise<'ended' | 'died'> {
  const clock: Clock = {
    now: () => now,
    schedule: (delayMs, task) => systemClock.schedule(delayMs, () => died?.aborted !== true && task()),
  };
  const session = sessionFor(scene, clock, infer);
  const runner = createRunner({
    session,
    flow: scene.flow,
    flows: scene.flows ?? {},
    sessionId,
    timeZone: 'UTC',
    store,
    clock,
    tools: world.tools,
    handlers: world.handlers,
    // A repetition by the model must be visible, not stopped by the usual limit.
    limits: { equalWritesPerTurn: 100 },
  });
  let spoken = '';
  runner.onSpeech((text) => (spoken += ` ${text}`));
  let ended = false;
  void runner.ended.then(() => (ended = true));
  const death = new Promise<'died'>((resolve) =>
    died?.addEventListener('abort', () => resolve('died'), { once: true }),
  );
  /** Sends words under the id of this turn, and waits for the agent's answer or the end. */
  const say = async (words: string): Promise<'taken' | 'duplicate' | 'over'> => {
    const outcome = await runner.send(words, { eventId: `turn_${caller.turns}` });
    await runner.idle();
    if (runner.state.status !== 'active') await runner.ended;
    return outcome;
  };
  const answer = async (): Promise<'ended'> => {
    await runner.start();
    await runner.idle();
    // A caller whose words were taken does not repeat them.
    let wasTaken = caller.last !== null && (await say(caller.last)) === 'duplicate';
    while (!ended) {
      if (caller.turns > mostTurns) throw new Error(`${scene.name} goes round in circles: ${spoken}`);
      const { question, words } = answerTo(scene, spoken);
      if (wasTaken && question === caller.question) throw new Error(`${scene.name} has forgotten: ${caller.last}`);
      wasTaken = false;
      caller.question = question;
      spoken = '';
      caller.turns += 1;
      caller.last = words;
      onTurn?.(caller);
      await say(words);
    }
    return 'ended';
  };
  return await Promise.race([answer(), death]);
}

/** Creates a text session for the scene's model. */
function sessionFor({ realtime, script }: Scene, clock: Clock, infer: () => boolean): voice.AgentSession {
  if (realtime === undefined) {
    const thinking =
      script === undefined ? new OfflineBrain({ clock, timeZone: 'UTC' }) : new ScriptedModel(script, { clock });
    return createTextSession(new MortalModel(thinking, infer, clock));
  }
  // The reply to a dying process is not stored.
  return createRealtimeSession(new FakeRealtimeModel((request) => (infer() ? realtime(request) : { text: 'Well.' })));
}

/** Returns the caller's answer to the last question. */
function answerTo({ name, answers }: Scene, spoken: string): { readonly question: string; readonly words: string } {
  const asked = answers.map(([question, words]) => ({
    question: question.source,
    words,
    at: lastIndex(spoken, question),
  }));
  const [last] = asked.filter(({ at }) => at >= 0).toSorted((a, b) => b.at - a.at);
  if (last === undefined) throw new Error(`${name}: nothing to answer in "${spoken}"`);
  return last;
}

function lastIndex(text: string, pattern: RegExp): number {
  return [...text.matchAll(new RegExp(pattern, 'gi'))].at(-1)?.index ?? -1;
}

/** Returns the state that must be equal with and without a crash: the session's values and the writes in the world. */
export async function outcome(store: Store, world: World): Promise<Json> {
  const snapshot = await store.sessions.get(sessionId);
  const state = snapshot?.state as unknown as SessionState; // Written by the engine.
  const { status } = state;
  const { flow, node, stack } = state.position;
  const { slots, variables, outputs, input } = state.knowledge;
  const open = (await store.effects.list(sessionId)).filter(
    (one) => one.state === 'intended' || one.state === 'started',
  );
  const kept = { status, flow, node, slots: withoutTurns(slots), variables, outputs, input, stack };
  return JSON.parse(JSON.stringify({ kept, open: open.map(({ kind }) => kind), written: world.written() })) as Json;
}

/** Removes the turn of each value: a new process greets, and its greeting counts as a turn. */
function withoutTurns(slots: SessionState['knowledge']['slots']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(slots).map(([name, { source, ...slot }]) => {
      const from = source !== undefined && 'turn' in source ? source.kind : source;
      return [name, { ...slot, source: from }];
    }),
  );
}

/** Whether the log folds to the stored state, byte for byte, without language rules. */
export async function foldsToItsState(store: Store, scene: Scene): Promise<boolean> {
  let graph = graphOf(scene);
  const log = await store.steps.list(sessionId);
  let state = newSession(sessionId);
  for (const { signal } of log) {
    if (signal.type === 'flow:handed-off')
      graph = generatorGraph(signal.flow.id, { language: languageOf(defaultLanguage), languageOf });
    ({ state } = step(withoutTables(graph), state, signal));
  }
  return sameValue(state, (await store.sessions.get(sessionId))?.state);
}

const graphs = new Map<string, Graph>();

function graphOf({ name, flow, openWorld }: Scene): Graph {
  const known = graphs.get(name);
  if (known !== undefined) return known;
  const { tools, handlers } = openWorld(ledgerInMemory());
  const functions = new Set(tools.map(({ name }) => name));
  const { graph } = checkFlow(flow, { catalog: builtinCatalog, functions, handlers: new Set(Object.keys(handlers)) });
  if (graph === null) throw new Error(`${name} does not compile`);
  graphs.set(name, graph);
  return graph;
}
