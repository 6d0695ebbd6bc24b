import type { ArgsDef } from 'citty';
import { exitCodes } from './exit-codes.ts';
import { paint } from './output.ts';

/** How the whole command line is used, at 80 columns; `commands` says of each command what it does. */
export function usageOfAll(description: string, commands: Readonly<Record<string, string>>): string {
  const rows = Object.entries(commands);
  return [
    `${description}\n`,
    `${heading('USAGE')} roomflow COMMAND [OPTIONS]\n`,
    `${heading('COMMANDS')}\n\n${table(rows)}\n`,
    `${heading('EXIT CODES')}\n\n${table(codesOfAll)}\n`,
    'Use roomflow COMMAND --help for more about a command.',
  ].join('\n');
}

/** How one command is used, at 80 columns. */
export function usageOfCommand(name: string, description: string, args: ArgsDef): string {
  const named = Object.entries(args);
  const words = named.filter(([, { type }]) => type === 'positional');
  const options = named.filter(([, { type }]) => type !== 'positional');
  const usage = [
    'roomflow',
    name,
    ...(options.length > 0 ? ['[OPTIONS]'] : []),
    ...words.map(([word, { required }]) => (required === false ? `[${wordOf(word)}]` : wordOf(word))),
  ];
  const section = (title: string, rows: readonly Row[]): readonly string[] =>
    rows.length === 0 ? [] : [`${heading(title)}\n\n${table(rows)}\n`];
  return [
    `${wrapped(description, width).join('\n')}\n`,
    `${heading('USAGE')} ${usage.join(' ')}\n`,
    ...section(
      'ARGUMENTS',
      words.map(([word, { description: text = '' }]) => [wordOf(word), text]),
    ),
    ...section(
      'OPTIONS',
      options.map(([option, { type, description: text = '', ...more }]) => [
        type === 'boolean'
          ? `--${'default' in more && more.default === true ? 'no-' : ''}${option}`
          : `--${option} ${wordOf(option)}`,
        text,
      ]),
    ),
    ...section('EXIT CODES', Object.entries(exitCodes[name] ?? {})),
  ]
    .join('\n')
    .trimEnd();
}

const codesOfAll: readonly Row[] = [
  ['0', 'It was done, and what was looked for is as it should be.'],
  ['1', 'What was run failed, was not kept, or is not as it should be.'],
  ['2', 'The input is wrong, and nothing was begun.'],
  ['130', 'It was broken off by Ctrl-C.'],
  ['143', 'It was broken off by SIGTERM.'],
];

type Row = readonly [name: string, text: string];

const width = 80;

function heading(text: string): string {
  return paint(['bold', 'underline'], text);
}

/** What the user puts something in the place of. */
function wordOf(name: string): string {
  return name.toUpperCase();
}

/** Two columns, of which the second is wrapped. */
function table(rows: readonly Row[]): string {
  const first = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.flatMap(([name, text]) =>
    wrapped(text, width - first - 4).map((line, index) => {
      const left = index === 0 ? paint('cyan', name) + ' '.repeat(first - name.length) : ' '.repeat(first);
      return `  ${left}  ${line}`;
    }),
  );
  return lines.join('\n');
}

/** A text in lines of at most so many characters, broken between words. */
function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= most) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
