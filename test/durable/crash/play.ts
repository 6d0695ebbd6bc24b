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
import { FlowRunner } from '../../../src/runner/flow-runner.ts';
import { OfflineBrain } from '../../../src/offline/brain/offline-brain.ts';
import { systemClock } from '../../../src/system.ts';
import { createTextSession } from '../../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';
import { FakeRealtimeModel } from '../../livekit/realtime/fake-model.ts';
import { createRealtimeSession } from '../../livekit/realtime/realtime-session.ts';
import { MortalModel } from './mortal-model.ts';
import { defaultLanguage, languageOf } from '../../../src/language/language-of.ts';
import { ledgerInMemory, type Scene, type World } from './scenes.ts';

/** What the caller's telephone remembers from before the crash: it sends the last words again, under their id. */
export interface Caller {
  turns: number;
  last: string | null;
  /** What was asked then. */
  question: string | null;
}

export function newCaller(): Caller {
  return { turns: 0, last: null, question: null };
}

export const sessionId = 'call';

/** More would be a conversation that goes round in circles. */
const mostTurns = 40;

export interface Playing {
  readonly store: Store;
  readonly world: World;
  readonly caller: Caller;
  readonly now: number;
  /** From then on nothing of this process may go on. */
  readonly died?: AbortSignal;
  /** The model is asked; false where it is never to answer. */
  readonly infer?: () => boolean;
  /** The caller is about to say something. */
  readonly onTurn?: (caller: Caller) => void;
}

/** Plays a scene to its end, or until the process "dies"; goes on with what the store has kept. */
export async function play(
  scene: Scene,
  { store, world, caller, now, died, infer = () => true, onTurn }: Playing,
): Promise<'ended' | 'died'> {
  const clock: Clock = {
    now: () => now,
    schedule: (delayMs, task) => systemClock.schedule(delayMs, () => died?.aborted !== true && task()),
  };
  const session = sessionFor(scene, clock, infer);
  const runner = new FlowRunner({
    session,
    flow: scene.flow,
    flows: scene.flows ?? {},
    sessionId,
    timeZone: 'UTC',
    store,
    clock,
    tools: world.tools,
    handlers: world.handlers,
    // What a model does again is to be seen, and not to be stopped by the limit that stops it elsewhere.
    limits: { equalWritesPerTurn: 100 },
  });
  let spoken = '';
  runner.onSpeech((text) => (spoken += ` ${text}`));
  let ended = false;
  void runner.ended.then(() => (ended = true));
  const death = new Promise<'died'>((resolve) =>
    died?.addEventListener('abort', () => resolve('died'), { once: true }),
  );
  /** Says something under the id of this turn, and waits until the agent has answered or the conversation is over. */
  const say = async (words: string): Promise<'taken' | 'duplicate' | 'over'> => {
    const outcome = await runner.send(words, { eventId: `turn_${caller.turns}` });
    await runner.idle();
    if (runner.state.status !== 'active') await runner.ended;
    return outcome;
  };
  const answer = async (): Promise<'ended'> => {
    await runner.start();
    await runner.idle();
    // Whose words were taken is not asked for them again.
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

/** A session in text, whatever its model is. */
function sessionFor({ realtime, script }: Scene, clock: Clock, infer: () => boolean): voice.AgentSession {
  if (realtime === undefined) {
    const thinking =
      script === undefined ? new OfflineBrain({ clock, timeZone: 'UTC' }) : new ScriptedModel(script, { clock });
    return createTextSession(new MortalModel(thinking, infer, clock));
  }
  // What a process that dies is answered is kept nowhere.
  return createRealtimeSession(new FakeRealtimeModel((request) => (infer() ? realtime(request) : { text: 'Well.' })));
}

/** The caller answers what was asked last. */
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

/** All that must be the same with and without a crash: what the session knows, and what was done in the world. */
export async function outcome(store: Store, world: World): Promise<Json> {
  const snapshot = await store.loadSnapshot(sessionId);
  const state = snapshot?.state as unknown as SessionState; // Written by the engine.
  const { status, flow, node, slots, variables, outputs, input, stack } = state;
  const open = (await store.loadEffects(sessionId)).filter(
    (one) => one.state === 'intended' || one.state === 'started',
  );
  const kept = { status, flow, node, slots: withoutTurns(slots), variables, outputs, input, stack };
  return JSON.parse(JSON.stringify({ kept, open: open.map(({ kind }) => kind), written: world.written() })) as Json;
}

/** In which turn a value was said is no part of the end: a new process greets, and its greeting counts as a turn. */
function withoutTurns(slots: SessionState['slots']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(slots).map(([name, { source, ...slot }]) => {
      const from = source !== undefined && 'turn' in source ? source.kind : source;
      return [name, { ...slot, source: from }];
    }),
  );
}

/** The log must fold to the state that is kept beside it, byte for byte, and needs no rules for words for that. */
export async function foldsToItsState(store: Store, scene: Scene): Promise<boolean> {
  let graph = graphOf(scene);
  const log = await store.readLog(sessionId);
  let state = newSession(sessionId);
  for (const { signal } of log) {
    if (signal.type === 'flow:handed-off')
      graph = generatorGraph(signal.flow.id, { language: languageOf(defaultLanguage), languageOf });
    ({ state } = step(withoutTables(graph), state, signal));
  }
  return sameValue(state, (await store.loadSnapshot(sessionId))?.state);
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
