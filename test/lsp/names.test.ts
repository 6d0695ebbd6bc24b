import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectFolder } from '../cli/run-cli.ts';
import { edited, type Editor, openEditor, shareEditor, textIn } from './editor.ts';

type Range = Parameters<typeof textIn>[1];
interface Location {
  readonly uri: string;
  readonly range: Range;
}
interface WorkspaceEdit {
  readonly changes: Readonly<Record<string, Parameters<typeof edited>[1]>>;
}
interface Hover {
  readonly contents: { readonly value: string };
}
interface Action {
  readonly title: string;
  readonly edit: WorkspaceEdit;
}

const file = 'flows/clinic-intake/flow.yaml';
const clinic = readFileSync(join(projectFolder, file), 'utf8');

/** Returns `line: text of the line` of each location. */
function lines(found: readonly Location[], text: string): readonly string[] {
  return found.map(({ range }) => (text.split('\n')[range.start.line] ?? '').trim());
}

/** Returns a text with `|` after the first match. */
function at(text: string, found: string): string {
  expect(text).toContain(found);
  return text.replace(found, `${found}|`);
}

describe('names in the clinic', () => {
  let editor: Editor;
  let end: () => void;
  beforeAll(async () => {
    editor = await openEditor(projectFolder, (over) => {
      end = over;
    });
  });
  afterAll(() => end());

  test.each([
    ['a target', 'transition_to: why_we_ask', 'why_we_ask:'],
    ['the node that the flow begins in', 'initial_node: greet', 'greet:'],
    ['an edge', '- { from: severity, to: nurse', 'nurse:'],
    ['a case of a branch', 'cases: { open: offer', 'offer:'],
    ['a slot that is collected', 'collect: [full_name', 'full_name:'],
    ['a slot in a template', 'nothing on {{ day', 'day:'],
    ['a slot in a condition', 'equals: { var: reason', 'reason:'],
    ['a variable', '{{ openings', 'save_as: openings'],
    [
      'an input',
      'this is {{ clinic',
      'clinic: { type: string, default: Harbour Clinic, description: The name that callers know. }',
    ],
    ['the output of a node', '{ var: triage', 'triage:'],
    ['a function that is called', 'call: find_openings', '- name: find_openings'],
  ])('lead from %s to where it is declared', async (_what, found, declared) => {
    const places = await editor.askAt<readonly Location[]>('textDocument/definition', file, at(clinic, found));
    expect(lines(places, clinic)[0]).toBe(declared);
  });

  test('lead from a prompt file and from its name to the other', async () => {
    const [prompt] = await editor.askAt<readonly Location[]>(
      'textDocument/definition',
      file,
      at(clinic, 'prompt_file: prompts/pers'),
    );
    expect(prompt?.uri).toBe(editor.uriOf('flows/clinic-intake/prompts/persona.md'));
    const text = readFileSync(join(projectFolder, 'flows/clinic-intake/prompts/persona.md'), 'utf8');
    const [input] = await editor.askAt<readonly Location[]>(
      'textDocument/definition',
      'flows/clinic-intake/prompts/persona.md',
      at(text, '{{ cli'),
    );
    expect(input?.uri).toBe(editor.uriOf(file));
  });

  test('are found wherever they are used', async () => {
    const places = await editor.askAt<readonly Location[]>(
      'textDocument/references',
      file,
      at(clinic, '\n  front_desk'),
      {
        context: { includeDeclaration: false },
      },
    );
    const used = [...clinic.matchAll(/(?:transition_to|on_error|on_trouble|to): front_desk\b/g)];
    const testFile = 'flows/clinic-intake/flow.flowtest.yaml';
    const tests = readFileSync(join(projectFolder, testFile), 'utf8');
    const placesIn = (name: string): readonly Location[] => places.filter(({ uri }) => uri === editor.uriOf(name));
    expect(placesIn(file)).toHaveLength(used.length);
    const inTests = lines(placesIn(testFile), tests);
    expect(inTests).not.toEqual([]);
    for (const line of inTests) expect(line).toMatch(/\b(?:node|to): front_desk\b/);
    expect(placesIn(file).length + placesIn(testFile).length).toBe(places.length);
  });

  test.each([
    [
      'a node: what it says, asks for, and where it leads',
      'transition_to: details',
      ['**details**', "Take the caller's details", '`full_name`', '`triage`', '`nurse`', 'Reached from'],
    ],
    [
      'a slot: its type, its question and who asks',
      'collect: [full_name',
      ['slot, name, pii', 'May I have your full name?', '`details`'],
    ],
    ['a function of code', 'call: book_visit', ['registered in code', 'Book the visit.', '`visit_time`']],
    ['a node type', 'type: control.switch', ['node type', '`route`']],
    ['a key', '\n    default_transition', ['The next node if there is no other transition.']],
    ['a word', 'effect: write', []],
    ['a slot type', 'type: phone', []],
  ])('tell under the pointer of %s', async (_what, found, parts) => {
    const hover = await editor.askAt<Hover | null>('textDocument/hover', file, at(clinic, found));
    for (const part of parts) expect(hover?.contents.value).toContain(part);
  });

  test('make an outline and folds', async () => {
    await editor.askAt('textDocument/hover', file, at(clinic, 'initial_node'));
    const document = { textDocument: { uri: editor.uriOf(file) } };
    interface Part {
      readonly name: string;
      readonly children: readonly Part[];
      readonly range: Range;
      readonly selectionRange: Range;
    }
    const symbols = await editor.ask<readonly Part[]>('textDocument/documentSymbol', document);
    const nodes = symbols.find(({ name }) => name === 'nodes')?.children ?? [];
    expect(nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(['greet', 'details', 'bye']));
    expect(nodes[0]?.children.map(({ name }) => name)).toEqual(['start', 'decline']);
    expect(symbols.find(({ name }) => name === 'slots')?.children).toHaveLength(8);
    expect(textIn(clinic, nodes[0]?.selectionRange ?? nodes[0]!.range)).toBe('greet');
    const folds = await editor.ask<readonly { startLine: number; endLine: number }[]>(
      'textDocument/foldingRange',
      document,
    );
    const rows = clinic.split('\n');
    const fold = folds.find(({ startLine }) => rows[startLine] === '  book:');
    expect(rows[fold?.endLine ?? 0]).toContain('do_not_book');
    expect(folds.every(({ startLine, endLine }) => endLine > startLine)).toBe(true);
  });
});

