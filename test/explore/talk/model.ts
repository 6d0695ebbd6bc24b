import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { Graph, GraphFunction } from '../../../src/flow/graph/graph.ts';
import { functionsIn, nodeOf } from '../../../src/kernel/move/offers.ts';
import type { SessionState } from '../../../src/kernel/state/state.ts';
import type { ScriptedCall, ScriptedRequest } from '../../../src/testing/scripted-model.ts';
import type { Chance } from '../chance.ts';
import type { Meaning } from './said.ts';

/** The scripted model's knowledge besides the request. */
export interface Situation {
  readonly graph: Graph;
  readonly state: SessionState;
  /** The meaning of each sentence that the caller has said. */
  readonly meanings: ReadonlyMap<string, Meaning>;
}

export interface Competent {
  readonly calls: readonly ScriptedCall[];
  readonly text: string;
}

/**
 * Returns the reply of a model that understands every sentence, from the offered tools, the conversation and the known
 * values.
 */
export function competentReply(request: ScriptedRequest, situation: Situation, chance: Chance): Competent {
  const offered = offeredTo(request, situation);
  const known = knownIn(situation.state);
  const meaning = isAfterOutput(request) || isSpent(request) ? {} : meaningOf(request, situation.meanings);
  const refused = wasRefused(request);
  const calls = callsFor(offered, meaning, known);
  if (calls.length > 0) return { calls, text: '' };
  // The purpose of the node, once all its arguments are known.
  const due = refused ? undefined : dueCall(request, offered, known);
  if (due !== undefined && meaning.wants !== 'refuse') return { calls: [due], text: '' };
  if (refused) return { calls: [], text: 'Alright. What would you like instead?' };
  if (meaning.wants === 'price') return { calls: [], text: 'That is thirty dollars.' };
  return {
    calls: [],
    text: isAfterOutput(request) ? 'Thank you.' : chance.pick(['Sorry, what do you mean?', 'I did not get that.']),
  };
}

/** Returns the functions in the request, in the order of the view. */
export function offeredTo(request: ScriptedRequest, { graph, state }: Situation): readonly GraphFunction[] {
  const node = nodeOf(graph, state, state.position.node);
  const shown = new Set(request.tools);
  const known = (node === null ? [] : functionsIn(graph, node)).filter(({ name }) => shown.has(name));
  const reserved = shown.has('answer') && !known.some(({ name }) => name === 'answer');
  return reserved ? [...known, answerFunction] : known;
}

const answerFunction = { name: 'answer', body: 'edge', parameters: {}, description: '' } as unknown as GraphFunction; // Only these members are read.

export function knownIn(state: SessionState): JsonObject {
  return Object.fromEntries(Object.entries(state.knowledge.slots).map(([name, { value }]) => [name, value]));
}

export function isAfterOutput({ items }: ScriptedRequest): boolean {
  return items.at(-1)?.startsWith('output: ') ?? false;
}

/** Whether the instructions say that the caller's last words are already answered. */
export function isSpent({ instructions }: ScriptedRequest): boolean {
  return instructions.includes('last words were the answer to the question about');
}

/** Returns the meaning of the caller's last words. Unknown sentences have no meaning. */
export function meaningOf({ items }: ScriptedRequest, meanings: ReadonlyMap<string, Meaning>): Meaning {
  const last = items.findLast((item) => item.startsWith('user: ')) ?? '';
  let longest = '';
  for (const text of meanings.keys()) if (text.length > longest.length && last.includes(text)) longest = text;
  return meanings.get(longest) ?? {};
}

export function wasRefused({ items }: ScriptedRequest): boolean {
  const since = items.findLastIndex((item) => item.startsWith('user: '));
  return (
    items.slice(since).some((item) => item.startsWith('output: ') && /not agreed|not done/i.test(item)) ||
    /not agreed|not done: /i.test(items.at(-2) ?? '')
  );
}

export function propertiesOf(offered: GraphFunction): Readonly<Record<string, JsonObject>> {
  return (offered.parameters['properties'] ?? {}) as Record<string, JsonObject>; // Compiled schemas are objects by name.
}

export function requiredOf(offered: GraphFunction): readonly string[] {
  return (offered.parameters['required'] ?? []) as readonly string[]; // A compiled `required` is a list of names.
}

function callsFor(offered: readonly GraphFunction[], meaning: Meaning, known: JsonObject): readonly ScriptedCall[] {
  const { slots = {}, wants } = meaning;
  const calls: ScriptedCall[] = [];
  const taken = new Set<string>();
  const answer = offered.find(({ name }) => name === 'answer');
  const meant = wants === undefined ? undefined : functionFor(offered, wants, slots);
  if (meant !== undefined) {
    const names = Object.keys(propertiesOf(meant)).filter((name) => Object.hasOwn(slots, name));
    for (const name of names) taken.add(name);
    calls.push({ name: meant.name, arguments: Object.fromEntries(names.map((name) => [name, slots[name] as Json])) });
  } else if (answer !== undefined && (wants === 'agree' || wants === 'refuse') && Object.keys(slots).length === 0) {
    calls.push({ name: 'answer', arguments: { agrees: wants === 'agree' } });
  }
  const rest = Object.entries(slots).filter(([name, value]) => !taken.has(name) && known[name] !== value);
  if (rest.length > 0 && offered.some(({ body }) => body === 'record'))
    calls.push({ name: 'record', arguments: Object.fromEntries(rest) });
  return calls;
}

/** Returns the function that is meant by its name, or by a description of when the caller agrees or refuses. */
function functionFor(
  offered: readonly GraphFunction[],
  wants: string,
  slots: Readonly<Record<string, Json>>,
): GraphFunction | undefined {
  const callable = offered.filter(
    (one) =>
      one.body !== 'record' && one.name !== 'answer' && requiredOf(one).every((name) => Object.hasOwn(slots, name)),
  );
  if (wants === 'agree') return callable.find(({ description }) => /\b(agrees|says yes)\b/i.test(description));
  if (wants === 'refuse')
    return callable.find(({ description }) => /\b(refuses|says no|leaves the booking)\b/i.test(description));
  return callable.find(({ name }) => name === wants);
}

/** Returns the tool that the node's prompt asks for, with the known values. Skips the tool that was called last. */
function dueCall(
  { instructions, items }: ScriptedRequest,
  offered: readonly GraphFunction[],
  known: JsonObject,
): ScriptedCall | undefined {
  const since = items.findLastIndex((item) => item.startsWith('user: '));
  const justCalled = new Set(
    items.slice(since + 1).flatMap((item) => (item.startsWith('call: ') ? [item.slice(6)] : [])),
  );
  for (const one of offered) {
    if (one.body !== 'tool' || justCalled.has(one.name)) continue;
    const named = instructions.includes(one.name) || instructions.includes(one.description);
    if (!named) continue;
    const args: Record<string, Json> = {};
    for (const [name, schema] of Object.entries(propertiesOf(one))) {
      const only = schema['enum'];
      const value = known[name] ?? (Array.isArray(only) && only.length === 1 ? (only[0] as Json) : undefined);
      if (value !== undefined) args[name] = value;
    }
    if (requiredOf(one).every((name) => Object.hasOwn(args, name))) return { name: one.name, arguments: args };
  }
  return undefined;
}
