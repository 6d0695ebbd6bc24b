import { isDeepStrictEqual } from 'node:util';
import { defaultLanguage, languageOf } from '../../src/language/language-of.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { compileFlow } from '../../src/flow/graph/compile/compile.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import type { NodeType } from '../../src/flow/graph/nodes/node-type.ts';
import type { Effect, EffectKey } from '../../src/model/effect.ts';
import type { FlowEvents, FlowFact } from '../../src/model/events/event.ts';
import type { FlowRef } from '../../src/model/flow-ref.ts';
import type { Utterance } from '../../src/model/dialogue.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import type { ValueReadings } from '../../src/model/provenance.ts';
import type { CallNext, SettledCall, Signal } from '../../src/model/signals/signal.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversationSchema } from '../../src/flow/document/document.ts';
import type { Reader } from '../../src/model/ports/reader.ts';
import { actsOfOldReading, type OldReading } from '../../src/kernel/dialogue/old-reading.ts';
import { newSession, type SessionState } from '../../src/kernel/state/state.ts';
import { step } from '../../src/kernel/step.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { withSpoken } from '../../src/engine/words/read-signal.ts';
import { readOldSignal } from '../../src/runner/read-old-signal.ts';
import { isConfirmation } from '../../src/kernel/state/draft.ts';

/** The moment at which every test conversation takes place: 2026-11-21, 12:00 UTC. */
export const noon = Date.UTC(2026, 10, 21, 12);

/** The same moment in local time of every test conversation. */
export const noonCivil = '2026-11-21T12:00';

/** Compiles a flow of a test. An invalid flow fails the test with its problems. */
export function graphOf(
  flow: ConversationFlow,
  functions: readonly string[] = [],
  nodeTypes: readonly NodeType[] = [],
  endless = false,
): Graph {
  const { graph, problems } = compileFlow(conversationSchema.parse(flow), {
    catalog: createCatalog([...builtinCatalog.values(), ...nodeTypes]),
    functions: new Set(functions),
    language: languageOf(flow.language ?? defaultLanguage),
    languageOf,
    endless,
  });
  if (graph === null) throw new Error(JSON.stringify(problems, null, 2));
  return graph;
}

function utteranceIn(read: Utterance | OldReading | undefined): { readonly utterance?: Utterance } {
  if (read === undefined) return {};
  return { utterance: 'acts' in read ? read : actsOfOldReading(read) };
}

interface Line {
  readonly key: EffectKey;
  readonly text: string;
}

/** Returns the lines whose heard part is not known yet. */
function unspokenIn(state: SessionState): readonly Line[] {
  return Object.values(state.effects).flatMap((effect): Line[] => {
    if (effect.state !== 'intended') return [];
    if (effect.kind === 'say') return [{ key: effect.key, text: effect.payload.text }];
    return isConfirmation(effect) ? [{ key: effect.key, text: effect.payload.put ?? effect.payload.say }] : [];
  });
}

function heardWhole({ key, text }: Line): Extract<Signal, { type: 'speech:settled' }> {
  return { type: 'speech:settled', at: noon, key, state: 'done', text, heard: text };
}

export interface TestCall {
  readonly name: string;
  readonly arguments?: JsonObject;
  readonly state?: SettledCall['state'];
  readonly result?: Json;
  readonly next?: CallNext;
  readonly readings?: ValueReadings;
  readonly isRunning?: true;
  /** The key under which it was called; by default the turn's next. */
  readonly key?: EffectKey;
  /** The place of the call, if it is not the current visit. */
  readonly at?: { readonly node: string; readonly visit: number };
}

