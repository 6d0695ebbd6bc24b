import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { type ArgsDef, defineCommand, renderUsage, runCommand } from 'citty';
import { FlowError } from '../errors.ts';
import { closestName } from '../flow/suggestion.ts';
import { complain } from './output.ts';

const roomflow = defineCommand({
  meta: { name: 'roomflow', description: 'Declarative, durable conversation flows on LiveKit Agents.' },
  subCommands: {
    start: () => import('./chat.ts').then((module) => module.startCommand),
    worker: () => import('./worker.ts').then((module) => module.workerCommand),
    supervise: () => import('./supervise.ts').then((module) => module.superviseCommand),
    doctor: () => import('./doctor.ts').then((module) => module.doctorCommand),
    chat: () => import('./chat.ts').then((module) => module.chatCommand),
    run: () => import('./run.ts').then((module) => module.runCommand),
    check: () => import('./check.ts').then((module) => module.checkCommand),
    graph: () => import('./graph.ts').then((module) => module.graphCommand),
    schema: () => import('./schema.ts').then((module) => module.schemaCommand),
    sessions: () => import('./sessions.ts').then((module) => module.sessionsCommand),
    show: () => import('./sessions.ts').then((module) => module.showCommand),
    resume: () => import('./sessions.ts').then((module) => module.resumeCommand),
    replay: () => import('./sessions.ts').then((module) => module.replayCommand),
    export: () => import('./sessions.ts').then((module) => module.exportCommand),
    'setup-speech': () => import('./setup-speech.ts').then((module) => module.setupSpeechCommand),
  },
});

/** The command line. Sets the exit code: 0 as asked, 1 what was run failed, 2 the input is wrong. */
export async function runRoomflow(args: readonly string[]): Promise<void> {
  if (args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${await usageOf(args.filter((word) => word !== 'help'))}\n`);
    return;
  }
  if (args[0] === '--version') {
    process.stdout.write(`${ownVersion()}\n`);
    return;
  }
  try {
    refuseUnknownCommand(args);
    await refuseWrongOptions(args);
    await runCommand(roomflow, { rawArgs: [...args] });
  } catch (error) {
    if (error instanceof FlowError) complain(error.message);
    else if (isUsageError(error)) complain(`${stripVTControlCharacters(error.message)}\n\n${await usageOf(args)}`);
    else throw error;
    process.exitCode = 2;
  }
}

async function usageOf(args: readonly string[]): Promise<string> {
  const usage = await coloured(args);
  return process.stdout.isTTY ? usage : stripVTControlCharacters(usage);
}

async function coloured(args: readonly string[]): Promise<string> {
  const command = await commandOf(args);
  return command === undefined ? await renderUsage(roomflow) : await renderUsage(command, roomflow);
}

/** The command that the arguments name, if there is one. */
async function commandOf(args: readonly string[]): Promise<typeof roomflow | undefined> {
  const commands = roomflow.subCommands;
  const name = args.find((word) => !word.startsWith('-'));
  if (name === undefined || typeof commands !== 'object' || !Object.hasOwn(commands, name)) return undefined;
  const entry = (commands as Record<string, unknown>)[name]; // Looked up by an own key.
  return typeof entry === 'function' ? await (entry as () => Promise<typeof roomflow>)() : undefined;
}

/** citty answers with all that there is. Throws `command-unknown`. */
function refuseUnknownCommand(args: readonly string[]): void {
  const [name = ''] = args;
  const names = Object.keys(roomflow.subCommands ?? {});
  if (name.startsWith('-') || names.includes(name)) return;
  const close = closestName(name, names);
  const hint = close === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${close}?`;
  throw new FlowError('command-unknown', `there is no command "${name}". ${hint}`);
}

/**
 * citty takes any option, and an empty text for a value that is not there: a wish unheard or misunderstood. Throws
 * `option-unknown` or `option-empty`.
 */
async function refuseWrongOptions(args: readonly string[]): Promise<void> {
  const options = (await commandOf(args))?.args as ArgsDef | undefined; // Every command here writes them out.
  if (options === undefined) return;
  const words = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  for (const [index, word] of words.entries()) {
    const [, name, value = words[index + 1] ?? '--'] = /^--(?:no-)?([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) continue;
    if (!Object.hasOwn(options, name)) throw unknownOption(name, Object.keys(options));
    if (options[name]?.type === 'string' && (value === '' || value.startsWith('--')))
      throw new FlowError('option-empty', `--${name} needs a value.`);
  }
}

function unknownOption(name: string, names: readonly string[]): FlowError {
  const close = closestName(name, names);
  const known = names.map((each) => `--${each}`).join(', ');
  const hint = close === undefined ? `There are ${known}.` : `Did you mean --${close}?`;
  return new FlowError('option-unknown', `there is no option --${name}. ${hint}`);
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version; // This package's own.
}

/** citty tells wrong arguments by an error with a code of its own. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('E');
}
