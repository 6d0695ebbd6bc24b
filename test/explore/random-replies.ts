import type { Json, JsonObject } from '../../src/model/json.ts';
import type { Graph, GraphFunction } from '../../src/flow/graph/graph.ts';
import type { Chance } from './chance.ts';

/** A random call by a model. */
export interface RandomCall {
  readonly name: string;
  readonly rawArguments: string;
  /** Whether a function may run with this call: the function is offered and the arguments match its schema. */
  readonly mayRun: boolean;
}

/** One random reply of a model. */
export interface RandomReply {
  readonly text: string;
  readonly calls: readonly RandomCall[];
  readonly delayMs: number;
  readonly wordMs: number;
  /** `error`: fails before the first word. A number: cuts the stream after that many words. */
  readonly fails: 'error' | number | null;
}

const texts = ['All right.', 'Let me see what I can do for you there.', 'Could you say that again?', 'Well.'] as const;

/** Creates a random reply, valid or faulty. */
export function randomReply(chance: Chance, graph: Graph, offered: readonly GraphFunction[]): RandomReply {
  const isEmpty = chance.often(0.05);
  const count = isEmpty ? 0 : chance.pick([0, 0, 1, 1, 1, 2, 3]);
  const calls = Array.from({ length: count }, () => randomCall(chance, graph, offered));
  const text = isEmpty || (count > 0 && chance.often(0.7)) ? '' : chance.pick(texts);
  return {
    text,
    calls,
    delayMs: chance.pick([0, 0, 0, 200, 1_700, 3_000, 4_500, 30_000]),
    wordMs: chance.pick([0, 0, 30, 300]),
    fails: chance.often(0.08) ? (chance.often(0.5) ? 'error' : chance.below(4)) : null,
  };
}

function randomCall(chance: Chance, graph: Graph, offered: readonly GraphFunction[]): RandomCall {
  if (offered.length === 0 || chance.often(0.08)) {
    const elsewhere = [...graph.nodes.values()].flatMap((node) => node.functions);
    const here = new Set(offered.map(({ name }) => name));
    const name = chance.any(elsewhere.filter((one) => !here.has(one.name)))?.name ?? '__proto__';
    return { name, rawArguments: '{}', mayRun: false };
  }
  const one = chance.any(offered) as GraphFunction; // The list is not empty.
  if (one.body === 'record') return { name: one.name, rawArguments: recordArguments(chance, graph), mayRun: true };
  const given = objectFor(chance, one.parameters);
  if (chance.often(0.15)) {
    const raw = chance.pick(['{"amount": 1', 'ten dollars', '[10]', '"x"', 'null', '{"__proto__": 1}}']);
    // A read without required arguments accepts null for an empty object.
    const { required } = one.parameters;
    const needsNothing = !one.write && (!Array.isArray(required) || required.length === 0);
    return { name: one.name, rawArguments: raw, mayRun: raw === 'null' && needsNothing };
  }
  const names = Object.keys(given);
  const scalar = chance.any(names.filter((name) => typeof given[name] !== 'object'));
  if (scalar !== undefined && chance.often(0.12)) {
    const broken = { ...given, [scalar]: { not: ['this'] } };
    return { name: one.name, rawArguments: JSON.stringify(broken), mayRun: false };
  }
  return {
    name: one.name,
    rawArguments: names.length === 0 ? chance.pick(['{}', '']) : JSON.stringify(given),
    mayRun: true,
  };
}

function objectFor(chance: Chance, schema: JsonObject): JsonObject {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonObject>);
  const required = new Set((schema['required'] ?? []) as string[]);
  return Object.fromEntries(
    properties
      .filter(([name]) => required.has(name) || chance.often(0.5))
      .map(([name, property]) => [name, valueFor(chance, property)]),
  );
}

function valueFor(chance: Chance, schema: JsonObject): Json {
  const values = schema['enum'];
  if (Array.isArray(values)) return chance.any(values as readonly Json[]) ?? null;
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? 1) + chance.below(3);
    case 'boolean':
      return chance.often(0.5);
    case 'array':
      return [];
    case 'object':
      return objectFor(chance, schema);
    default:
      return textFor(chance, schema['format']);
  }
}

function textFor(chance: Chance, format: Json | undefined): string {
  if (format === 'date') return chance.pick(['2030-01-09', '2030-01-10']);
  if (format === 'time') return chance.pick(['09:30', '18:00']);
  return chance.pick(['Maria Delgado', '+14155550123', 'by the door']);
}

const slotValues: readonly Json[] = [
  'Maria Delgado',
  'small',
  'large',
  'pain',
  'billing',
  '1984-03-04',
  '2030-01-09',
  '09:30',
  '+14155550123',
  3,
  30,
  true,
  '',
  null,
  { a: 1 },
];

function recordArguments(chance: Chance, graph: Graph): string {
  if (chance.often(0.08)) return '{"who": "Maria';
  const given: Record<string, Json> = {};
  for (const slot of graph.slots.values())
    if (chance.often(0.5))
      given[slot.name] = chance.often(0.4) ? (fitting(chance, slot.values) ?? 1) : (chance.any(slotValues) ?? null);
  if (chance.often(0.1)) given['no_such_slot'] = 1;
  return JSON.stringify(given);
}

function fitting(chance: Chance, values: ReadonlyMap<string, unknown>): string | undefined {
  return chance.any([...values.keys()]);
}

/** Creates a random result, which mostly leads to a branch. */
export function randomResult(chance: Chance, offered: GraphFunction | null): Json {
  const target = offered?.target;
  if (target?.kind !== 'branch' || chance.often(0.1)) return chance.pick<Json>(['ok', { ok: true }, null, 3, 'done']);
  const text = chance.any([...target.cases.keys()]) ?? 'ok';
  const value: Json = text === 'true' ? true : text === 'false' ? false : text;
  return [...target.field].toReversed().reduce<Json>((inner, name) => ({ [name]: inner }), value);
}

/** Creates random words of a caller. `yes`: whether they are a plain yes. */
export function randomWords(chance: Chance): { readonly text: string; readonly yes: boolean } {
  const yes = chance.often(0.4);
  const text = yes
    ? chance.pick(['yes', 'yes please', 'yeah', 'sure'])
    : chance.pick([
        'no',
        'no thanks',
        'wait',
        'Maria Delgado',
        'the large one',
        'what?',
        'yes but on Friday',
        '42',
        '',
      ]);
  return { text, yes };
}
