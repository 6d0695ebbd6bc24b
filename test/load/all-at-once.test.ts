import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../src/flow/document/problems/diagnostic.ts';
import { formatPath } from '../../src/flow/document/problems/diagnostic.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { openPlain } from '../../src/flow/load/open-plain.ts';
import { readConversation } from '../../src/flow/load/read-flow.ts';
import { isTaskFlow, readTaskFlow } from '../../src/flow/load/read-task-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { graphCases, registered } from './graph-cases.ts';
import { taskCases } from './task-cases.ts';
import { tries } from '../tries.ts';

const flows = ['clinic-intake', 'restaurant-booking', 'support-triage'];

interface Original {
  readonly name: string;
  readonly document: object;
  readonly options: Parameters<typeof checkFlow>[1];
}

/** Returns the diagnostics of the form of a flow of either kind. */
function formOf(source: string | object) {
  const plain = openPlain(source, {});
  return isTaskFlow(plain) ? readTaskFlow(plain) : readConversation(plain);
}

const soundTaskCases = taskCases.filter(({ yaml }) => formOf(yaml).document !== null);

/** The example flows, and the smallest flow for each problem between parts. */
const originals: readonly Original[] = [
  ...flows.map((name) => ({ name, source: `flows/${name}/flow.yaml`, options: {} })),
  ...graphCases.map(({ code, yaml, unregistered }) => {
    return { name: code, source: yaml, options: unregistered === true ? {} : registered };
  }),
  { name: 'triage-pipeline', source: 'examples/triage-pipeline/flow.yaml', options: {} },
  ...soundTaskCases.map(({ code, yaml }) => ({ name: `${code} of tasks`, source: yaml, options: {} })),
].map(({ name, source, options }) => {
  const { document } = formOf(source);
  if (document === null) throw new Error(`The form of "${name}" is wrong already.`);
  return { name, document, options: { catalog: builtinCatalog, ...options } };
});

const keyOf = ({ code, path }: Diagnostic): string => `${code} at ${formatPath(path)}`;

/** Returns the diagnostics between the parts of a flow, without those of its form. */
function betweenParts(document: object, options: Original['options']): readonly string[] {
  const ofForm = new Set(formOf(document).diagnostics.map((diagnostic) => JSON.stringify(diagnostic)));
  const { diagnostics } = checkFlow(document, options);
  return diagnostics.filter((diagnostic) => !ofForm.has(JSON.stringify(diagnostic))).map(keyOf);
}

