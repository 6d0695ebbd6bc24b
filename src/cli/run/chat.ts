import { defineCommand } from 'citty';
import { createInterface } from 'node:readline';
import { createConsoleChannel, printable } from '../../livekit/channels/console.ts';
import { type AgentConfig, agentOptions, beginsClassic, callOptions, type OpenedConfig } from '../../config/config.ts';
import { chosenStore, lastingStore } from '../../store/open-store.ts';
import { FlowError } from '../../model/errors.ts';
import { isGeneratorDocument } from '../../flow/graph/generator-graph.ts';
import type { FlowSource } from '../../flow/load/files/flow-library.ts';
import { configName } from '../../flow/load/files/config-above.ts';
import { openFlow } from '../../flow/load/open-flow.ts';
import type { Store } from '../../model/ports/store.ts';
import type { FlowRunner } from '../../runner/flow-runner.ts';
import { plugInOf } from '../../livekit/plug-ins/plug-in-choice.ts';
import { systemClock, systemIds } from '../../system.ts';
import { connected } from '../../config/connected-config.ts';
import { assertMayGoOn, operatorOf } from '../people/operator.ts';
import { complain, paint, print } from '../output.ts';
import { openScript, playScript } from './play-script.ts';
import { pretendedTransfers } from './pretended-transfers.ts';
import { checkSource, configFile, openConfig } from '../flows/sources.ts';
import { type Pretended, pretendFor } from './stand-ins.ts';
import { whenFree } from '../when-free.ts';

export const chatCommand = defineCommand({
  args: {
    file: {
      type: 'positional',
      description: 'The flow file. Default: the initial flow of the configuration.',
      required: false,
    },
    flow: { type: 'string', description: 'The flow file, as an option.' },
    config: {
      type: 'string',
      description: 'Tools, handlers, flows and the model. Default: ./agent.config.ts if it exists.',
    },
    session: { type: 'string', description: 'The id of the conversation.' },
    store: { type: 'string', description: 'The store of the conversation. Default: the store of the configuration.' },
    wait: {
      type: 'boolean',
      default: true,
      description: 'Do not wait if another process owns the conversation: exit with code 2.',
    },
    language: {
      type: 'string',
      description: 'The first language, a BCP 47 tag that the flow lists. Default: the language of the flow.',
    },
    script: {
      type: 'string',
      description: 'A YAML or JSON script to play instead of typing. Exit code 1 if it fails.',
    },
    pretend: {
      type: 'boolean',
      description:
        'Pretend every function and reply with the offline brain: no code of the project and no request runs.',
    },
  },
  run: ({ args: { file, ...args } }) => {
    if (file !== undefined && args.flow !== undefined)
      throw new FlowError('option-invalid', 'the flow file is given twice: as an argument and by --flow. Keep one.');
    return chat(file === undefined ? args : { ...args, flow: file });
  },
});

/** `npm start`: talks to the agent of the project's agent.config.ts, from the beginning. */
export const startCommand = defineCommand({
  args: {
    script: { type: 'string', description: 'A script to play instead of typing.' },
    browser: { type: 'boolean', description: 'Talk in the browser: roomflow dev on the same configuration.' },
  },
  async run({ args: { browser, ...args } }) {
    if (browser !== true) return await chat({ config: configName, ...args });
    const { dev } = await import('./dev.ts');
    return await dev({ config: configName });
  },
});

interface ChatArguments {
  readonly flow?: string | undefined;
  readonly config?: string | undefined;
  readonly session?: string | undefined;
  readonly store?: string | undefined;
  readonly script?: string | undefined;
  readonly wait?: boolean | undefined;
  readonly language?: string | undefined;
  readonly pretend?: boolean | undefined;
}

/** Milliseconds per word on a terminal: fast enough to read, slow enough to interrupt. */
const wordMs = 70;
/** Lines that arrive within this many milliseconds of each other were pasted, not typed. */
const pastedWithinMs = 40;

