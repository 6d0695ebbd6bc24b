import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/flow/document/problems/diagnostic.ts';
import { conversationSchema } from '../../../src/flow/document/document.ts';
import { flow, problemsOf } from './found.ts';
import { cpuSecondsOf } from '../../cpu.ts';
import { isBroad, tries } from '../../tries.ts';

// Few names, so that most references exist and many names occur twice, and names of prototype members.
const name = fc.constantFrom('a', 'b', 'c', 'a-b', 'x', 'y', 'visit', '$return', 'constructor', 'toString', 'done');
const text = fc.oneof(
  fc.constantFrom('Hello.', '{{ a }}', 'For {{ visit.time }} {{ b.route }}', '{{ args.x }}?', '{{', '{{ 1 }}', ''),
  name.map((one) => `{{ ${one} }}`),
);
const messages = fc.array(fc.record({ role: fc.constantFrom('system', 'developer', 'user'), content: text }), {
  maxLength: 2,
});
const value = fc.oneof(text, fc.boolean(), fc.integer({ min: 0, max: 2 }), fc.constant(null));
const { when } = fc.letrec<{ when: object }>((tie) => ({
  when: fc.oneof(
    { depthSize: 'small' },
    fc.constant({ exists: { var: 'visit' } }),
    fc.record({ equals: fc.record({ var: name, value }) }),
    fc.record({ exists: fc.record({ var: fc.oneof(name, text) }) }),
    fc.record({ not: tie('when') }),
    fc.record({ all: fc.array(tie('when'), { maxLength: 2 }) }),
    fc.record({ any: fc.array(tie('when'), { maxLength: 2 }), not: tie('when') }),
    fc.record({ matches: fc.record({ var: name, value: fc.constantFrom('^a$', '(', '(?=a)') }) }),
  ),
}));
const named = fc.constantFrom('tool', 'book', 'choose', 'go', 'quit', 'record');
const branch = fc.record(
  { field: name, cases: fc.dictionary(name, name, { maxKeys: 2 }), default: name },
  { requiredKeys: ['field', 'cases'] },
);
const offered = fc.record(
  {
    name: named,
    description: text,
    parameters: fc.record({ properties: fc.dictionary(name, fc.constantFrom({ type: 'string' }, {}), { maxKeys: 2 }) }),
    handler: named,
    effect: fc.constantFrom('read', 'write'),
    confirm: fc.oneof(fc.boolean(), text),
    saveAs: name,
    transitionTo: fc.oneof(name, branch),
    transitionCallback: named,
    transitionOnly: fc.boolean(),
    digression: fc.boolean(),
  },
  { requiredKeys: ['name'] },
);
const functions = fc.array(offered, { maxLength: 2 });
const actions = fc.array(
  fc.record({ type: fc.constantFrom('tts_say', 'end_conversation', 'beep'), text }, { requiredKeys: ['type'] }),
  { maxLength: 1 },
);
const node = fc.record(
  {
    say: text,
    roleMessages: messages,
    taskMessages: messages,
    functions,
    collect: fc.array(name, { maxLength: 3 }),
    end: fc.oneof(fc.boolean(), fc.constant('over')),
    defaultTransition: name,
    onError: name,
    respondImmediately: fc.boolean(),
    preActions: actions,
    postActions: actions,
    type: fc.constantFrom('test.pure', 'test.loose', 'test.agent', 'test.fail', 'test.unknown'),
    input: fc.dictionary(name, fc.oneof(value, fc.array(value)), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
);
const slot = fc.record(
  {
    type: fc.constantFrom('text', 'enum', 'date'),
    ask: text,
    optional: fc.boolean(),
    confirmText: text,
    confirm: fc.constant('readback'),
  },
  { requiredKeys: ['type'] },
);
const document = fc.record(
  {
    initialNode: name,
    nodes: fc.oneof(
      fc.dictionary(name, node, { maxKeys: 6 }),
      fc.array(
        fc.tuple(fc.option(name), node).map(([id, rest]) => (id === null ? rest : { id, ...rest })),
        { maxLength: 6 },
      ),
    ),
    edges: fc.array(fc.record({ from: name, to: name, when }, { requiredKeys: ['from', 'to'] }), { maxLength: 6 }),
    slots: fc.dictionary(name, slot, { maxKeys: 3 }),
    state: fc.dictionary(name, fc.jsonValue(), { maxKeys: 2 }),
    input: fc.dictionary(name, fc.record({ type: fc.constantFrom('string', 'array') }), { maxKeys: 2 }),
    roleMessages: messages,
    functions,
    onError: name,
  },
  { requiredKeys: ['initialNode', 'nodes'] },
);

describe('whatever a document says', () => {
  test('compiling ends, and each problem has a place in the document, a fact and no more than it needs', () => {
    fc.assert(
      fc.property(document, (given) => {
        const parsed: unknown = conversationSchema.parse(given);
        for (const problem of problemsOf(given)) {
          expect(placeIn(parsed, problem)).toBe(true);
          expect(problem.message).toMatch(/\.$/);
        }
      }),
      { numRuns: tries(250) },
    );
  });

  test('these documents bring about every problem that needs no long text', () => {
    const missing = new Set(codes);
    for (const given of fc.sample(document, { seed: 1, numRuns: 1_000 })) {
      for (const { code } of problemsOf(given)) missing.delete(code);
      if (missing.size === 0) break;
    }
    expect([...missing]).toEqual([]);
  });
});

/** The codes that the graph checks can find in documents this small, nearly all of which have an unknown target. */
const codes = [
  'no-nodes',
  'unknown-initial-node',
  'unknown-target',
  'unknown-source',
  'return-without-digression',
  'reserved-name',
  'unknown-slot',
  'duplicate-collect',
  'slot-never-collected',
  'collect-never-asks',
  'dead-end',
  'maybe-dead-end',
  'collect-without-exit',
  'end-with-way-out',
  'routing-cycle',
  'ambiguous-edges',
  'shadowed-edge',
  'self-loop',
  'write-without-confirm',
  'global-shadowed',
  'undeclared-name',
  'unknown-output-field',
  'name-collision',
  'model-without-prompt',
  'silent-node',
  'say-and-prompt',
];

/** Checks whether a problem's path leads to a value and its marked part exists there. */
function placeIn(root: unknown, { path, atKey, within }: Problem): boolean {
  let place = root;
  for (const segment of path) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, segment)) return false;
    place = (place as Record<string | number, unknown>)[segment];
  }
  if (within === undefined) return atKey !== true || typeof path.at(-1) === 'string';
  return typeof place === 'string' && place.startsWith(within.text, within.start);
}

