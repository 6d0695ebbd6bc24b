import type { ArgsDef } from 'citty';
import { exitCodes } from './exit-codes.ts';
import { paint } from './output.ts';

/** Returns the help of the whole command line at 80 columns. `commands` maps names to descriptions. */
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

/** Returns the help of one command at 80 columns. */
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
  ['0', 'Success.'],
  ['1', 'A run or a check failed, or something could not be stored.'],
  ['2', 'The input is wrong. Nothing was started.'],
  ['130', 'Interrupted by Ctrl-C.'],
  ['143', 'Interrupted by SIGTERM.'],
];

type Row = readonly [name: string, text: string];

const width = 80;

function heading(text: string): string {
  return paint(['bold', 'underline'], text);
}

/** The placeholder that the user replaces. */
function wordOf(name: string): string {
  return name.toUpperCase();
}

/** Formats two columns; the second one is wrapped. */
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

/** Wraps a text between words into lines of at most `most` characters. */
function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= most) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