async function chat(args: ChatArguments): Promise<void> {
  // The tools of a flow are code, so the project's own configuration is used by default.
  const opened = await openConfig(configFile(args.config));
  const config = args.pretend === true ? withoutCode(opened ?? {}) : opened;
  const store = await storeFor(args, config);
  try {
    const servers = await connected(config ?? {}, { env: process.env, clock: systemClock });
    try {
      await talkIn(store, args, config === null ? null : servers.config);
    } finally {
      await servers.close();
    }
  } finally {
    await store?.close();
  }
}

async function talkIn(store: Store | null, args: ChatArguments, config: OpenedConfig | null): Promise<void> {
  if (store !== null && args.session !== undefined) await assertMayGoOn(operatorOf(config), args.session, store);
  if (store !== null && args.session !== undefined && args.wait !== false) await whenFree(store, args.session);
  const kept = store === null || args.session === undefined ? null : await keptFlow(store, args.session);
  const flow = await flowFor(args.flow, config, kept?.flow ?? null);
  // If a configuration is named, its functions are used. A flow file alone gets pretended functions, so that it can be
  // tried before its code exists. The same holds for a stored flow if there is no configuration.
  const isAlone = args.pretend === true || (args.config === undefined && (args.flow !== undefined || config === null));
  const alone = isAlone ? [flow, kept?.flow ?? null].filter((one) => one !== null) : [];
  const others = args.pretend === true ? Object.values(config?.flows ?? {}) : [];
  const pretended = await pretendFor([...alone, ...others], config ?? {}, args.pretend === true);
  const steps = args.script === undefined ? null : openScript(args.script);
  // LiveKit is loaded late because it is slow to load. Mistakes in the arguments are reported first.
  const [{ createRunner }, { openModel }, { createTextSession }, { whySilent }] = await Promise.all([
    import('../../runner/flow-runner.ts'),
    import('../../livekit/plug-ins/models.ts'),
    import('../../livekit/agent/text-session.ts'),
    import('../../offline/brain/offline-brain.ts'),
  ]);
  const { model, label } = await openModel(await plugInOf(config?.models?.llm), process.env);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && args.script === undefined;
  const channel = createConsoleChannel({
    write: (text) => void process.stdout.write(text),
    clock: systemClock,
    // Some terminals report no width, or 0.
    width: Math.min(process.stdout.columns || 80, 80),
    wordMs: isTerminal ? wordMs : 0,
    dim: (text) => paint('dim', text),
    label: (text) => paint('cyan', text),
  });
  const session = createTextSession(model, channel);
  const sessionId = args.session ?? systemIds.create('session');
  const runner = createRunner({
    session,
    ...withPretended(agentOptions(config ?? {}), pretended),
    ...(await callOptions(config ?? {}, { sessionId, room: null, participant: null, input: {} })),
    ...(flow === null ? {} : { flow }),
    sessionId,
    ...(args.language === undefined ? {} : { language: args.language }),
    ...(store === null ? {} : { store }),
    transfers: pretendedTransfers(channel.note),
    // The person at this terminal is the author of the flow, so errors of the flow are shown.
    onFlowError: (error) => channel.note(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  });
  runner.hub.subscribe('*', (event) => channel.show(event));
  const losses: string[] = [];
  runner.on('response:failed', ({ data: { stage, reason } }) => {
    if (stage === 'turn' && /^(store|lease)-/.test(reason)) losses.push(reason);
  });
  print(paint('dim', `model: ${label}`));
  const silence = whySilent(model, runner.language);
  if (silence !== null) print(paint('dim', silence));
  runner.on('language:changed', ({ data }) => {
    const why = whySilent(model, data.to);
    if (why !== null) channel.note(why);
  });
  if (pretended.names.length > 0)
    print(paint('dim', `pretended, because no code registers them: ${pretended.names.join(', ')}`));
  if (kept !== null && args.flow !== undefined && (await isNotTheNamed(args.flow, kept.version, config)))
    print(
      paint(
        'dim',
        `continues the flow that it started with, not ${args.flow}. To start ${args.flow}, use another --session.`,
      ),
    );
  if (isTerminal) print(paint('dim', 'Type what you would say. /state  /interrupt  /quit\n'));
  try {
    await runner.start();
    await runner.idle();
    if (steps !== null) await playScript(steps, runner);
    else {
      const input = { runner, note: channel.note, hasCommands: config?.commands !== undefined };
      await (isTerminal ? converse(input) : readLines(input));
    }
  } finally {
    // A stored conversation can be continued later.
    await (store === null ? runner.stop('quit') : runner.detach());
    await session.close();
  }
  for (const line of outcomeLines(runner)) print(paint('dim', line));
  const [lost] = losses;
  if (lost === undefined) return;
  complain(`${lost}: the conversation ended because it could not be stored. The last input is lost.`);
  process.exitCode = 1;
}

/** Returns what flows need to be read: without tools, handlers, hooks, requests, models and store. */
function withoutCode({ flows, initialFlow, catalog, timeZone }: OpenedConfig): OpenedConfig {
  return {
    ...(flows === undefined ? {} : { flows }),
    ...(initialFlow === undefined ? {} : { initialFlow }),
    ...(catalog === undefined ? {} : { catalog }),
    ...(timeZone === undefined ? {} : { timeZone }),
    models: { llm: 'offline' },
  };
}

async function storeFor({ session, store }: ChatArguments, config: AgentConfig | null): Promise<Store | null> {
  const choice = store ?? config?.store;
  if (session === undefined) return await chosenStore(choice, process.env, systemClock);
  return await lastingStore(choice, process.env, systemClock, (reason) => print(paint('dim', reason)));
}

/** Returns the flow and the version in which a session was stored; null if there is no session or its flow is code. */
async function keptFlow(
  store: Store,
  sessionId: string,
): Promise<{ readonly flow: FlowSource; readonly version: string } | null> {
  const kept = await store.sessions.get(sessionId);
  const document = kept === null ? null : await store.graphs.get(kept.graphHash);
  if (kept === null || document === null || isGeneratorDocument(document)) return null;
  return { flow: document as FlowSource, version: kept.graphHash }; // The store keeps flow documents here.
}

/** Checks whether a conversation continues with a stored version although the user named another flow. */
async function isNotTheNamed(file: string, version: string, config: OpenedConfig | null): Promise<boolean> {
  if (config?.moves?.some(({ from }) => from === version) === true) return false;
  const { graph } = await checkSource(file, config);
  return graph !== null && graph.hash !== version;
}

function withPretended(options: ReturnType<typeof agentOptions>, pretended: Pretended): typeof options {
  const { tools, handlers } = options;
  return { ...options, tools: [...tools, ...pretended.tools], handlers: { ...handlers, ...pretended.handlers } };
}

/** Commands for this program rather than for the flow. */
const ownCommands = ['/state', '/interrupt', '/keys', '/quit'];

interface Talk {
  readonly runner: FlowRunner;
  readonly note: (text: string) => void;
  /** Whether the agent defines commands: other input that begins with a slash is then sent to the agent. */
  readonly hasCommands: boolean;
}

/** Reads from a terminal. A line that is typed while the agent speaks interrupts it. */
async function converse(talk: Talk): Promise<void> {
  const { runner } = talk;
  const input = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: paint('green', 'you    '),
    completer: (line: string) => [ownCommands.filter((name) => line !== '' && name.startsWith(line)), line],
  });
  let ended = false;
  let isQuit = false;
  void runner.ended.then(() => {
    ended = true;
    input.close();
  });
  input.prompt();
  await new Promise<void>((resolve) => {
    input.on('close', resolve);
    let handled: Promise<unknown> = Promise.resolve();
    let lastLineAt = -Infinity;
    input.on('line', (line) => {
      // Pasted lines arrive all at once. They wait for each other and do not interrupt the agent.
      const before = systemClock.now() - lastLineAt < pastedWithinMs ? handled : Promise.resolve();
      lastLineAt = systemClock.now();
      handled = before
        .then(() => (isQuit ? 'quit' : handle(line, talk)))
        .then(async (outcome) => {
          // The `ended` promise resolves shortly after the last words.
          await new Promise((resolve) => setImmediate(resolve));
          isQuit ||= outcome === 'quit';
          if (isQuit) input.close();
          else if (!ended && runner.state.status !== 'ended') input.prompt();
        });
    });
  });
  // Ctrl-C and Ctrl-D leave the line of the prompt open.
  if (!ended && !isQuit) print('');
  // The last words may still be printing.
  if (!ended) await runner.idle();
}