describe('all problems of a file come at once', () => {
  it.each<[what: string, text: string, told: readonly string[]]>([
    [
      'a value, a key and a word that are wrong, and names that nothing has',
      `initial_node: greet
slots:
  name: { type: nam, ask: Who? }
nodes:
  greet:
    say: "Hi {{ nme }}"
    function:
      - { name: go, transition_to: don }
  ask:
    collect: [nam]
    default_transition: dne
  done: { say: Bye., end: yes }
`,
      [
        '3:17 invalid-value',
        '6:14 undeclared-name',
        '7:5 unknown-key',
        '10:15 unknown-slot',
        '11:25 unknown-target',
        '12:27 boolean-word',
      ],
    ],
    [
      'items of lists, beside which the others keep their places',
      `initial_node: a
nodes:
  a: { say: 5, default_transition: gone }
  b: { say: "{{ x", collect: [5, t], default_transition: a }
  c: { say: Hi. }
`,
      [
        '3:13 wrong-type',
        '3:36 unknown-target',
        '4:14 template-syntax',
        '4:31 wrong-type',
        '4:34 unknown-slot',
        '5:3 dead-end',
      ],
    ],
    [
      'parts of functions',
      `initial_node: a
nodes:
  a:
    functions:
      - { name: f, transition_to: { fild: ok, cases: { x: gone, y: 5 } } }
      - { name: g, save_as: 5, transition_to: b }
      - { transition_to: lost }
      - { name: g, parameters: { required: [p] } }
    collct: []
  b: { say: "{{ visit }}", end: x }
state: { v: 1 }
slots: { v: { type: text, ask: 5 } }
`,
      [
        '5:37 unknown-key',
        '5:59 unknown-target',
        '5:68 wrong-type',
        '6:29 wrong-type',
        '7:9 missing-key',
        '7:26 unknown-target',
        '8:17 duplicate-function',
        '8:17 idle-function',
        '8:45 unknown-parameter',
        '9:5 unknown-key',
        '11:10 name-collision',
        '12:32 wrong-type',
      ],
    ],
    [
      'edges',
      `initial_node: a
nodes:
  a: { say: Hi. }
  b: { say: Ho. }
edges:
  - { from: b, to: d, wen: {} }
  - { from: c, to: a, when: { equal: { var: x, value: 1 } } }
  - { from: a, when: { equals: { var: a b, value: 1 } } }
`,
      [
        '6:20 unknown-target',
        '6:23 unknown-key',
        '7:13 unknown-source',
        '7:31 unknown-key',
        '8:5 missing-key',
        '8:39 when-path',
      ],
    ],
    [
      'what could not be read',
      `initial_nod: a
slots: !include slots.yaml
nodes:
  - { id: a, say: {{ name }}, default_transition: c }
  - { idd: b, collect: [s], default_transition: d }
  - { id: c, type: control.swich, default_transition: d }
`,
      [
        '1:1 unknown-key',
        '2:17 include-no-folder',
        '4:19 invalid-key',
        '5:7 unknown-key',
        '6:20 unknown-node-type',
        '6:55 unknown-target',
      ],
    ],
    [
      'a key given twice',
      `initial_node: a
nodes:
  a: { say: Hi., say: Ho., on_error: gone, default_transition: b }
  b: { say: "{{ n }}" }
`,
      ['3:18 duplicate-key', '3:38 unknown-target', '4:3 dead-end'],
    ],
    [
      'tasks, their policies, bodies and edges',
      `flow: { input: { name: strng }, polcy: {} }
nodes:
  a: { type: control.swich, policy: { retry: 3 } }
  b: { type: data.template, input: { template: "{{ nme }} {{ c.value }}" }, promt: x }
  c: { type: control.foreach, input: { list: [] } }
  d: { type: control.foreach, input: { list: [] }, body: { nodes: { e: { type: control.nop }, f: 5 } } }
  e2: { type: control.noop, say: Hi. }
edges:
  - { from: a, to: d, wen: {} }
  - { from: a, to: g }
  - { from: b, to: b }
`,
      [
        '1:24 invalid-value',
        '1:33 unknown-key',
        '3:14 unknown-node-type',
        '3:46 wrong-type',
        '4:49 undeclared-name',
        '4:77 unknown-key',
        '5:6 missing-body',
        '6:80 unknown-node-type',
        '6:98 wrong-type',
        '7:29 unknown-key',
        '9:23 unknown-key',
        '10:20 unknown-target',
        '11:20 self-loop',
      ],
    ],
    [
      'a node pack, a prompt file and a key of tasks given twice',
      `flow: { node_packs: [shop, 5] }
nodes:
  a: { type: agent.run, prompt_file: a.md, input: { input: "{{ c }}" } }
  b: { type: shop.stock, description: x, description: y }
`,
      [
        '1:22 unknown-node-pack',
        '1:28 wrong-type',
        '3:38 prompt-file-no-folder',
        '3:61 undeclared-name',
        '4:42 duplicate-key',
      ],
    ],
  ])('with %s', (_, text, told) => {
    const { graph, document, diagnostics } = checkFlow(text, { catalog: builtinCatalog });
    expect([graph, document]).toEqual([null, null]);
    expect(diagnostics.map(({ code, line, column }) => `${line}:${column} ${code}`)).toEqual(told);
  });

  it('names the nearest of all names, those of parts with a fault too', () => {
    const text =
      'initial_node: a\nslots: { full_name: 5 }\nnodes:\n  a: { collect: [ful_name], default_transition: en }\n  end: 5\n';
    const hints = checkFlow(text, { catalog: builtinCatalog }).diagnostics.map(({ hint }) => hint);
    expect(hints).toEqual(expect.arrayContaining(['Did you mean "full_name"?', 'Did you mean "end"?']));
  });
});

