import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../src/flow/document/problems/diagnostic.ts';
import { readFlow } from '../../src/flow/load/read-flow.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

const FLOW = 'initial_node: a\nnodes:\n  a: { say: Hi., end: done }\n';
const DOCUMENT = { initialNode: 'a', nodes: { a: { say: 'Hi.', end: 'done' } } };

describe('what a flow is read from', () => {
  it('refuses a task flow where a conversation is wanted', () => {
    const { document, diagnostics } = readFlow('flow: {}\nnodes: []\n');
    expect(document).toBeNull();
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      '<text>:1:1 document-kind: this is a task flow, not a conversation. A conversation has initial_node, a task flow has flow.',
    ]);
  });

  it('reads a path, a file URL, a YAML text, a JSON text and an object alike', () => {
    const path = join(temporaryFolder({ 'flow.yaml': FLOW }), 'flow.yaml');
    const json = '{"initial_node":"a","nodes":{"a":{"say":"Hi.","end":"done"}}}';
    const object = { initialNode: 'a', nodes: { a: { say: 'Hi.', end: 'done' } } };
    for (const source of [path, pathToFileURL(path), FLOW, json, `${json}\n`, object]) {
      const { document, diagnostics } = readFlow(source);
      expect(diagnostics).toEqual([]);
      expect(document).toEqual(DOCUMENT);
    }
  });

  it.each([
    ['a byte order mark', `\u{feff}${FLOW}`],
    ['Windows line ends', FLOW.replaceAll('\n', '\r\n')],
    [
      'tabs between the tokens of JSON',
      '{\n\t"initial_node": "a",\n\t"nodes": {\n\t\t"a": {"say": "Hi.", "end": "done"}\n\t}\n}',
    ],
    ['a document start, an end and %YAML 1.2', `%YAML 1.2\n---\n${FLOW}...\n`],
  ])('reads a file with %s', (_, text) => {
    const path = join(temporaryFolder({ 'flow.yaml': text }), 'flow.yaml');
    for (const source of [path, text]) expect(readFlow(source)).toMatchObject({ document: DOCUMENT, diagnostics: [] });
  });

  it('keeps a date, a time and yes as the text they are, and numbers as numbers', () => {
    const { document } = readFlow(
      `${FLOW}state: { day: 2026-05-01, time: 14:30, word: yes, count: 3, ratio: 1.5, big: 1e300 }\n`,
    );
    expect(document?.state).toEqual({
      day: '2026-05-01',
      time: '14:30',
      word: 'yes',
      count: 3,
      ratio: 1.5,
      big: 1e300,
    });
  });

  it.each([
    ['double quotes', 'initial_node: a\nnodes:\n  a: { say: Hi., end: "y" }\n'],
    ['single quotes', "initial_node: a\nnodes:\n  a: { say: Hi., end: 'no' }\n"],
    ['a block', 'initial_node: a\nnodes:\n  a:\n    say: Hi.\n    end: |-\n      off\n'],
    [
      'quotes behind an alias',
      'initial_node: a\nnodes:\n  b: { say: &no "no", end: x }\n  a: { say: Hi., end: *no }\n',
    ],
    ['JSON', '{"initial_node":"a","nodes":{"a":{"say":"Hi.","end":"yes"}}}'],
    ['a map of texts', 'initial_node: a\nnodes:\n  a: { functions: [{ name: go, confirm: { en: "Yes" } }] }\n'],
    ['an object', { initialNode: 'a', nodes: { a: { say: 'Hi.', end: 'yes' } } }],
    ['a Pipecat flow', { initial_node: 'a', nodes: [{ id: 'a', say: 'Hi.', end: 'on' }] }],
  ])('reads words of YAML 1.1 such as yes as text if they are in quotes: %s', (_, source) => {
    expect(readFlow(source).diagnostics.map(({ code }) => code)).not.toContain('boolean-word');
  });

  it('takes a number, a boolean or ~ as key for the text it is written as', () => {
    const { document } = readFlow(`${FLOW}state: { 1: a, true: b, ~: c, 1.50: d }\n`);
    expect(document?.state).toEqual({ '1': 'a', true: 'b', '~': 'c', '1.50': 'd' });
  });

  it('takes << in quotes for an ordinary key', () => {
    const { document } = readFlow(`${FLOW}state: { "<<": 1 }\n`);
    expect(document?.state).toEqual({ '<<': 1 });
  });

  it('follows an alias, and gives each place of it its own value', () => {
    const { document } = readFlow(`${FLOW}state: { a: &x { b: 1 }, c: *x }\n`);
    expect(document?.state).toEqual({ a: { b: 1 }, c: { b: 1 } });
  });

  it('reads names such as constructor and toString as ordinary text', () => {
    const { document } = readFlow(
      'initial_node: constructor\nnodes:\n  constructor: { end: x }\n  toString: { end: x }\n',
    );
    expect(Object.keys(document?.nodes ?? {})).toEqual(['constructor', 'toString']);
  });

  it('reads a Pipecat flow, and points at the words of its author', () => {
    const text =
      '{"initial_node": "a", "nodes": {"a": {"role_message": "You are {{ who", "task_messages": [],\n' +
      '  "functions": [{"type": "function", "function": {"name": "go", "handler": "__function__:go", "sya": 1}}]}}}';
    const { diagnostics } = readFlow(text);
    expect(diagnostics).toMatchObject([
      { code: 'unknown-key', line: 2, column: 95, path: ['nodes', 'a', 'functions', 0, 'function', 'sya'] },
    ]);
    const { locate } = readFlow(text.replace(', "sya": 1', ''));
    const problem = { code: 'x', severity: 'error', message: 'x' } as const;
    const within = { start: 8, text: '{{ who' };
    expect(locate({ ...problem, path: ['nodes', 'a', 'roleMessages', 0, 'content'], within })).toMatchObject({
      line: 1,
      column: 64,
    });
  });
});

