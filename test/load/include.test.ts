import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../src/flow/document/problems/diagnostic.ts';
import { readFlow } from '../../src/flow/load/read-flow.ts';
import { type Content, temporaryFolder } from './temporary-folder.ts';

function reading(files: Readonly<Record<string, Content>>) {
  const folder = temporaryFolder(files);
  const { document, diagnostics, locate } = readFlow(join(folder, 'flow.yaml'));
  return {
    folder,
    document,
    locate,
    lines: diagnostics.map((diagnostic) => formatDiagnostic(diagnostic).replace(`${folder}/`, '')),
  };
}

describe('an included file', () => {
  it('stands for its value: YAML and JSON as data, md and txt as text', () => {
    const { document, lines } = reading({
      'flow.yaml': 'initial_node: a\nnodes: !include nodes/all.yaml\nstate: !include state.json\n',
      'nodes/all.yaml':
        'a:\n  task_messages:\n    - { role: system, content: !include a.md }\n  end: x\nb: !include ../b.yml\n',
      'nodes/a.md': 'Be brief.\r\nPlease.\n',
      'b.yml': 'end: z\n',
      'state.json': '{"count": 1}',
    });
    expect(lines).toEqual([]);
    expect(document).toEqual({
      initialNode: 'a',
      state: { count: 1 },
      nodes: { a: { taskMessages: [{ role: 'system', content: 'Be brief.\nPlease.' }], end: 'x' }, b: { end: 'z' } },
    });
  });

  it('is where its own problems are told, of syntax, of form and of the graph', () => {
    const { lines } = reading({
      'flow.yaml': 'initial_node: a\nnodes:\n  a: !include a.yaml\n  b: !include b.yaml\n  c: !include c.yaml\n',
      'a.yaml': 'end: x\nsay: 5\n',
      'b.yaml': 'end: x\nend: y\n',
      'c.yaml': 'say: Hello: world\n',
    });
    expect(lines).toEqual([
      'a.yaml:2:6 wrong-type: "say" of node "a" must be text, a list or a map, but it is a number. Put it in quotes: "5".',
      'b.yaml:2:1 duplicate-key: "end" is already in line 1. Keep one of them.',
      'c.yaml:1:6 yaml-syntax: a value cannot begin a map or list on the line of its key. Put text that has ": " in it in quotes.',
    ]);
    const sound = reading({
      'flow.yaml': 'initial_node: a\nnodes: { a: { end: x, say: !include say.txt } }\n',
      'say.txt': 'Hello\n  {{ name',
    });
    expect(
      sound.locate({
        code: 'x',
        severity: 'error',
        message: 'x',
        path: ['nodes', 'a', 'say'],
        within: { start: 8, text: '{{ name' },
      }),
    ).toMatchObject({ file: join(sound.folder, 'say.txt'), line: 2, column: 3 });
  });

  it('is where the key is missing that its map lacks', () => {
    const { lines } = reading({
      'flow.yaml': 'initial_node: a\nslots:\n  s: !include s.yaml\nnodes: { a: { end: x } }\n',
      's.yaml': '# A slot\nask: What?\n',
    });
    expect(lines).toEqual([expect.stringContaining('s.yaml:2:1 missing-key')]);
  });

  it('may be included twice, but not inside itself', () => {
    const twice = reading({
      'flow.yaml': 'initial_node: a\nnodes: { a: !include n.yaml, b: !include n.yaml }\n',
      'n.yaml': 'end: x\n',
    });
    expect(twice.lines).toEqual([]);
    const cycle = reading({
      'flow.yaml': 'initial_node: a\nnodes: { a: { end: x, config: !include 1.yaml } }\n',
      '1.yaml': 'a: !include 2.yaml\n',
      '2.yaml': 'a: !include 1.yaml\n',
    });
    expect(cycle.lines).toEqual(['2.yaml:1:13 include-cycle: "1.yaml" includes itself. Remove one of the includes.']);
    const self = reading({ 'flow.yaml': 'initial_node: a\nnodes: { a: { end: x, config: !include flow.yaml } }\n' });
    expect(self.lines).toEqual([
      'flow.yaml:2:40 include-cycle: "flow.yaml" includes itself. Remove one of the includes.',
    ]);
  });

  it.each([
    ['../secret.yaml', 'include-outside'],
    ['/etc/passwd.yaml', 'include-outside'],
    ['link.yaml', 'include-outside'],
    ['nods.yaml', 'include-missing: there is no file "nods.yaml": the path is '],
    ['prompts', 'include-unreadable'],
    ['a.exe', 'include-invalid'],
  ])('is refused as %s', (name, expected) => {
    const folder = temporaryFolder({
      'secret.yaml': 'password',
      'flows/flow.yaml': `initial_node: a\nnodes: { a: { end: x, config: !include ${name} } }\n`,
      'flows/link.yaml': { link: '../secret.yaml' },
      'flows/nodes.yaml': '',
      'flows/prompts/x': '',
      'flows/a.exe': '',
    });
    const { diagnostics } = readFlow(join(folder, 'flows', 'flow.yaml'));
    expect(diagnostics.map(formatDiagnostic)).toEqual([expect.stringContaining(`flow.yaml:2:40 ${expected}`)]);
    expect(JSON.stringify(diagnostics)).not.toContain('password');
  });

  it('cannot multiply the flow: not by size, nor behind aliases', () => {
    const list = `[${'1,'.repeat(90_000)}]`;
    const many = reading({
      'flow.yaml': `initial_node: a\nnodes: { a: { end: x, config: { a: [${'!include l.yaml, '.repeat(20)}] } } }\n`,
      'l.yaml': list,
    });
    expect(many.lines).toEqual([expect.stringContaining('l.yaml:1:139935 too-many-keys')]);
    const texts = reading({
      'flow.yaml': `initial_node: a\nnodes: { a: { end: x, config: { a: [${'!include l.md, '.repeat(20)}] } } }\n`,
      'l.md': 'x'.repeat(199_000),
    });
    expect(texts.lines).toEqual(Array.from({ length: 10 }, () => expect.stringContaining('include-too-large')));
    const aliased = reading({
      'flow.yaml': `initial_node: a\nnodes: { a: { end: x, config: { a: &a !include l.yaml, b: [*a, *a] } } }\n`,
      'l.yaml': list,
    });
    expect(aliased.lines).toEqual([expect.stringContaining('flow.yaml:2:64 alias-limit')]);
  });
});
