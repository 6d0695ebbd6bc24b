import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../src/flow/document/problems/diagnostic.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { temporaryFolder } from './temporary-folder.ts';

const sound = `initial_node: greet
slots:
  day: { type: text, ask: Which day? }
nodes:
  greet:
    task_messages:
      - role: system
        content: Greet the caller.
    collect: [day]
    functions:
      - name: book
        description: Book a table.
        transition_to: done
    default_transition: done
  done:
    say: Goodbye.
    end: done
`;

/** Returns the diagnostics of the flow with one typing mistake. */
function told(right: string, wrong: string): readonly string[] {
  const text = sound.replace(right, () => wrong);
  expect(text).not.toBe(sound);
  return checkFlow(text, { catalog: builtinCatalog }).diagnostics.map(formatDiagnostic);
}

describe('one slip of the pen is told once, with its place, the fact and the remedy:', () => {
  it('nothing is told without one', () => {
    expect(checkFlow(sound, { catalog: builtinCatalog }).diagnostics).toEqual([]);
  });

  it.each([
    [
      'a quote that stays open',
      ['say: Goodbye.', 'say: "Goodbye.'],
      '16:10 yaml-syntax: this quote is never closed. Write " behind the text, or leave both out.',
    ],
    [
      'text that begins like an alias',
      ['say: Goodbye.', 'say: *Goodbye* now'],
      '16:20 yaml-syntax: text that begins with "*" refers to an anchor. Put the whole text in quotes.',
    ],
    [
      'text that begins like an anchor',
      ['say: Goodbye.', 'say: & goodbye'],
      '16:10 yaml-syntax: Anchor cannot be an empty string. Text that begins with "&" or "*" needs quotes.',
    ],
    [
      'no-break spaces that indent',
      ['    say:', '\u00a0\u00a0\u00a0\u00a0say:'],
      '16:1 yaml-syntax: this looks like a space and is another sign (U+00A0). Type it anew as a space.',
    ],
    [
      'a no-break space behind a key',
      ['say: Goodbye.', 'say:\u00a0Goodbye.'],
      '16:9 yaml-syntax: this looks like a space and is another sign (U+00A0). Type it anew as a space.',
    ],
    [
      'no blank behind a dash',
      ['- role: system', '-role: system'],
      '7:14 yaml-syntax: the line below this value is indented further than its key. Write a space after "-".',
    ],
    [
      'a tab below a key',
      ['      - name: book', '\t  - name: book'],
      '11:1 tab-indentation: a tab cannot indent a line. Use spaces.',
    ],
    [
      'quotes of a word processor around a key',
      ['    say:', '    “say”:'],
      '16:5 unknown-key: node "done" has no key "“say”". Write it without quotes, or in straight ones.',
    ],
    [
      'a map where a text is',
      ['content: Greet the caller.', 'content: { text: hi }'],
      '8:20 invalid-key: "text" of "content" must be a tag such as es, pt-BR or zh-Hant. Write the text alone, or a map of languages: { en: TEXT, es: TEXT }.',
    ],
    [
      'a list where a text is',
      ['content: Greet the caller.', 'content: [a, b]'],
      '8:18 wrong-type: "content" of a message must be text or a map, but it is a list. Write one, without the brackets or dashes.',
    ],
    [
      'a unit behind a number',
      ['description: Book a table.', 'description: Book a table.\n        timeout_ms: 5s'],
      '13:21 wrong-type: "timeout_ms" of function "book" must be a number, but it is text. Write digits alone, without a unit.',
    ],
    [
      'names of parameters in a list',
      ['description: Book a table.', 'description: Book a table.\n        parameters: { properties: [note] }'],
      '13:35 invalid-parameters: it must be a map of schemas. Write it like { NAME: { type: string } }.',
    ],
    [
      'a brace that stays open to the end',
      ['end: done', 'end: { reason: done'],
      '18:1 yaml-syntax: a "{" before this is never closed. Add "}".',
    ],
    [
      'a pattern that is not closed',
      ['ask: Which day?', 'ask: Which day?, pattern: "("'],
      String.raw`3:${'  day: { type: text, ask: Which day?, pattern: '.length + 1} invalid-pattern: It cannot be read: missing closing ): ` +
        String.raw`${'`(`'}. Fix it; write \ before a character that is meant literally.`,
    ],
  ] as const)('%s', (_, [right, wrong], line) => {
    expect(told(right, wrong).map((text) => text.replace('<text>:', ''))).toEqual([line]);
  });

  it('line ends of an old Mac', () => {
    const folder = temporaryFolder({ 'flow.yaml': sound.replaceAll('\n', '\r') });
    const path = join(folder, 'flow.yaml');
    const { diagnostics } = checkFlow(path, { catalog: builtinCatalog, file: 'flow.yaml' });
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      'flow.yaml:1:15 yaml-syntax: lines end with only a carriage return. Save the file with line ends LF or CRLF.',
    ]);
  });

  it('nodes in a list by their names', () => {
    const text = 'initial_node: a\nnodes:\n  - a:\n    say: Hello.\n    end: done\n';
    expect(checkFlow(text, { catalog: builtinCatalog }).diagnostics.map(formatDiagnostic)).toContain(
      '<text>:3:5 unknown-key: node "0" has no key "a". Write nodes without "- ": a map of their names.',
    );
  });
});

it.each([
  ['3', 'number'],
  ['true', 'boolean'],
  ['[1, "a"]', 'array'],
  ['high', 'string'],
])('a remedy for an input of a task flow that is %s works', (given, wanted) => {
  const problems = (input: string) =>
    checkFlow(
      `flow: { name: t, input: { x: ${input} } }\nnodes: { a: { type: data.template, input: { template: hi } } }\n`,
      { catalog: builtinCatalog },
    ).diagnostics;
  const [problem] = problems(given);
  const [, type = '', form = ''] = /Write its type: (\w+), or (\{.*\})\./.exec(problem?.hint ?? '') ?? [];
  expect(type).toBe(wanted);
  expect([...problems(type), ...problems(form)]).toEqual([]);
});
