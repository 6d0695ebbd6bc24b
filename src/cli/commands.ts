import type { ArgsDef, CommandDef } from 'citty';
import { weightsSize } from '../offline/ears/weights.ts';
import type { CommandShape } from './completion.ts';

interface Entry {
  /** Written here so that the list of commands does not load every command. */
  readonly description: string;
  readonly load: () => Promise<unknown>;
}

/** Every command, by name. */
export const commands: Readonly<Record<string, Entry>> = {
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
  explain: {
    description: 'Explain the code of a diagnostic or an error.',
    load: () => import('./flows/explain.ts').then((module) => module.explainCommand),
  },
  schema: {
    description: 'Print the JSON Schema of flow documents, for editors.',
    load: () => import('./flows/schema.ts').then((module) => module.schemaCommand),
  },
  lsp: {
    description: 'Serve editors: problems, completion and definitions in flows, over standard input and output.',
    load: () => import('./run/lsp.ts').then((module) => module.lspCommand),
  },
  mcp: {
    description:
      'Serve coding agents: check, test, simulate, explain and read sessions, by the Model Context Protocol.',
    load: () => import('./mcp/mcp.ts').then((module) => module.mcpCommand),
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
  completion: {
    description: 'Print a script that completes commands and options in a shell.',
    load: () => import('./completion.ts').then((module) => module.completionCommand(shapes)),
  },
};

/** Loads a command. */
export async function commandOf(name: string): Promise<CommandDef> {
  return (await commands[name]?.load()) as CommandDef; // Each command has its own type for its options.
}

/** Loads the options and arguments of a command. */
export async function optionsOf(name: string): Promise<ArgsDef> {
  return ((await commandOf(name)).args ?? {}) as ArgsDef; // Every command here defines its options as an object.
}

/** Returns what each command takes, for completion. */
async function shapes(): Promise<readonly CommandShape[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, { description }]) => ({
      name,
      description,
      options: await optionsOf(name),
    })),
  );
}
