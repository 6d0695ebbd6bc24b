import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectFolder } from '../cli/run-cli.ts';
import { edited, type Editor, openEditor, shareEditor } from './editor.ts';

interface Item {
  readonly label: string;
  readonly documentation?: string;
  readonly detail?: string;
  readonly textEdit: Parameters<typeof edited>[1][number];
}

const file = 'flows/clinic-intake/flow.yaml';
const clinic = readFileSync(join(projectFolder, file), 'utf8');

/** Returns the labels that are proposed at `|`. */
async function proposed(editor: Editor, name: string, marked: string): Promise<readonly string[]> {
  return (await editor.askAt<readonly Item[]>('textDocument/completion', name, marked)).map(({ label }) => label);
}

/** Returns the text after a proposal is taken. */
async function taken(editor: Editor, name: string, marked: string, label: string): Promise<string> {
  const items = await editor.askAt<readonly Item[]>('textDocument/completion', name, marked);
  const item = items.find((one) => one.label === label);
  return item === undefined ? `no ${label}` : edited(marked.replace('|', ''), [item.textEdit]);
}

describe('completion in the clinic', () => {
  let editor: Editor;
  let end: () => void;
  beforeAll(async () => {
    editor = await openEditor(projectFolder, (over) => (end = over));
  });
  afterAll(() => end());
  const put = (after: string, line: string): string => clinic.replace(after, `${after}${line}`);

  test.each([
    ['keys of a node', put('  greet:\n', '    |\n'), ['collect', 'default_transition', 'prompt_file', 'type']],
    [
      'keys that begin with what is typed, of a function in braces',
      clinic.replace('or an appointment., transition_to', 'or an appointment., tr|ansition_to'),
      ['transition_to', 'on_refuse'],
    ],
    [
      'nodes as targets',
      clinic.replace('transition_to: why_we_ask', 'transition_to: |'),
      ['why_we_ask', 'front_desk', '$return'],
    ],
    ['nodes for an edge', clinic.replace('from: severity, to: nurse', 'from: severity, to: n|'), ['nurse', 'details']],
    ['nodes in a branch', clinic.replace('open: offer', 'open: |'), ['offer', 'other_day']],
    [
      'slots to collect',
      clinic.replace('collect: [phone, day]', 'collect: [phone, |]'),
      ['full_name', 'birth_date', 'visit_time'],
    ],
    ['functions to call', clinic.replace('call: find_openings', 'call: |'), ['find_openings', 'emergency']],
    [
      'functions of code, by name',
      put('      - name: as_soon_as_possible\n', '').replace('- name: as_soon_as_possible', '- name: |'),
      ['find_openings', 'book_visit'],
    ],
    ['handlers', clinic.replace('handler: note_consent', 'handler: |'), ['note_consent', 'ring']],
    [
      'node types',
      clinic.replace('phone_known: { type: control.noop', 'phone_known: { type: control.|'),
      ['control.switch', 'control.noop', 'interrupt.confirm'],
    ],
    ['slot types', clinic.replace('type: phone', 'type: |'), ['phone', 'date', 'enum', 'integer']],
    [
      'names in a template',
      clinic.replace('{{ clinic }}. I can', '{{ |'),
      ['clinic', 'full_name', 'openings', 'visit'],
    ],
    [
      'names in a condition',
      clinic.replace('var: phone }', 'var: |}'),
      ['phone', 'reason', 'openings', 'triage', 'today'],
    ],
    [
      'fields of an output',
      clinic.replace('var: triage.route, value: nurse', 'var: triage.|, value: nurse'),
      ['route'],
    ],
    [
      'operators of a condition',
      clinic.replace('when: { exists: { var: phone } }', 'when: { | }'),
      ['equals', 'not_equals', 'all', 'exists'],
    ],
    [
      'values of what is compared',
      clinic.replace('{ equals: { var: reason, value: pain } }, { not', '{ equals: { var: reason, value: | } }, { not'),
      ['pain', 'checkup', 'follow_up'],
    ],
    [
      'routes of a switch',
      clinic.replace('var: severity.route, value: nurse', 'var: severity.route, value: |'),
      ['nurse'],
    ],
    [
      'prompt files',
      clinic.replace('prompt_file: prompts/details.md', 'prompt_file: prompts/|'),
      ['prompts/details.md', 'prompts/book.md'],
    ],
    [
      'keys of the input of a node type',
      clinic.replace(
        'rated: { type: control.noop, input: { value: true }',
        'rated: { type: control.noop, input: { | }',
      ),
      ['value'],
    ],
  ])('proposes %s', async (_what, marked, expected) => {
    expect(marked).toContain('|');
    expect(await proposed(editor, file, marked)).toEqual(expect.arrayContaining(expected));
  });
});

