import type { Utterance } from '../../src/model/dialogue.ts';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Effect } from '../../src/model/effect.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { formatDiagnostic } from '../../src/flow/document/problems/diagnostic.ts';
import type { Graph, GraphFunction } from '../../src/flow/graph/graph.ts';
import { functionIn } from '../../src/kernel/move/offers.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { conversation, noonCivil, type TestCall } from '../kernel/session.ts';
import { isConfirmation } from '../../src/kernel/state/draft.ts';

export type Tools = Record<string, (args: unknown, call: { readonly key: string }) => Promise<unknown>>;

/** The caller's words, the scripted calls of the model, and everything that the caller then hears. */
export type Exchange = readonly [words: string, calls: readonly TestCall[], heard: string];

export interface Ran {
  readonly name: string;
  readonly args: JsonObject;
  readonly key: string;
}

/** Compiles the flow of a folder of `flows/` with its tools. Throws on any error or warning; a note is advice. */
export function flowOf(folder: string, tools: Tools): Graph {
  const known = compiled.get(folder);
  if (known !== undefined) return known;
  const path = join(import.meta.dirname, '../../flows', folder, 'flow.yaml');
  const names = new Set(Object.keys(tools));
  const { graph, diagnostics } = checkFlow(path, { catalog: builtinCatalog, functions: names, handlers: names });
  expect(diagnostics.filter(({ severity }) => severity !== 'note').map(formatDiagnostic)).toEqual([]);
  if (graph === null) throw new Error(`${folder} does not compile`);
  compiled.set(folder, graph);
  return graph;
}

const compiled = new Map<string, Graph>();

/** A call of a function by the model. */
export function call(name: string, args: JsonObject = {}): TestCall {
  return { name, arguments: args };
}

/** A call of the model that records slots. */
export function record(slots: JsonObject): TestCall {
  return call('record', slots);
}

/**
 * A phone call on the bare kernel with the flow's own tools. The meaning of the caller's words is scripted. If a node
 * is entered without words, for a lookup or a write, the function whose arguments are all known slots is called.
 */
export function phoneCall(graph: Graph, tools: Tools) {
  const session = conversation(graph);
  const lines: string[] = [];
  const ran: Ran[] = [];
  let ended: string | null = null;

  async function run(name: string, args: JsonObject, key: string): Promise<Json> {
    const handler = tools[name];
    if (handler === undefined) throw new Error(`no tool is called ${name}`);
    ran.push({ name, args, key });
    return (await handler(args, { key })) as Json; // The flows' tools return JSON.
  }

  /** Settles a call of the model: writes wait for their yes, reads run, the rest only moves. */
  async function settled(one: TestCall): Promise<TestCall> {
    const node = graph.nodes.get(session.state.position.node);
    const offered = node === undefined ? null : functionIn(graph, node, one.name);
    if (offered === null) throw new Error(`${session.state.position.node} does not offer ${one.name}`);
    if (offered.confirm !== null) return { ...one, state: 'waiting' };
    if (offered.body !== 'tool' || one.state === 'failed') return one;
    return { ...one, result: await run(offered.handler, one.arguments ?? {}, 'read') };
  }

  async function complete(calls: readonly TestCall[]): Promise<void> {
    await perform(session.batch(await Promise.all(calls.map(settled))));
  }

  async function perform(effects: readonly Effect[]): Promise<void> {
    for (const effect of effects) {
      const { kind, key, payload } = effect;
      if (kind === 'say') lines.push(payload.text);
      else if (isConfirmation(effect)) lines.push(effect.payload.say);
      else if (kind === 'context') session.settleEffect(key, 'done', 'summary');
      else if (kind === 'action') {
        await run(payload.handler, payload.data, key);
        session.settleEffect(key);
      } else if (kind === 'tool') {
        // A call by a node itself follows the same rules as a call of the model.
        const outcome = payload.isByNode
          ? await settled({ name: payload.name, arguments: payload.arguments })
          : { result: await run(payload.handler, payload.arguments, key) };
        await perform(session.settleTool(key, outcome));
      } else if (kind === 'end') {
        ended = payload.reason;
        session.settleEffect(key);
      }
    }
    const next = isReplyOpen() ? knownCall() : null;
    if (next !== null && effects.some(({ kind }) => kind === 'reply')) await complete([next]);
  }

  function isReplyOpen(): boolean {
    return Object.values(session.state.effects).some(({ kind }) => kind === 'reply');
  }

  /** Returns the one function of the node whose required arguments are all known. */
  function knownCall(): TestCall | null {
    const functions = graph.nodes.get(session.state.position.node)?.functions ?? [];
    const callable = functions.flatMap((offered) => {
      const args = knownArguments(offered);
      return args === null ? [] : [call(offered.name, args)];
    });
    return callable.length === 1 ? (callable[0] ?? null) : null;
  }

  function knownArguments({ parameters, body }: GraphFunction): JsonObject | null {
    const required = (parameters['required'] ?? []) as string[]; // Compiled: a list of names.
    if (body !== 'tool' || required.length === 0) return null;
    const known: Record<string, Json> = {};
    for (const [name, schema] of Object.entries(parameters['properties'] as Record<string, { enum?: Json[] }>)) {
      const only = schema.enum?.length === 1 ? schema.enum[0] : undefined;
      const value = only ?? session.known[name];
      if (value !== undefined) known[name] = value;
    }
    return required.every((name) => Object.hasOwn(known, name)) ? known : null;
  }

  return {
    session,
    /** Every tool and action that ran, in order. */
    ran,
    /** Returns the arguments of each run of one tool. */
    ranAs: (name: string): readonly JsonObject[] => ran.filter((one) => one.name === name).map(({ args }) => args),
    /** Returns the reason for which the call ended, or null. */
    ended: (): string | null => ended,
    /** Returns the first line that the caller hears. */
    async begin(): Promise<string> {
      await perform(session.start());
      return heard();
    },
    /** Plays exchanges and expects exactly the written lines. */
    async talk(...exchanges: readonly Exchange[]): Promise<void> {
      for (const [words, calls, expected] of exchanges) {
        expect(ended, `the call has ended before "${words}"`).toBeNull();
        // Decisions that rules could take without the model are scripted too.
        const utterance = readUtterance({ graph, state: session.state, civil: noonCivil }, words);
        const effects = session.turn(words, undefined, withoutDecisions(utterance));
        const isForModel = effects.some(({ kind }) => kind === 'reply');
        if (isForModel && calls.length > 0) await complete(calls);
        else await perform(effects);
        expect(heard(), `after "${words}"`).toBe(expected);
      }
    },
  };

  function heard(): string {
    return lines.splice(0).join(' ');
  }
}

/** Returns the utterance without the parts that rules would take without a model. */
function withoutDecisions(utterance: Utterance): Utterance {
  const acts = utterance.acts.filter(({ act }) => act !== 'call' && act !== 'inform' && act !== 'correct');
  return acts.length === utterance.acts.length ? utterance : { ...utterance, acts, rest: true };
}