const editorOf = shareEditor();

describe('renaming', () => {
  const flow = [
    'initial_node: ask',
    'slots:',
    '  who: { type: name, ask: Who is there? }',
    'nodes:',
    '  ask:',
    '    prompt_file: ask.md',
    '    collect: [who]',
    '    functions:',
    '      - { name: skip, description: Skip., parameters: { type: object, properties: { who: { type: string } }, required: [who] }, transition_to: end }',
    '      - name: save',
    '        description: Save.',
    '        parameters: { type: object, properties: { who: { type: string } } }',
    '        effect: read',
    '    call: save',
    '    default_transition: end',
    '  end: { say: "Bye, {{ who }}. {{ ask }}", end: done }',
    'edges:',
    '  - { from: ask, to: end, when: { exists: { var: who } } }',
    '',
  ].join('\n');
  const prompt = 'Greet {{ who }}.\n';

  async function renamed(marked: string, newName: string): Promise<Readonly<Record<string, string>>> {
    const editor = editorOf({ 'flow.yaml': flow, 'ask.md': prompt });
    const { changes } = await editor.askAt<WorkspaceEdit>('textDocument/rename', 'flow.yaml', marked, { newName });
    return {
      flow: edited(flow, changes[editor.uriOf('flow.yaml')] ?? []),
      prompt: edited(prompt, changes[editor.uriOf('ask.md')] ?? []),
    };
  }

  test('a node changes every way to it, and nothing else', async () => {
    const { flow: text } = await renamed(at(flow, 'default_transition: end'), 'goodbye');
    expect(text).toBe(
      flow
        .replaceAll('transition_to: end', 'transition_to: goodbye')
        .replaceAll('default_transition: end', 'default_transition: goodbye')
        .replace('\n  end:', '\n  goodbye:')
        .replace('to: end,', 'to: goodbye,'),
    );
  });

  test('a slot changes templates, conditions, prompt files and what fills it; code keeps its arguments', async () => {
    const { flow: text, prompt: file } = await renamed(at(flow, 'collect: [who'), 'caller');
    expect(file).toBe('Greet {{ caller }}.\n');
    expect(text).toContain('  caller: { type: name');
    expect(text).toContain('properties: { caller: { type: string } }, required: [caller] }, transition_to');
    expect(text).toContain('        parameters: { type: object, properties: { who: { type: string } } }');
    expect(text).toContain('    call: save\n    input: { who: "{{ caller }}" }\n');
    expect(text).toContain('Bye, {{ caller }}.');
    expect(text).toContain('var: caller');
  });

  test.each([
    ['a name that is taken', 'default_transition: end', 'ask', 'already'],
    ['what is no name', 'default_transition: end', 'a b', 'not a valid name'],
    ['a word of YAML', 'default_transition: end', 'true', 'not a valid name'],
    ['an argument that code takes', '        parameters: { type: object, properties: { who', 'caller', 'code'],
  ])('refuses %s, and says why', async (_what, found, newName, reason) => {
    await expect(renamed(at(flow, found), newName)).rejects.toThrow(reason);
  });
});

describe('fixes', () => {
  const flow =
    'initial_node: a\nslots: { name: { type: name } }\nnodes:\n  a:\n    say: Hi {{ nmae }}.\n    listen: yes\n    default_transiton: dne\n    on_error: nowhere\n  done: { say: Bye., end: done }\n';

  async function fixed(text: string, title: string): Promise<string> {
    const editor = editorOf({ 'flow.yaml': text });
    const shown = await editor.open('flow.yaml');
    const end = { line: text.split('\n').length, character: 0 };
    const actions = await editor.ask<readonly Action[]>('textDocument/codeAction', {
      textDocument: { uri: editor.uriOf('flow.yaml') },
      range: { start: { line: 0, character: 0 }, end },
      context: { diagnostics: shown },
    });
    const action = actions.find((one) => one.title === title);
    if (action === undefined) return actions.map((one) => one.title).join('\n');
    return edited(text, action.edit.changes[editor.uriOf('flow.yaml')] ?? []);
  }

  test.each([
    ['Change to "default_transition"', 'default_transiton:', 'default_transition:'],
    ['Change to "name"', '{{ nmae }}', '{{ name }}'],
    ['Write true', 'listen: yes', 'listen: true'],
    ['Add a node "nowhere"', 'end: done }\n', 'end: done }\n  nowhere: { say: "", end: nowhere }\n'],
  ])('%s', async (title, wrong, right) => {
    expect(await fixed(flow, title)).toBe(flow.replace(wrong, right));
  });

  test('a target is changed to the nearest node, also behind carriage returns and in quotes', async () => {
    const text =
      'initial_node: "a"\r\nnodes:\r\n  a: { say: "👋", default_transition: "don" }\r\n  done: { say: Bye., end: done }\r\n';
    expect(await fixed(text, 'Change to "done"')).toBe(text.replace('"don"', '"done"'));
  });
});