/** A conversation with the bare kernel: sends signals and remembers the effects of each step. */
export function conversation(graph: Graph, sessionId = 's') {
  let state: SessionState = newSession(sessionId);
  let effects: readonly Effect[] = [];
  let facts: readonly FlowFact[] = [];
  const log: Signal[] = [];
  const signals = {
    send(signal: Signal): readonly Effect[] {
      // By default the caller speaks when the lines of the agent are over.
      if (signal.type === 'user:turn') for (const line of unspokenIn(state)) signals.fold(heardWhole(line));
      return signals.fold(signal);
    },
    fold(signal: Signal): readonly Effect[] {
      const read = readOldSignal({ graph, state }, signal);
      const next = step(graph, state, read);
      const kept = withSpoken(read, next);
      const again = step(withoutTables(graph), state, kept);
      if (!isDeepStrictEqual(again, next)) throw new Error('A replay comes to something else.');
      log.push(kept);
      ({ state, effects, facts } = next);
      return effects;
    },
    start(input: JsonObject = {}): readonly Effect[] {
      return signals.send({
        type: 'session:started',
        at: noon,
        sessionId,
        flow: flowOf(graph),
        input,
        timeZone: 'UTC',
      });
    },
    turn(text: string, eventId = `ev${log.length}`, read?: Utterance | OldReading): readonly Effect[] {
      return signals.send({ type: 'user:turn', at: noon, eventId, text, via: 'text', ...utteranceIn(read) });
    },
    /** The caller has been silent for as long as the open question waits. */
    silence(): readonly Effect[] {
      return signals.send({ type: 'silence:elapsed', at: noon });
    },
    /** The completion of the open reply: its calls in order, and its text. */
    batch(
      calls: readonly TestCall[],
      text = '',
      more: { superseded?: boolean; reply?: string | null; asks?: boolean } = {},
    ) {
      const reply = openReply(state)?.key ?? null;
      return signals.send({
        type: 'batch:settled',
        at: noon,
        reply,
        text,
        calls: calls.map((call, index) => ({
          key: call.key ?? `${sessionId}/${state.turn.number}/${state.turn.ordinal + index}`,
          callId: `c${log.length}.${index}`,
          name: call.name,
          node: call.at?.node ?? state.position.node,
          visit: call.at?.visit ?? state.position.visit,
          arguments: call.arguments ?? {},
          state: call.state ?? 'done',
          ...(call.result === undefined ? {} : { result: call.result }),
          ...(call.next === undefined ? {} : { next: call.next }),
          ...(call.readings === undefined ? {} : { readings: call.readings }),
          ...(call.isRunning === undefined ? {} : { isRunning: call.isRunning }),
        })),
        ...more,
      });
    },
    /** Starts a write call and returns its key. */
    called(call: TestCall): EffectKey {
      const key = `${sessionId}/${state.turn.number}/${state.turn.ordinal}`;
      const { node, visit } = call.at ?? state.position;
      signals.send({
        type: 'tool:called',
        at: noon,
        key,
        callId: `c${log.length}`,
        name: call.name,
        node,
        visit,
        arguments: call.arguments ?? {},
      });
      return key;
    },
    /** Settles a call that ran after a yes or a crash. */
    settleTool(key: EffectKey, outcome: Partial<TestCall> & { superseded?: boolean } = {}): readonly Effect[] {
      const effect = state.effects[key];
      if (effect?.kind !== 'tool') throw new Error(`${key} is no open call`);
      const { name, node, visit } = effect.payload;
      const { superseded, ...rest } = outcome;
      const call = { name, at: { node, visit }, arguments: effect.payload.arguments, key, ...rest };
      return signals.batch([call], '', { reply: null, ...(superseded === undefined ? {} : { superseded }) });
    },
    /** Settles an action, a context change, a task or the end. */
    settleEffect(key: EffectKey, outcome: 'done' | 'failed' | 'cancelled' = 'done', result?: Json): readonly Effect[] {
      const more = result === undefined ? {} : { result };
      return signals.send({ type: 'effect:settled', at: noon, key, state: outcome, ...more });
    },
    /** Reports the heard part of a spoken line. */
    heard(
      key: EffectKey,
      heard: string,
      outcome: 'done' | 'failed' | 'cancelled' = 'done',
      text?: string,
    ): readonly Effect[] {
      const line = unspokenIn(state).find((one) => one.key === key);
      return signals.send({ ...heardWhole({ key, text: text ?? line?.text ?? heard }), state: outcome, heard });
    },
    /** Fails the open reply. */
    failReply(reason: 'late' | 'empty' | 'broken' = 'late'): readonly Effect[] {
      return signals.send({ type: 'reply:failed', at: noon, key: openReply(state)?.key ?? '', reason });
    },
    resume(): readonly Effect[] {
      return signals.send({ type: 'session:resumed', at: noon });
    },
    end(reason = 'hung-up'): readonly Effect[] {
      return signals.send({ type: 'session:ended', at: noon, reason });
    },
    request(to: string): readonly Effect[] {
      return signals.send({ type: 'node:requested', at: noon, to });
    },
    /** Switches to another flow and its graph. */
    swap(to: Graph, node?: string, stays = false): readonly Effect[] {
      graph = to;
      return signals.send({
        type: 'flow:swapped',
        at: noon,
        flow: flowOf(to),
        ...(node === undefined ? {} : { node }),
        ...(stays ? { stays } : {}),
      });
    },
    /** Calls another flow and switches to its graph. */
    call(to: Graph, input: JsonObject = {}): readonly Effect[] {
      graph = to;
      return signals.send({ type: 'flow:called', at: noon, flow: flowOf(to), input });
    },
    /** Returns from the called flow to its caller and the caller's graph. */
    giveBack(to: Graph): readonly Effect[] {
      graph = to;
      return signals.send({ type: 'flow:returned', at: noon });
    },
  };
  return {
    ...signals,
    log,
    get graph() {
      return graph;
    },
    get state() {
      return state;
    },
    get effects() {
      return effects;
    },
    get facts() {
      return facts;
    },
    /** The effects of the last step, one line each: `say: text`, `reply node`, `wait: question`, `tool name`. */
    get outcome(): readonly string[] {
      return effects.map(describe);
    },
    /** The transitions of the last step: `from -> to by cause`. */
    get moves(): readonly string[] {
      return told('transition:taken').map(({ from, to, cause }) => `${from} -> ${to} by ${cause}`);
    },
    /** The events of the last step with one type. */
    told,
    /** The values of the known slots. */
    get known(): JsonObject {
      return Object.fromEntries(Object.entries(state.knowledge.slots).map(([name, slot]) => [name, slot.value]));
    },
  };

  function told<Type extends keyof FlowEvents>(type: Type): readonly FlowEvents[Type][] {
    // The type determines the data, and it has been compared.
    return facts.flatMap((fact) => (fact.type === type ? [fact.data as FlowEvents[Type]] : []));
  }
}