describe('what is taken of the proposals', () => {
  const flow =
    'initial_node: a\nslots:\n  who: { type: name }\nnodes:\n  a:\n    say: Hi.\n    default_transition: done\n  done: { say: Bye., end: done }\n';

  const editorOf = shareEditor();

  test('replaces the word that stands there', async () => {
    const editor = editorOf({ 'flow.yaml': flow });
    expect(await taken(editor, 'flow.yaml', flow.replace('transition: done', 'transition: do|ne'), 'a')).toBe(
      flow.replace('transition: done', 'transition: a'),
    );
    expect(
      await taken(editor, 'flow.yaml', flow.replace('    say: Hi.\n', '    say: Hi.\n    coll|\n'), 'collect'),
    ).toContain('\n    collect:\n');
    expect(await taken(editor, 'flow.yaml', flow.replace('say: Hi.', 'sa|: Hi.'), 'say')).toBe(flow);
    expect(await taken(editor, 'flow.yaml', flow.replace('say: Hi.', 'say: "Hi {{ w|"'), 'who')).toContain(
      'say: "Hi {{ who"',
    );
  });

  test('comes while the text is broken: open braces, open quotes, no value, a broken line above', async () => {
    const editor = editorOf({ 'flow.yaml': flow });
    for (const typed of [
      'functions: [{ name: go, transition_to: |',
      'default_transition: "|',
      'on_error: |',
      '  bad: : x: [\n    on_error: |',
    ])
      expect(
        await proposed(editor, 'flow.yaml', flow.replace('    default_transition: done', `    ${typed}`)),
        typed,
      ).toContain('done');
  });

  test('is nothing in a comment, and nothing in plain text', async () => {
    const editor = editorOf({ 'flow.yaml': flow });
    expect(await proposed(editor, 'flow.yaml', flow.replace('say: Hi.', 'say: Hi. # do|'))).toEqual([]);
    expect(await proposed(editor, 'flow.yaml', flow.replace('say: Hi.', 'say: Hi d|'))).toEqual([]);
  });

  test('comes in an included file and in a prompt file as well', async () => {
    const files = {
      'flow.yaml': 'initial_node: a\nslots: { who: { type: name } }\nnodes: !include nodes.yaml\n',
      'nodes.yaml': 'a:\n  prompt_file: ask.md\n  default_transition: done\ndone: { say: Bye., end: done }\n',
      'ask.md': 'Hello.\n',
    };
    const editor = editorOf(files);
    expect(
      await proposed(editor, 'nodes.yaml', files['nodes.yaml'].replace('transition: done', 'transition: |')),
    ).toEqual(expect.arrayContaining(['a', 'done']));
    expect(await proposed(editor, 'nodes.yaml', files['nodes.yaml'].replace('a:\n', 'a:\n  |\n'))).toContain('collect');
    expect(await proposed(editor, 'ask.md', 'Hello {{ | }}.\n')).toEqual(['who']);
  });

  test('is spelled as its neighbours are', async () => {
    const editor = editorOf({ 'flow.yaml': flow });
    const camel = flow.replace('initial_node', 'initialNode').replace('default_transition', 'defaultTransition');
    expect(await proposed(editor, 'flow.yaml', camel.replace('    say: Hi.\n', '    |\n'))).toContain('promptFile');
  });
});