describe('a file that cannot be read', () => {
  const error = (source: string | URL): string => {
    const { document, diagnostics } = readFlow(source);
    expect(document).toBeNull();
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ severity: 'error', line: 1, column: 1 });
    return formatDiagnostic(diagnostics[0]!);
  };

  it('that does not exist suggests one that does', () => {
    const folder = temporaryFolder({ 'intake.yaml': FLOW });
    expect(error(join(folder, 'intke.yaml'))).toContain(
      '1:1 file-not-found: there is no such file. Did you mean "intake.yaml"?',
    );
    expect(error(pathToFileURL(join(folder, 'zzz')))).toContain(`There is ${join(basename(folder), 'intake.yaml')}.`);
    expect(error(join(folder, 'no', 'where.yaml'))).toContain('file-not-found: there is no such file.');
    expect(error(new URL('https://example.com/flow.yaml'))).toContain('file-not-found');
  });

  it('that is a folder tells which flows are in it', () => {
    const others = { 'readme.md': '', 'package.json': '{}', '.hidden.json': '{}', 'tsconfig.json': '{}' };
    const folder = temporaryFolder({ 'intake.yaml': FLOW, ...others });
    expect(error(folder)).toContain(
      `not-a-file: this is not a regular file. There is ${join(basename(folder), 'intake.yaml')}.`,
    );
  });

  it('that is a device or a pipe is refused at once', () => {
    expect(error('/dev/zero')).toContain('not-a-file');
    const pipe = join(temporaryFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(error(pipe)).toContain('not-a-file');
  });

  it('that has an impossible name is no more than unreadable', () => {
    expect(error('a\0b')).toContain('file-unreadable');
    expect(error('x'.repeat(5000))).toContain('file-unreadable');
  });

  it('that is too large is not even opened up', () => {
    expect(error(join(temporaryFolder({ 'big.yaml': 'x'.repeat(2_000_001) }), 'big.yaml'))).toContain('file-too-large');
  });
});

