import { expect, test } from 'vitest';
import { edited, shareEditor, textIn } from './editor.ts';

const flow = `initial_node: ask
slots:
  who: { type: name, ask: Who is there? }
nodes:
  ask:
    collect: [who]
    functions:
      - { name: leave, description: The caller leaves., transition_to: end }
    default_transition: end
  end: { say: Bye., end: done }
`;
const tests = `flow: flow.yaml
scenarios:
  - name: somebody comes
    llm:
      ask: [{ when: bye, call: leave }]
    turns:
      - expect: { node: ask }
      - user: Ada Park
        model: { record: { who: Ada Park } }
        expect: { edge: ask -> end, slots: { who: Ada Park } }
    finally: { path: [ask, end] }
`;
const files = { 'flow.yaml': flow, 'flow.flowtest.yaml': tests };
const name = 'flow.flowtest.yaml';
const editorOf = shareEditor();

test('conversation tests have the problems that roomflow test tells, also where only the flow is typed', async () => {
  const editor = editorOf(files);
  expect(await editor.open(name)).toEqual([]);
  const wrong = tests.replace('ask -> end', 'ask -> edn').replace('call: leave', 'call: leaf');
  const shown = await editor.type(name, wrong);
  expect(shown.map(({ range, code }) => `${code} ${textIn(wrong, range)}`)).toEqual([
    'unknown-function leaf',
    'unknown-node ask -> edn',
  ]);
  await editor.type(name, tests);
  const afterFlow = editor.next(name);
  await editor.open('flow.yaml', flow.replaceAll('who', 'caller'));
  expect((await afterFlow).map(({ code }) => code)).toContain('unknown-slot');
});

test.each([
  ['nodes', tests.replace('node: ask', 'node: |'), ['ask', 'end']],
  ['nodes of an edge', tests.replace('ask -> end', 'ask -> |'), ['ask', 'end']],
  ['nodes for the answers of the model', tests.replace('      ask: [', '      |: ['), ['ask', 'end']],
  ['slots', tests.replace('slots: { who: Ada Park }', 'slots: { | }'), ['who']],
  ['functions', tests.replace('call: leave', 'call: |'), ['leave']],
  [
    'keys of a turn',
    tests.replace('      - user: Ada Park\n', '      - user: Ada Park\n        |\n'),
    ['interrupt', 'silence'],
  ],
])('in a conversation test %s are proposed', async (_what, marked, expected) => {
  const editor = editorOf(files);
  const items = await editor.askAt<readonly { label: string }[]>('textDocument/completion', name, marked);
  expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(expected));
});

test('a node and a slot are renamed in the flow and in its tests, whichever is open', async () => {
  const editor = editorOf(files);
  interface Edits {
    readonly changes: Readonly<Record<string, Parameters<typeof edited>[1]>>;
  }
  const node = await editor.askAt<Edits>(
    'textDocument/rename',
    'flow.yaml',
    flow.replace('initial_node: ask', 'initial_node: ask|'),
    {
      newName: 'greet',
    },
  );
  expect(edited(tests, node.changes[editor.uriOf(name)] ?? [])).toBe(
    tests
      .replace('      ask: [', '      greet: [')
      .replace('node: ask', 'node: greet')
      .replace('ask -> end', 'greet -> end')
      .replace('[ask, end]', '[greet, end]'),
  );
  const slot = await editor.askAt<Edits>('textDocument/rename', name, tests.replace('slots: { who', 'slots: { who|'), {
    newName: 'caller',
  });
  expect(edited(tests, slot.changes[editor.uriOf(name)] ?? [])).toBe(tests.replaceAll('who:', 'caller:'));
  expect(edited(flow, slot.changes[editor.uriOf('flow.yaml')] ?? [])).toBe(
    flow.replace('who:', 'caller:').replace('[who]', '[caller]'),
  );
});

test('a name in a conversation test leads to the flow', async () => {
  const editor = editorOf(files);
  const [place] = await editor.askAt<readonly { uri: string; range: Parameters<typeof textIn>[1] }[]>(
    'textDocument/definition',
    name,
    tests.replace('ask -> end', 'ask -> end|'),
  );
  expect(place?.uri).toBe(editor.uriOf('flow.yaml'));
  expect(place === undefined ? '' : textIn(flow, place.range)).toBe('end');
});