/** Returns the flow without any language tables, names of months or phone numbers: a replay needs none of them. */
export function withoutTables(graph: Graph): Graph {
  const spoken = (): never => {
    throw new Error('A replay has asked how a value is said.');
  };
  const spokenIn: Graph['spokenIn'] = (language) => withoutTables(graph.spokenIn(language));
  return { ...graph, reader: noReader, speech: { ...graph.speech, spoken }, spokenIn };
}

const noReader = new Proxy({} as Reader, {
  get: (_, name) => {
    throw new Error(`A replay has asked for ${String(name)}.`);
  },
});

function flowOf(graph: Graph): FlowRef {
  return { id: graph.name, hash: graph.hash };
}

function openReply(state: SessionState): Effect | undefined {
  return Object.values(state.effects).find((effect) => effect.kind === 'reply');
}

function describe(effect: Effect): string {
  switch (effect.kind) {
    case 'say':
      return `say: ${effect.payload.text}`;
    case 'reply':
      return `reply ${effect.payload.node}`;
    case 'wait':
      return isConfirmation(effect) ? `wait: ${effect.payload.say}` : `wait: ${effect.payload.wait}`;
    case 'message':
      return `message ${effect.payload.to}: ${effect.payload.text}`;
    case 'tool':
      return `tool ${effect.payload.name}`;
    case 'action':
      return `${effect.payload.when}-action ${effect.payload.handler}`;
    case 'context':
      return effect.payload.strategy;
    case 'task':
      return `task ${effect.payload.type}`;
    case 'advance':
      return `advance from ${effect.payload.step}`;
    case 'handoff':
      return `handoff ${effect.payload.to}`;
    case 'keys':
      return `keys ${effect.payload.keys}`;
    case 'transfer':
      return `transfer ${effect.payload.mode}`;
    case 'end':
      return `end ${effect.payload.reason}`;
  }
}