describe('all problems of a file', () => {
  it('come at once, in the order of the file, each with its frame', () => {
    const { document, diagnostics } = readFlow(
      'initial_node: a\nslots:\n  b: { type: nme }\nnodes:\n  a:\n    sayy: Hi.\n    end: x\n    end: y\n    __proto__: 1\n    on_error: *gone\nx: !y z\n',
      { file: 'intake.yaml' },
    );
    expect(document).toBeNull();
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      'intake.yaml:3:14 invalid-value: "type" of slot "b" is not one of name, date, time, number, integer, boolean, enum, phone, code, email, text. Did you mean "name"?',
      'intake.yaml:6:5 unknown-key: node "a" has no key "sayy". Did you mean "say"?',
      'intake.yaml:8:5 duplicate-key: "end" is already in line 7. Keep one of them.',
      'intake.yaml:9:5 unsafe-key: "__proto__" cannot be a key. Choose another name.',
      'intake.yaml:10:15 unknown-alias: no anchor &gone exists before this alias. Text that begins with "*" needs quotes.',
      'intake.yaml:11:1 unknown-key: the flow has no key "x".',
      'intake.yaml:11:4 unknown-tag: there is no tag "!y". Remove it; the only tag is !include. Text that begins with "!" needs quotes.',
    ]);
    expect(diagnostics[1]?.frame).toBe('  4 | nodes:\n  5 |   a:\n> 6 |     sayy: Hi.\n    |     ^^^^');
  });

  it.each([
    ['a condition that is text', 'when: visit == "x"', 'Write it like { equals: { var: …, value: … } }.'],
    ['a condition without an operator', 'when: { visit: x }', 'It may have equals, not_equals, greater, less,'],
    ['a comparison that is a list', 'when: { equals: [visit, x] }', 'Write it like { var: …, value: … }.'],
  ])('tell the form of %s', (_what, when, hint) => {
    const { diagnostics } = readFlow(
      `initial_node: a\nnodes: { a: { say: x, end: true } }\nedges: [{ from: a, to: a, ${when} }]\n`,
    );
    expect(diagnostics[0]?.hint).toContain(hint);
  });

  it.each([
    ['version: 1', 'Did you mean "schema_version"?'],
    ['slots: { n: { type: number, min: 1 } }', 'Did you mean "minimum"?'],
    ['slots: { n: { type: text, question: x } }', 'Did you mean "ask"?'],
    ['edges: [{ from: a, to: a, condition: x }]', 'Did you mean "when"?'],
    ['slots: { n: { type: enum, options: [x] } }', 'Did you mean "values"?'],
    ['slots: { n: { type: text, required: true } }', 'A slot is required unless it has optional: true.'],
    ['edges: [{ from: a, to: a, when: { gt: { var: n, value: 1 } } }]', 'Did you mean "greater"?'],
    ['edges: [{ from: a, to: a, when: { equals: { variable: n, value: 1 } } }]', 'Did you mean "var"?'],
    ['functions: [{ name: f, transition_to: { field: ok, cases: {}, true: a } }]', 'Put it under cases.'],
    ['"// start": 1', 'A comment begins with "#".'],
  ])('name what a word of other formats is called here: %s', (line, hint) => {
    const { diagnostics } = readFlow(`initial_node: a\nnodes: { a: { say: x, end: true } }\n${line}\n`);
    expect(diagnostics.map((one) => [one.code, one.hint])).toEqual([['unknown-key', hint]]);
  });

  it.each([
    ["say: 'What's new?'", 'text continues after a closing quote.'],
    ['say: hi\n      end: x', 'the line below this value is indented further than its key.'],
    ['say:hi\n    end: x', 'this line is not a key with a value.'],
    ['functions: [{ name: x, transition_to: a }', 'a "[" before this is never closed.'],
    ['task_messages: [{ role: system content: x }]', 'inside { } or [ ], this text contains ": ".'],
    ['functions: [] }', 'this closes nothing.'],
    ['functions:\n    - name: x\n     description: y', 'this is not an item of the list above it.'],
  ])('of syntax are told in words for who wrote them: %s', (line, message) => {
    const { diagnostics } = readFlow(`initial_node: a\nnodes:\n  a:\n    ${line}\n`);
    expect(diagnostics.map((one) => [one.code, one.message])).toEqual([['yaml-syntax', message]]);
    expect(diagnostics[0]?.hint).toMatch(/\.$/);
  });

  it('name the key for a list of functions that is called tools', () => {
    const { diagnostics } = readFlow('initial_node: a\ntools: [{ name: f }]\nnodes: { a: { say: Hi., end: x } }\n');
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ['wrong-type', 'Write the list under "functions".'],
    ]);
  });

  it('tell that text with a comma needs quotes, and that a blank is missing behind a colon', () => {
    const { diagnostics } = readFlow(
      'initial_node: a\nnodes: { a: { say: hello, world, end: x }, b: { say:hi, end: x } }\n',
    );
    expect(diagnostics.map(({ hint }) => hint)).toEqual([
      'Remove it; text with a comma in it needs quotes in { }.',
      'Write a space after ":".',
    ]);
  });

  it.each([
    ['string', 'text'],
    ['bool', 'boolean'],
    ['int', 'integer'],
  ])('name the type that other formats call %s', (type, meant) => {
    const { diagnostics } = readFlow(`initial_node: a\nnodes: { a: { end: x } }\nslots: { n: { type: ${type} } }\n`);
    expect(diagnostics.map(({ hint }) => hint)).toEqual([`Did you mean "${meant}"?`]);
  });

  it.each([
    ['functions: [go]', 'Write it like { name: …, description: …, transition_to: … }.'],
    ['slots: { n: name }', 'Write it like { type: …, ask: … }.'],
    ['slots: [{ name: n, type: name }]', 'Make it a map: { NAME: { type: …, ask: … } }.'],
    ['role_messages: [5]', 'Write it like { role: system, content: … }.'],
  ])('tell the form of a part that is text: %s', (line, hint) => {
    const { diagnostics } = readFlow(`initial_node: a\nnodes: { a: { end: x } }\n${line}\n`);
    expect(diagnostics.map((one) => one.hint)).toEqual([hint]);
  });

  it('tell the form of a policy that is a number', () => {
    const { diagnostics } = checkFlow('flow: {}\nnodes: { a: { type: control.noop, policy: { retry: 3 } } }\n', {
      catalog: builtinCatalog,
    });
    expect(diagnostics.map(({ hint }) => hint)).toEqual(['Write it like { max_attempts: …, backoff_ms: … }.']);
  });

  it('does not report what follows from a problem reported before', () => {
    const { diagnostics } = readFlow('initial_nod: a\nnodes: { a: { end: x, say: *gone, functions: [*gone] } }\n');
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-key', 'unknown-alias', 'unknown-alias']);
  });

  it('are one for a line whose syntax is broken, however many ways', () => {
    const { diagnostics } = readFlow('a: 1\n b: 2\n');
    expect(diagnostics).toMatchObject([{ code: 'yaml-syntax', line: 1, column: 4 }]);
  });

  it('of broken syntax stand alone, for nothing else can be told', () => {
    const { diagnostics } = readFlow('initial_node: a\nnodes:\n  a: { say: "x }\n  b: @x\nsya: 1\n');
    expect([...new Set(diagnostics.map(({ code }) => code))]).toEqual(['yaml-syntax']);
  });
});

