import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDiagnostic, formatPath } from '../../src/flow/document/problems/diagnostic.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { readFlow } from '../../src/flow/load/read-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { type Content, temporaryFolder } from './temporary-folder.ts';

const flow = (name: string): string =>
  `initial_node: a\nnodes:\n  a:\n    prompt_file: ${JSON.stringify(name)}\n    task_messages: [{ role: user, content: "{{ own" }]\n    end: x\n`;

function reading(name: string, files: Readonly<Record<string, Content>> = {}) {
  const folder = temporaryFolder({ 'flows/flow.yaml': flow(name), ...files });
  return { folder, ...readFlow(join(folder, 'flows', 'flow.yaml')) };
}

describe('a prompt file', () => {
  it('becomes the first system message of its node, and its name is gone', () => {
    const { document } = reading('prompts/a.md', { 'flows/prompts/a.md': '\u{feff}Be\r\nbrief.\n\n' });
    expect(document?.nodes).toEqual({
      a: {
        end: 'x',
        taskMessages: [
          { role: 'system', content: 'Be\nbrief.' },
          { role: 'user', content: '{{ own' },
        ],
      },
    });
  });

  it('of the flow becomes the first message of its persona', () => {
    const text =
      'prompt_file: persona.md\nrole_messages: [{ role: system, content: Two. }]\ninitial_node: a\nnodes: [{ id: a, end: x }]\n';
    const folder = temporaryFolder({ 'flow.yaml': text, 'persona.md': 'One.' });
    const { document } = readFlow(join(folder, 'flow.yaml'));
    expect(document).toEqual({
      initialNode: 'a',
      nodes: [{ id: 'a', end: 'x' }],
      roleMessages: [
        { role: 'system', content: 'One.' },
        { role: 'system', content: 'Two.' },
      ],
    });
  });

  it('makes the same document as its text written in the flow', () => {
    const folder = temporaryFolder({ 'a.md': 'Be brief.\n' });
    const node = { end: 'x', promptFile: 'a.md' };
    const written = { end: 'x', taskMessages: [{ role: 'system', content: 'Be brief.' }] };
    const options = { catalog: createCatalog([]), baseFolder: folder };
    const hashes = [node, written].map((a) => checkFlow({ initialNode: 'a', nodes: { a } }, options).graph?.hash);
    expect(hashes[0]).toBeTypeOf('string');
    expect(hashes[0]).toBe(hashes[1]);
  });

  it('is the prompt of a catalog node, and of those in its body, and tells its problems where they are', () => {
    const folder = temporaryFolder({ 'a.md': 'Sort.\n', 'b.md': '# Greet\n\nSay {{ who\n' });
    const body = { nodes: { c: { type: 'agent.run', input: { input: 'x' }, promptFile: 'b.md' } } };
    const nodes = {
      a: { type: 'agent.run', input: { input: 'x' }, promptFile: 'a.md', defaultTransition: 'b' },
      b: { type: 'control.foreach', input: { list: [] }, body, defaultTransition: 'e' },
      e: { end: 'x' },
    };
    const source = { initialNode: 'a', onTrouble: 'e', nodes };
    expect(readFlow(source, { baseFolder: folder }).document?.nodes).toMatchObject({
      a: { prompt: 'Sort.' },
      b: { body: { nodes: { c: { prompt: '# Greet\n\nSay {{ who' } } } },
    });
    const { diagnostics } = checkFlow(source, { catalog: builtinCatalog, baseFolder: folder });
    expect(diagnostics.map((one) => [one.code, one.file, one.line, formatPath(one.path)])).toEqual([
      ['template-syntax', 'b.md', 3, 'nodes.b.body.nodes.c.promptFile'],
    ]);
  });

  it('is where its own problems are told, and moves no others', () => {
    const { folder, locate } = reading('a.md', { 'flows/a.md': '# Intake\r\n\r\nAsk {{ who\r\n' });
    const problem = { code: 'x', severity: 'error', message: 'x' } as const;
    const inFile = locate({
      ...problem,
      path: ['nodes', 'a', 'taskMessages', 0, 'content'],
      within: { start: 14, text: '{{ who' },
    });
    expect(inFile).toMatchObject({
      file: join(folder, 'flows', 'a.md'),
      line: 3,
      column: 5,
      path: ['nodes', 'a', 'prompt_file'],
    });
    expect(inFile.frame?.split('\n').slice(-2)).toEqual(['> 3 | Ask {{ who', '    |     ^^^^^^']);
    const inFlow = locate({
      ...problem,
      path: ['nodes', 'a', 'taskMessages', 1, 'content'],
      within: { start: 0, text: '{{ own' },
    });
    expect(inFlow).toMatchObject({
      file: join(folder, 'flows', 'flow.yaml'),
      line: 5,
      column: 45,
      path: ['nodes', 'a', 'task_messages', 0, 'content'],
    });
    expect(locate({ ...problem, path: ['nodes', 'a', 'end'] })).toMatchObject({ line: 6, column: 10 });
  });

  it.each([
    [
      'a path that climbs out',
      '../secret.md',
      {},
      'prompt-file-outside: "../secret.md" is not inside the flow’s folder: its path leads out',
    ],
    ['a path that climbs out from within', 'a/../../secret.md', {}, 'prompt-file-outside'],
    ['a folder beside with the same beginning', '../flows2/a.md', { 'flows2/a.md': 'x' }, 'prompt-file-outside'],
    [
      'an absolute path',
      '/etc/passwd',
      {},
      'prompt-file-outside: "/etc/passwd" is not inside the flow’s folder: it begins at the root',
    ],
    ['a drive', 'C:/secret.md', {}, 'prompt-file-outside'],
    ['an address', 'file:///etc/passwd', {}, 'prompt-file-outside'],
    ['a Windows share', '//server/share/a.md', {}, 'prompt-file-outside'],
    ['backslashes', String.raw`..\secret.md`, {}, 'prompt-file-outside'],
    [
      'a link that leads out',
      'link.md',
      { 'flows/link.md': { link: '../secret.md' } },
      'the flow’s folder: a link leads out of it.',
    ],
    [
      'a link to a folder that leads out',
      'link/secret.md',
      { 'flows/link': { link: '..' } },
      'the flow’s folder: a link leads out of it.',
    ],
    ['a name like one there is', 'gret.md', { 'flows/greet.md': 'x' }, 'flows/gret.md. Did you mean "greet.md"?'],
    [
      'a name unlike any',
      'prompts/other.md',
      { 'flows/greet.md': 'x' },
      'flows/prompts/other.md. Put it there, or correct the name.',
    ],
    ['a file taken for a folder', 'greet.md/a.md', { 'flows/greet.md': 'x' }, 'prompt-file-missing'],
    ['a folder', 'prompts', { 'flows/prompts/a.md': '' }, 'prompt-file-unreadable: "prompts" is not a regular file.'],
    ['the folder itself', '.', {}, 'prompt-file-unreadable'],
    ['a name with NUL', 'a\0b', {}, 'prompt-file-unreadable'],
    [
      'bytes that are no UTF-8',
      'a.md',
      { 'flows/a.md': Buffer.from('One\nTw\xf6', 'latin1') },
      'prompt-file-unreadable: "a.md" is not UTF-8 from 2:3 on.',
    ],
    [
      'more than 256 kB',
      'a.md',
      { 'flows/a.md': 'x'.repeat(256_001) },
      'prompt-file-too-large: "a.md" has more than 256000 bytes.',
    ],
  ])('is refused for %s', (_, name, files, expected) => {
    const { folder, document, diagnostics } = reading(name, { 'secret.md': 'secret', ...files });
    expect(document).toBeNull();
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      expect.stringContaining(`${join(folder, 'flows', 'flow.yaml')}:4:18 `),
    ]);
    expect(formatDiagnostic(diagnostics[0]!)).toContain(expected);
    expect(JSON.stringify(diagnostics)).not.toContain('"secret"');
  });

  it('may be behind a link that stays inside, and behind a folder that is itself a link', () => {
    const { folder, document } = reading('link.md', {
      'flows/link.md': { link: 'a.md' },
      'flows/a.md': 'x',
      linked: { link: 'flows' },
    });
    expect(document).not.toBeNull();
    expect(readFlow(join(folder, 'linked', 'flow.yaml')).document).toEqual(document);
  });

  it('may have a name that only begins like the way out', () => {
    expect(reading('..a.md', { 'flows/..a.md': 'x' }).document).not.toBeNull();
  });

  it('of 256 kB is small enough, but all together have at most 8 MB', () => {
    const count = 32;
    const nodes = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`n${index}`, { end: 'x', promptFile: 'a.md' }]),
    );
    const baseFolder = temporaryFolder({ 'a.md': 'x'.repeat(256_000) });
    const { diagnostics } = readFlow({ initialNode: 'n0', nodes }, { baseFolder });
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      expect.stringContaining('n31.promptFile prompt-file-too-large'),
    ]);
  });

  it('needs a folder: a text gets one by an option', () => {
    const baseFolder = temporaryFolder({ 'a.md': 'x' });
    expect(readFlow(flow('a.md')).diagnostics.map(({ code }) => code)).toEqual(['prompt-file-no-folder']);
    expect(readFlow(flow('a.md'), { baseFolder }).diagnostics).toEqual([]);
  });
});
