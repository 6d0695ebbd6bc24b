import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { largeFlow } from '../bench/large-flow.ts';
import { linkedFolderOf, projectFolder, roomflowHere } from '../cli/run-cli.ts';
import { cpuSecondsOf } from '../cpu.ts';
import { openEditor, shareEditor, type Shown, textIn } from './editor.ts';

const good = 'initial_node: a\nnodes:\n  a: { say: Hello., end: done }\n';

const editorOf = shareEditor();

interface Checked {
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** A configuration with functions of these names. */
function configOf(...names: readonly string[]): string {
  const tools = names.map((name) => `flowTool({ name: '${name}', description: 'Works.', execute: () => 1 })`);
  return `import { flowTool } from 'roomflow/livekit';\nexport default { tools: [${tools.join(', ')}] };\n`;
}

/** Returns `line:column code` of each problem, and the marked text. */
function told(shown: readonly Shown[], text: string): readonly string[] {
  return shown.map(
    ({ range, code }) => `${range.start.line + 1}:${range.start.character + 1} ${code} ${textIn(text, range)}`,
  );
}

describe('problems in an editor', () => {
  test('are those that roomflow check tells of the same text, with the configuration of the project', async () => {
    const folder = linkedFolderOf({ 'agent.config.ts': configOf('book_visit', 'find_openings') });
    cpSync(join(projectFolder, 'flows/clinic-intake'), join(folder, 'clinic'), { recursive: true });
    const file = join(folder, 'clinic/flow.yaml');
    const typos = [
      ['initial_node: greet', 'initial_node: gret'],
      ['type: phone', 'type: fone'],
      ['{{ clinic }}. I can', '{{ clinik }}. I can'],
      ['transition_to: why_we_ask', 'transition_to: why_we_aks'],
      ['default_transition: phone_known', 'default_transitoin: phone_known'],
      ['prompts/change.md', 'prompts/chance.md'],
      ['var: pain_level, value: 7', 'var: pain_levle, value: 7'],
      ['name: find_openings', 'name: find_openigns'],
    ] as const;
    writeFileSync(
      file,
      typos.reduce((text, [right, wrong]) => text.replace(right, wrong), readFileSync(file, 'utf8')),
    );
    const { out } = await roomflowHere(['check', 'clinic/flow.yaml', '--json'], '', folder);
    const [checked] = (JSON.parse(out) as { files: { diagnostics: Checked[] }[] }).files;
    const shown = await (await openEditor(folder)).open('clinic/flow.yaml');
    expect(shown.length).toBeGreaterThan(typos.length);
    expect(
      shown.map(
        ({ range, code, message }) => `${range.start.line + 1}:${range.start.character + 1} ${code}: ${message}`,
      ),
    ).toEqual(
      checked?.diagnostics.map(
        ({ line, column, code, message, hint }) =>
          `${line}:${column} ${code}: ${message}${hint === undefined ? '' : ` ${hint}`}`,
      ),
    );
  });

  test('are those of what is typed, and not of what is saved', async () => {
    const editor = editorOf({ 'flow.yaml': good });
    expect(await editor.open('flow.yaml')).toEqual([]);
    const typed = good.replace('initial_node: a', 'initial_node: b');
    expect(told(await editor.type('flow.yaml', typed), typed)).toEqual(['1:15 unknown-initial-node b']);
    expect(await editor.type('flow.yaml', good)).toEqual([]);
  });

  test('come at each keystroke of a flow of three hundred nodes, and are those of that keystroke', async () => {
    const text = largeFlow(300);
    const editor = editorOf({ 'flow.yaml': text });
    // It has its own warnings.
    const before = told(await editor.open('flow.yaml'), text);
    // Intermediate names while typing the name of another existing node.
    for (const to of ['n15x', 'n151']) {
      const typed = text.replace('transition_to: n150 }', `transition_to: ${to} }`);
      const expected = to === 'n151' ? ['755:3 unreachable-node n150'] : [`753:57 unknown-target ${to}`];
      const now = told(await editor.type('flow.yaml', typed), typed);
      expect(now.filter((one) => !before.includes(one))).toEqual(expect.arrayContaining(expected));
    }
    expect(told(await editor.type('flow.yaml', text), text)).toEqual(before);
    expect(cpuSecondsOf(() => checkFlow(text, { catalog: builtinCatalog }))).toBeLessThan(5);
  });

  test('mark the very key or value, in UTF-16 units and behind carriage returns', async () => {
    const text = [
      'initial_node: a',
      'nodes:',
      '  a: { say: "👋 Grüße", on_errr: x, end: done }',
      '  b: { say: "👩‍👩‍👧 {{ wh0 }}", end: done }',
      '',
    ].join('\r\n');
    const editor = editorOf({ 'flow.yaml': text });
    expect(told(await editor.open('flow.yaml'), text)).toEqual([
      '3:25 unknown-key on_errr',
      '4:23 undeclared-name {{ wh0 }}',
    ]);
  });

  test('of an included file and of a prompt file are shown there, and follow what is typed there', async () => {
    const flow = 'initial_node: a\nnodes: !include nodes.yaml\n';
    const nodes =
      'a: { prompt_file: ask.md, functions: [{ name: go, description: Go., transition_to: dne }] }\ndone: { say: Bye., end: done }\n';
    const editor = editorOf({ 'flow.yaml': flow, 'nodes.yaml': nodes, 'ask.md': 'Greet {{ nmae }}.\n' });
    const ofNodes = editor.next('nodes.yaml');
    const ofPrompt = editor.next('ask.md');
    await editor.open('flow.yaml');
    expect(told(await ofNodes, nodes)).toEqual(['1:84 unknown-target dne']);
    expect((await ofPrompt).map(({ code }) => code)).toEqual(['undeclared-name']);
    expect(await editor.open('nodes.yaml', nodes.replace('dne', 'done'))).toEqual([]);
    expect(await editor.open('ask.md', 'Greet them.\n')).toEqual([]);
  });

  test('go when the file is closed', async () => {
    const editor = editorOf({ 'flow.yaml': 'initial_node: b\nnodes: {}\n' });
    expect(await editor.open('flow.yaml')).not.toEqual([]);
    const gone = editor.next('flow.yaml');
    editor.close('flow.yaml');
    expect(await gone).toEqual([]);
  });

  test('are not told of files that are no flows', async () => {
    const editor = editorOf({ 'compose.yaml': 'services:\n  web: { image: x }\n', 'flow.yaml': good });
    void editor.open('compose.yaml');
    await editor.open('flow.yaml');
    expect(editor.shown('compose.yaml')).toEqual([]);
  });
});

describe('the configuration of a project', () => {
  const flow =
    'initial_node: a\nnodes:\n  a: { task_messages: Book., functions: [{ name: book, description: Book., effect: read, transition_to: b }] }\n  b: { say: Bye., end: done }\n';

  test('tells which functions there are, and is read anew when its code changes', async () => {
    const editor = editorOf({ 'flow.yaml': flow, 'agent.config.ts': configOf('bok') });
    const shown = await editor.open('flow.yaml');
    expect(told(shown, flow)).toEqual(['3:50 unknown-function book']);
    expect(shown[0]?.message).toContain('Did you mean "bok"?');
    writeFileSync(new URL(editor.uriOf('agent.config.ts')), configOf('book'));
    expect(await editor.type('flow.yaml', `${flow}\n`)).toEqual([]);
  });

  test.each([
    ['throws', "throw new Error('no key');", 'no key'],
    ['ends its process', 'process.exit(0);', 'process.exit'],
    ['is no configuration', 'export default { tools: 3 };', 'tools'],
  ])('that %s is one problem, and the flow is checked without it', async (_what, text, fact) => {
    const editor = editorOf({ 'flow.yaml': flow, 'agent.config.ts': `${text}\nexport {};\n` });
    const shown = await editor.open('flow.yaml');
    expect(shown.map(({ code }) => code)).toEqual(['config-broken', 'unregistered-function']);
    expect(shown[0]?.message).toContain(fact);
    expect(shown[0]?.message).toMatch(/[.!?] Until it is fixed/);
  });
});