describe('a problem between parts is told beside a fault', () => {
  const onlyInWhole = [
    ...['model-without-prompt', 'language-without-lines', 'no-nodes', 'early-edge', 'settled-decision'],
    // A value for an argument may be a slot at a wrong place.
    'call-left-to-model',
  ];
  const onlyByAllWays = [
    'return-without-digression',
    'routing-cycle',
    'unreachable-node',
    'unheard-words',
    'no-way-on-failure',
    'slot-never-collected',
    'write-without-confirm',
  ];

  it.each(graphCases)('of an input: $code $when', ({ code, yaml, unregistered }) => {
    const document = plain(yaml);
    document['input'] = { ...(document['input'] as object), unrelated: { type: 'strin', optional: true } };
    const told = betweenParts(document, { catalog: builtinCatalog, ...(unregistered === true ? {} : registered) });
    expect(told.some((key) => key.startsWith(`${code} at `))).toBe(!onlyInWhole.includes(code));
  });

  it.each(soundTaskCases)('of an input of tasks: $code $when', ({ code, yaml, unregistered }) => {
    const document = plain(yaml);
    const flow = document['flow'] as { input?: object }; // It is a task flow.
    flow.input = { ...flow.input, unrelated: { type: 'strin', optional: true } };
    const told = betweenParts(document, { catalog: builtinCatalog, ...(unregistered === true ? {} : registered) });
    expect(told.some((key) => key.startsWith(`${code} at `))).toBe(!onlyInWhole.includes(code));
  });

  it.each(graphCases)('of another node: $code $when', ({ code, yaml, unregistered }) => {
    const document = plain(yaml);
    const nodes = document['nodes'];
    if (Array.isArray(nodes)) nodes.push({ id: 'unrelated', say: 5 });
    else document['nodes'] = { ...(nodes as object), unrelated: { say: 5 } };
    const told = betweenParts(document, { catalog: builtinCatalog, ...(unregistered === true ? {} : registered) });
    expect(told.some((key) => key.startsWith(`${code} at `))).toBe(![...onlyInWhole, ...onlyByAllWays].includes(code));
  });
});

describe('no fault is blamed on anything else', () => {
  it('one fault anywhere adds no problem between parts', () => {
    let broken = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...originals),
        fc.nat(),
        fc.constantFrom(...faults),
        ({ document, options }, at, fault) => {
          const copy = structuredClone(document);
          const places = placesIn(copy);
          const place = places[at % places.length];
          if (place === undefined) return;
          fault(place);
          const form = formOf(copy);
          const isOfItsKind = isTaskFlow(openPlain(copy, {})) === isTaskFlow(openPlain(document, {}));
          if (form.document !== null || !isOfItsKind) return;
          broken += 1;
          const before = checkFlow(document, options).diagnostics.map(keyOf);
          expect(before).toEqual(expect.arrayContaining([...betweenParts(copy, options)]));
        },
      ),
      { numRuns: tries(300) },
    );
    expect(broken).toBeGreaterThan(tries(100));
  });

  it('tells what an alias has in one place once', () => {
    const text =
      'initial_node: a\nnodes:\n  a: { end: x, task_messages: &m [{ role: system, content: "{{ x" }, { role: us, content: x }] }\n' +
      '  b: { end: x, task_messages: *m }\n';
    const { diagnostics } = checkFlow(text, { catalog: builtinCatalog });
    expect(diagnostics.map(({ code, line, column }) => `${line}:${column} ${code}`)).toEqual([
      '3:61 template-syntax',
      '3:78 invalid-value',
    ]);
    const sound = text.replace('us,', 'user,');
    expect(checkFlow(sound, { catalog: builtinCatalog }).diagnostics.map(({ code }) => code)).toEqual([
      'template-syntax',
      'unreachable-node',
    ]);
  });
});

/** A member of a map or list within a document. */
interface Member {
  readonly owner: Record<string, unknown>;
  readonly key: string;
  /** The owner of the owner and the members before it: a wrong indentation may move the owner there. */
  readonly above: Record<string, unknown> | undefined;
}

function placesIn(document: object): readonly Member[] {
  const places: Member[] = [];
  const visit = (owner: object, above: Member['above']): void => {
    for (const [key, member] of Object.entries(owner)) {
      places.push({ owner: owner as Member['owner'], key, above });
      if (typeof member === 'object' && member !== null) visit(member as object, owner as Member['owner']);
    }
  };
  visit(document, undefined);
  return places;
}

const put =
  (change: (value: unknown) => unknown) =>
  ({ owner, key }: Member): void => {
    owner[key] = change(owner[key]);
  };

function move({ owner, key }: Member, to: unknown, name = key): void {
  if (typeof to !== 'object' || to === null || Array.isArray(to) || Array.isArray(owner) || Object.hasOwn(to, name))
    return;
  (to as Member['owner'])[name] = owner[key];
  delete owner[key];
}

const faults: readonly ((member: Member) => void)[] = [
  put(() => 5),
  put(() => null),
  put(() => 'yes'),
  put(() => 'nonsense here'),
  put((value) => [value]),
  put((value) => ({ x: value })),
  put(() => () => 1),
  (member) => move(member, member.owner, `${member.key}x`),
  (member) => move(member, member.above),
  (member) => {
    const keys = Object.keys(member.owner);
    move(member, member.owner[keys[keys.indexOf(member.key) - 1] ?? '']);
  },
  ({ owner, key }) => {
    if (!Array.isArray(owner)) delete owner[key];
  },
];

function plain(yaml: string): Record<string, unknown> {
  return structuredClone(formOf(yaml).document) as unknown as Record<string, unknown>; // It is a map of keys.
}