describe('thousands of nodes take a moment', () => {
  const size = isBroad ? 10_000 : 2_500;
  const each = (node: (index: number) => object, parts: object = {}): object =>
    flow(Object.fromEntries(Array.from({ length: size }, (_, index) => [`n${index}`, node(index)])), {
      state: { x: 0 },
      ...parts,
    });
  const pure = { type: 'test.pure' };
  const edges = (edge: (index: number) => object): object => ({
    edges: Array.from({ length: size }, (_, i) => edge(i)),
  });
  const when = (at: number): object => ({ equals: { var: 'x', value: at } });

  test.each([
    ['in a chain', each((i) => ({ ...pure, defaultTransition: i + 1 < size ? `n${i + 1}` : 'done' }))],
    ['in a circle', each((i) => ({ ...pure, defaultTransition: `n${(i + 1) % size}` }))],
    [
      'in a circle with chords',
      each(
        (i) => ({ ...pure, defaultTransition: `n${(i + 1) % size}` }),
        edges((i) => ({ from: `n${i}`, to: `n${(7 * i) % size}`, when: when(i) })),
      ),
    ],
    [
      'all of one',
      each(
        () => ({ ...pure, defaultTransition: 'n0' }),
        edges((i) => ({ from: 'n0', to: `n${i}`, when: when(i) })),
      ),
    ],
    [
      'all from one, on equal terms',
      each(
        () => ({ say: 'Hi.', defaultTransition: 'done' }),
        edges((i) => ({ from: 'start', to: `n${i}`, when: when(0) })),
      ),
    ],
    [
      'all with the flow’s functions',
      each(() => ({ say: 'Hi.' }), {
        functions: Array.from({ length: size / 10 }, (_, i) => ({ name: `go${i}`, transitionTo: 'done' })),
      }),
    ],
    [
      'each misspelt',
      each(
        (i) => ({ say: `{{ name${i} }}`, collect: [`slot${i}`], defaultTransition: `m${i}`, onError: `l${i}` }),
        edges((i) => ({ from: `k${i}`, to: `o${i}` })),
      ),
    ],
    [
      'each with the others’ names',
      each((i) => ({ ...pure, defaultTransition: 'done', input: { a: `{{ n${size - 1 - i}.no }}` } })),
    ],
  ])('%s', (_what, given) => {
    problemsOf(flow({}));
    expect(cpuSecondsOf(() => problemsOf(given))).toBeLessThan(isBroad ? 25 : 10);
  });
});