/** Reads from a pipe: each line is answered before the next one is read. */
async function readLines(talk: Talk): Promise<void> {
  const { runner } = talk;
  const input = createInterface({ input: process.stdin });
  let isOver = false;
  const ended = runner.ended.then(() => {
    isOver = true;
    return 'ended' as const;
  });
  const lines = input[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([lines.next(), ended]);
    // Lines after the end of the conversation are ignored.
    if (next === 'ended' || next.done === true || isOver) break;
    const text = printable(next.value).trim();
    if (text !== '' && !text.startsWith('/')) print(`${paint('green', 'you    ')}${text}`);
    if ((await handle(next.value, talk)) === 'quit') break;
    // The session closes shortly after the conversation ends.
    if (runner.state.status === 'ended') break;
  }
  input.close();
}

async function handle(line: string, { runner, note, hasCommands }: Talk): Promise<'quit' | 'handled'> {
  const text = line.trim();
  if (text === '/quit') return 'quit';
  const [, keys] = /^\/keys +([0-9*#A-D]+)$/.exec(text) ?? [];
  if (keys !== undefined) await runner.press(keys);
  else if (text === '/keys' || text.startsWith('/keys ')) note('/keys takes keys of a telephone, such as /keys 1234#.');
  else if (text === '/interrupt') await runner.interrupt();
  else if (text === '/state') for (const one of describeState(runner)) note(one);
  else if (text.startsWith('/') && !hasCommands)
    note(`there is no command ${text.split(' ')[0]}. There are /state, /interrupt, /keys and /quit.`);
  else if (text !== '') await runner.send(text);
  return 'handled';
}

/** Returns what is reported about an ended conversation; nothing if the flow reports no fields. */
function outcomeLines({ outcome }: FlowRunner): readonly string[] {
  if (outcome === null || Object.keys(outcome.fields).length === 0) return [];
  return [
    `outcome: ${outcome.name}`,
    ...Object.entries(outcome.fields).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
  ];
}

function describeState(runner: FlowRunner): readonly string[] {
  const { node } = runner.state.position;
  const { slots, variables } = runner.state.knowledge;
  const { status } = runner.state;
  return [
    `node: ${node}  (${status})`,
    ...Object.entries(slots).map(
      ([name, slot]) => `${name}: ${JSON.stringify(slot.value)}${slot.confirmed ? '' : '  (not confirmed)'}`,
    ),
    ...Object.entries(variables).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ];
}

/** Returns the flow in which the conversation starts, else the stored flow; null for a plain prompt. */
async function flowFor(
  file: string | undefined,
  config: AgentConfig | null,
  kept: FlowSource | null,
): Promise<FlowSource | null> {
  // The runner validates the export of a TypeScript file like any other document.
  if (file !== undefined) return (await openFlow(file)) as FlowSource;
  if (config !== null && beginsClassic(config)) return null;
  const name = config?.initialFlow ?? Object.keys(config?.flows ?? {})[0];
  const flow = name === undefined ? undefined : config?.flows?.[name];
  if (flow === undefined && kept !== null) return kept;
  if (flow === undefined)
    throw new FlowError(
      'flow-missing',
      'there is no flow to talk to. Give --flow FILE, or --config FILE with flows or a prompt.',
    );
  return typeof flow === 'string' ? ((await openFlow(flow)) as FlowSource) : flow;
}
