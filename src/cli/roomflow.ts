import { stripVTControlCharacters } from 'node:util';
import { type ArgsDef, type CommandDef, defineCommand, runCommand } from 'citty';
import { FlowError } from '../model/errors.ts';
import { closestName } from '../flow/document/problems/suggestion.ts';
import { weightsSize } from '../offline/ears/weights.ts';
import { complain, tellBeside } from './output.ts';
import { ownVersion } from './own-version.ts';
import { usageOfAll, usageOfCommand } from './usage.ts';

const about = 'Declarative, durable conversation flows on LiveKit Agents.';

interface Entry {
  /** Written here so that the list of commands does not load every command. */
  readonly description: string;
  readonly load: () => Promise<unknown>;
}

const commands: Readonly<Record<string, Entry>> = {
  start: {
    description: 'Talk to the agent of ./agent.config.ts.',
    load: () => import('./run/chat.ts').then((module) => module.startCommand),
  },
  dev: {
    description: 'Open the studio: talk to a flow in the browser, watch it, edit it.',
    load: () => import('./run/dev.ts').then((module) => module.devCommand),
  },
  studio: {
    description: 'Look at the sessions of a store in the browser, including live ones.',
    load: () => import('./run/studio.ts').then((module) => module.studioCommand),
  },
  worker: {
    description: 'Take calls from a LiveKit server.',
    load: () => import('./run/worker.ts').then((module) => module.workerCommand),
  },
  supervise: {
    description: 'Find calls whose worker died, and send an agent to them again.',
    load: () => import('./people/supervise.ts').then((module) => module.superviseCommand),
  },
  doctor: {
    description: 'Check what a worker on this machine has and what is missing.',
    load: () => import('./run/doctor.ts').then((module) => module.doctorCommand),
  },
  chat: {
    description: 'Talk to a flow in the terminal.',
    load: () => import('./run/chat.ts').then((module) => module.chatCommand),
  },
  run: {
    description: 'Run a task flow to its outputs.',
    load: () => import('./run/run.ts').then((module) => module.runCommand),
  },
  check: {
    description: 'Report all problems in flows.',
    load: () => import('./flows/check.ts').then((module) => module.checkCommand),
  },
  init: {
    description: 'Create a new flow with tools, tests and a configuration.',
    load: () => import('./flows/init.ts').then((module) => module.initCommand),
  },
  test: {
    description: 'Run conversation tests.',
    load: () => import('./test/test.ts').then((module) => module.testCommand),
  },
  graph: {
    description: 'Draw a flow as a Mermaid flowchart.',
    load: () => import('./flows/graph.ts').then((module) => module.graphCommand),
  },
  import: {
    description: 'Convert a flow of Pipecat, Retell, Vapi, Rasa or Dialogflow CX, with a report.',
    load: () => import('./flows/import.ts').then((module) => module.importCommand),
  },
  schema: {
    description: 'Print the JSON Schema of flow documents, for editors.',
    load: () => import('./flows/schema.ts').then((module) => module.schemaCommand),
  },
  lsp: {
    description: 'Serve editors: problems, completion and definitions in flows, over standard input and output.',
    load: () => import('./run/lsp.ts').then((module) => module.lspCommand),
  },
  sessions: {
    description: 'List the sessions of a store, the latest first.',
    load: () => import('./people/sessions.ts').then((module) => module.sessionsCommand),
  },
  show: {
    description: 'Show the values of a session, its open effects and its last events.',
    load: () => import('./people/sessions.ts').then((module) => module.showCommand),
  },
  resume: {
    description: 'Continue a session in the terminal.',
    load: () => import('./people/sessions.ts').then((module) => module.resumeCommand),
  },
  replay: {
    description: 'Replay the log of a session and compare states, or find where a changed flow differs.',
    load: () => import('./people/sessions.ts').then((module) => module.replayCommand),
  },
  export: {
    description: 'Print all stored data of a session as JSON; with --to convert a flow.',
    load: () => import('./people/sessions.ts').then((module) => module.exportCommand),
  },
  forget: {
    description: 'Delete all stored data of a session.',
    load: () => import('./people/forget.ts').then((module) => module.forgetCommand),
  },
  schedule: {
    description: 'List, add, pause, resume or remove schedules, or run one now.',
    load: () => import('./people/schedule.ts').then((module) => module.scheduleCommand),
  },
  campaign: {
    description: 'Start, stop or resume campaigns, or show their progress.',
    load: () => import('./people/campaign.ts').then((module) => module.campaignCommand),
  },
  serve: {
    description: 'Serve sessions, waits, the inbox and the audit over HTTP, and the page of approvers.',
    load: () => import('./run/serve.ts').then((module) => module.serveCommand),
  },
  waits: {
    description: 'List the waits of conversations: questions, facts and deadlines.',
    load: () => import('./people/waits.ts').then((module) => module.waitsCommand),
  },
  approve: {
    description: 'Approve a wait.',
    load: () => import('./people/waits.ts').then((module) => module.approveCommand),
  },
  reject: {
    description: 'Reject a wait.',
    load: () => import('./people/waits.ts').then((module) => module.rejectCommand),
  },
  inbox: {
    description: 'List the inbox entries that are not processed yet, and post dead letters again.',
    load: () => import('./people/inbox.ts').then((module) => module.inboxCommand),
  },
  audit: {
    description: 'Show who did what, and what was denied.',
    load: () => import('./people/audit.ts').then((module) => module.auditCommand),
  },
  'setup-speech': {
    description: `Download the weights of offline speech recognition, once (${weightsSize}).`,
    load: () => import('./run/setup-speech.ts').then((module) => module.setupSpeechCommand),
  },
};

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

async function commandOf(name: string): Promise<CommandDef> {
  return (await commands[name]?.load()) as CommandDef; // Each command has its own type for its options.
}

async function optionsOf(name: string): Promise<ArgsDef> {
  return ((await commandOf(name)).args ?? {}) as ArgsDef; // Every command here defines its options as an object.
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