describe('whatever is given', () => {
  it('never throws, and ends with a document or with an error', () => {
    const yaml = fc.string({
      unit: fc.constantFrom(
        ...Array.from('abn:-?,[]{}&*!|>\'"%@`#\n\t \r<~1{}'),
        '!include ',
        'nodes:',
        'initial_node: a',
        '\n  ',
        '---\n',
        '<<: ',
      ),
    });
    fc.assert(
      fc.property(fc.oneof(yaml, fc.string(), fc.anything()), (given) => {
        const reading = readFlow(given as object);
        const isWrong = reading.diagnostics.some(({ severity }) => severity === 'error');
        expect(reading.document === null).toBe(isWrong);
        const problem = { code: 'x', severity: 'error', message: 'x', path: ['nodes', 'a', 0, '__proto__'] } as const;
        expect(reading.locate(problem).file).toBe(reading.file);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a tab that indents', () => {
  it('is told, and no line after it is blamed for it', () => {
    const text = 'initial_node: a\nnodes:\n  a:\n\tsay: Hi.\n    end: true\n  b: { say: Bye., end: true }\n';
    const { diagnostics } = checkFlow(text, { catalog: builtinCatalog });
    expect(diagnostics.map(({ code, line }) => `${line} ${code}`)).toEqual(['4 tab-indentation']);
  });
});
