import { stripVTControlCharacters } from 'node:util';
import { type ArgsDef, defineCommand, runCommand } from 'citty';
import { FlowError } from '../model/errors.ts';
import { closestName } from '../flow/document/problems/suggestion.ts';
import { commandOf, commands, optionsOf } from './commands.ts';
import { complain, tellBeside } from './output.ts';
import { ownVersion } from './own-version.ts';
import { usageOfAll, usageOfCommand } from './usage.ts';

const about = 'Declarative, durable conversation flows on LiveKit Agents.';

const roomflow = defineCommand({
  meta: { name: 'roomflow', description: about },
  subCommands: Object.fromEntries(Object.keys(commands).map((name) => [name, () => commandOf(name)])),
});

/** Runs the command line. Sets the exit code: 0 success, 1 the command failed, 2 the input is wrong. */
export async function runRoomflow(args: readonly string[]): Promise<void> {
  if (args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${await usageOf(args.filter((word) => word !== 'help'))}\n`);
    return;
  }
  if (args[0] === '--version' || args[0] === '-v') {
    process.stdout.write(`${ownVersion()}\n`);
    return;
  }
  try {
    refuseUnknownCommand(args);
    await refuseWrongOptions(args);
    await runCommand(roomflow, { rawArgs: [...args] });
  } catch (error) {
    if (error instanceof FlowError) complain(error.message);
    else if (isUsageError(error)) {
      complain(stripVTControlCharacters(error.message));
      tellBeside(`\n${await usageOf(args)}`);
    } else if (isSystemError(error)) complain(`${error.message}. Check the file or address it names.`);
    else throw error;
    process.exitCode = 2;
  }
}

async function usageOf(args: readonly string[]): Promise<string> {
  const name = nameIn(args);
  const entry = name === undefined ? undefined : commands[name];
  if (name === undefined || entry === undefined)
    return usageOfAll(
      about,
      Object.fromEntries(Object.entries(commands).map(([each, { description }]) => [each, description])),
    );
  return usageOfCommand(name, entry.description, await optionsOf(name));
}

/** Returns the command that the arguments name, if it exists. */
function nameIn(args: readonly string[]): string | undefined {
  const name = args.find((word) => !word.startsWith('-'));
  return name !== undefined && Object.hasOwn(commands, name) ? name : undefined;
}

/**
 * citty would print the whole help. Throws `command-unknown`, and `option-unknown` for an option before the command.
 */
function refuseUnknownCommand(args: readonly string[]): void {
  const [name = ''] = args;
  const names = Object.keys(commands);
  if (names.includes(name)) return;
  if (name.startsWith('-')) {
    const meant = closestName(name, ['--version', '--help']);
    const way =
      meant === undefined
        ? 'Write options after the command. "roomflow COMMAND --help" lists them.'
        : `Did you mean ${meant}?`;
    throw new FlowError('option-unknown', `there is no option ${name} without a command. ${way}`);
  }
  const close = closestName(name, names);
  const hint = close === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${close}?`;
  throw new FlowError('command-unknown', `there is no command "${name}". ${hint}`);
}

/**
 * citty accepts unknown options, surplus arguments and missing values, which would be ignored or misread. Throws
 * `option-unknown`, `option-empty` or `option-invalid`.
 */
async function refuseWrongOptions(args: readonly string[]): Promise<void> {
  const name = nameIn(args);
  if (name === undefined) return;
  const options = await optionsOf(name);
  const words = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  for (const [index, word] of words.entries()) {
    const [, name, value = words[index + 1] ?? '--'] = /^--(?:no-)?([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) continue;
    const names = Object.keys(options).filter((each) => options[each]?.type !== 'positional');
    if (!names.includes(name)) throw unknownOption(name, names);
    if (options[name]?.type === 'string' && (value === '' || value.startsWith('--')))
      throw new FlowError('option-empty', `--${name} needs a value.`);
  }
  refuseMoreWords(name, words, options);
}

/** Throws `option-invalid` for an argument that the command would not read. `files` accepts any number. */
function refuseMoreWords(name: string, words: readonly string[], options: ArgsDef): void {
  const positional = Object.keys(options).filter((each) => options[each]?.type === 'positional');
  if (positional.includes('files')) return;
  const isValue = (index: number): boolean => {
    const [, option = ''] = /^--([^=]+)$/.exec(words[index - 1] ?? '') ?? [];
    return Object.hasOwn(options, option) && options[option]?.type === 'string';
  };
  const given = words.filter((word, index) => !word.startsWith('-') && !isValue(index)).slice(1);
  const extra = given[positional.length];
  if (extra === undefined) return;
  const takes = positional.length === 0 ? 'no argument' : positional.map((each) => each.toUpperCase()).join(' ');
  throw new FlowError('option-invalid', `"${extra}" is one argument too many: roomflow ${name} takes ${takes}.`);
}

function unknownOption(name: string, names: readonly string[]): FlowError {
  const close = closestName(name, names);
  const known = names.map((each) => `--${each}`).join(', ');
  const others = known === '' ? 'This command takes none.' : `There are ${known}.`;
  const hint = close === undefined ? others : `Did you mean --${close}?`;
  return new FlowError('option-unknown', `there is no option --${name}. ${hint}`);
}

/** citty reports wrong arguments with its own error class. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'CLIError';
}

/** An error of the operating system about a file or an address. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
