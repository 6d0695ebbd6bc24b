import { defineCommand } from 'citty';
import { createInterface } from 'node:readline';
import { createConsoleChannel, printable } from '../channels/console.ts';
import { type AgentConfig, agentOptions, beginsClassic, callOptions, type OpenedConfig } from '../config.ts';
import { chosenStore, lastingStore } from '../durable/open-store.ts';
import { FlowError } from '../errors.ts';
import { isGeneratorDocument } from '../graph/generator-graph.ts';
import type { FlowSource } from '../load/flow-library.ts';
import { configName } from '../load/config-above.ts';
import { openFlow } from '../load/open-flow.ts';
import type { Store } from '../ports/store.ts';
import type { FlowRunner } from '../runner/flow-runner.ts';
import { plugInOf } from '../livekit/plug-ins/plug-in-choice.ts';
import { systemClock, systemIds } from '../system.ts';
import { assertMayGoOn, operatorOf } from './operator.ts';
import { complain, paint, print } from './output.ts';
import { openScript, playScript } from './play-script.ts';
import { checkSource, configFile, openConfig } from './sources.ts';
import { type Pretended, pretendFor } from './stand-ins.ts';
import { whenFree } from './when-free.ts';

export const chatCommand = defineCommand({
  args: {
    file: {
      type: 'positional',
      description: 'The flow file; without it the initial flow of the configuration.',
      required: false,
    },
    flow: { type: 'string', description: 'The flow file, as an option.' },
    config: {
      type: 'string',
      description: 'Tools, handlers, flows and the model; ./agent.config.ts where there is one.',
    },
    session: { type: 'string', description: 'The id of the conversation.' },
    store: { type: 'string', description: 'Where it is kept; the configuration’s store where absent.' },
    wait: {
      type: 'boolean',
      default: true,
      description: 'Do not wait for a conversation that another process owns: end with exit code 2.',
    },
    language: {
      type: 'string',
      description: 'The language to begin in, as a BCP 47 tag that the flow lists; the flow’s own where absent.',
    },
    script: {
      type: 'string',
      description: 'A YAML or JSON script to play instead of typing; exit code 1 if it fails.',
    },
  },
  run: ({ args: { file, ...args } }) => {
    if (file !== undefined && args.flow !== undefined)
      throw new FlowError('option-invalid', 'the flow file is given twice: as an argument and by --flow. Keep one.');
    return chat(file === undefined ? args : { ...args, flow: file });
  },
});

/** `npm start`: the project's own agent.config.ts, from where it begins. */
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
}

/** Milliseconds a word takes on a terminal: quick to read, slow enough to be interrupted. */
const wordMs = 70;
/** Milliseconds between two lines that nobody types. */
const pastedWithinMs = 40;

async function chat(args: ChatArguments): Promise<void> {
  // A flow's tools live in code: without being told, the project's own configuration is where they are.
  const config = await openConfig(configFile(args.config));
  const store = await storeFor(args, config);
  try {
    await talkIn(store, args, config);
  } finally {
    await store?.close();
  }
}

async function talkIn(store: Store | null, args: ChatArguments, config: OpenedConfig | null): Promise<void> {
  if (store !== null && args.session !== undefined) await assertMayGoOn(operatorOf(config), args.session, store);
  if (store !== null && args.session !== undefined && args.wait !== false) await whenFree(store, args.session);
  const kept = store === null || args.session === undefined ? null : await keptFlow(store, args.session);
  const flow = await flowFor(args.flow, config, kept?.flow ?? null);
  // Whoever names a configuration means its functions; a flow by itself can be talked to before its code is written, and
  // gone on with where there is no configuration that could hold it.
  const isAlone = args.config === undefined && (args.flow !== undefined || config === null);
  const alone = isAlone ? [flow, kept?.flow ?? null].filter((one) => one !== null) : [];
  const pretended = await pretendFor(alone, config ?? {});
  const steps = args.script === undefined ? null : openScript(args.script);
  // LiveKit takes longer to load than all of this, and whoever is told of a mistake need not wait for it.
  const [{ FlowRunner }, { openModel }, { createTextSession }, { whySilent }] = await Promise.all([
    import('../runner/flow-runner.ts'),
    import('../livekit/plug-ins/models.ts'),
    import('../livekit/agent/text-session.ts'),
    import('../offline/brain/offline-brain.ts'),
  ]);
  const { model, label } = await openModel(await plugInOf(config?.models?.llm), process.env);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && args.script === undefined;
  const channel = createConsoleChannel({
    write: (text) => void process.stdout.write(text),
    clock: systemClock,
    // Some terminals tell no width, or 0.
    width: Math.min(process.stdout.columns || 80, 80),
    wordMs: isTerminal ? wordMs : 0,
    dim: (text) => paint('dim', text),
    label: (text) => paint('cyan', text),
  });
  const session = createTextSession(model, channel);
  const sessionId = args.session ?? systemIds.create('session');
  const runner = new FlowRunner({
    session,
    ...withPretended(agentOptions(config ?? {}), pretended),
    ...(await callOptions(config ?? {}, { sessionId, room: null, participant: null, input: {} })),
    ...(flow === null ? {} : { flow }),
    sessionId,
    ...(args.language === undefined ? {} : { language: args.language }),
    ...(store === null ? {} : { store }),
    // Whoever talks here is whom the flow's own errors are for.
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
    print(paint('dim', `only pretended, for no code registers them: ${pretended.names.join(', ')}`));
  if (kept !== null && args.flow !== undefined && (await isNotTheNamed(args.flow, kept.version, config)))
    print(
      paint(
        'dim',
        `goes on with the flow that it began with, and not with ${args.flow}. Another --session begins that.`,
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
    // What is kept can be gone on with.
    await (store === null ? runner.stop('quit') : runner.leave());
    await session.close();
  }
  const [lost] = losses;
  if (lost === undefined) return;
  complain(`${lost}: the conversation has ended, for it could not be kept. What was said last is not taken.`);
  process.exitCode = 1;
}

async function storeFor({ session, store }: ChatArguments, config: AgentConfig | null): Promise<Store | null> {
  const choice = store ?? config?.store;
  if (session === undefined) return await chosenStore(choice, process.env, systemClock);
  return await lastingStore(choice, process.env, systemClock, (reason) => print(paint('dim', reason)));
}

/** The flow in which a session was left, and its version; null where there is none, or it is code. */
async function keptFlow(
  store: Store,
  sessionId: string,
): Promise<{ readonly flow: FlowSource; readonly version: string } | null> {
  const kept = await store.loadSnapshot(sessionId);
  const document = kept === null ? null : await store.loadGraph(kept.graphHash);
  if (kept === null || document === null || isGeneratorDocument(document)) return null;
  return { flow: document as FlowSource, version: kept.graphHash }; // It was kept as such.
}

/** Whether a conversation goes on with a kept version of a flow where another one was named. */
async function isNotTheNamed(file: string, version: string, config: OpenedConfig | null): Promise<boolean> {
  if (config?.moves?.some(({ from }) => from === version) === true) return false;
  const { graph } = await checkSource(file, config);
  return graph !== null && graph.hash !== version;
}

function withPretended(options: ReturnType<typeof agentOptions>, pretended: Pretended): typeof options {
  const { tools, handlers } = options;
  return { ...options, tools: [...tools, ...pretended.tools], handlers: { ...handlers, ...pretended.handlers } };
}

/** What is typed to this program, and not to the flow. */
const ownCommands = ['/state', '/interrupt', '/quit'];

interface Talk {
  readonly runner: FlowRunner;
  readonly note: (text: string) => void;
  /** The agent has commands of its own: whatever else begins with a slash is for it. */
  readonly hasCommands: boolean;
}

/** On a terminal: whatever is typed while the agent speaks interrupts it. */
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
      // Lines that come all at once were pasted: nobody interrupts that fast.
      const before = systemClock.now() - lastLineAt < pastedWithinMs ? handled : Promise.resolve();
      lastLineAt = systemClock.now();
      handled = before
        .then(() => (isQuit ? 'quit' : handle(line, talk)))
        .then(async (outcome) => {
          // The end is told a moment after the last words.
          await new Promise((resolve) => setImmediate(resolve));
          isQuit ||= outcome === 'quit';
          if (isQuit) input.close();
          else if (!ended && runner.state.status !== 'ended') input.prompt();
        });
    });
  });
  // Ctrl-C and Ctrl-D leave the prompt's line open.
  if (!ended && !isQuit) print('');
  // The last words may still be on their way to the screen.
  if (!ended) await runner.idle();
}

/** From a pipe: one line after the other, each answered before the next is read. */
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
    // What comes when it is over is taken by nobody.
    if (next === 'ended' || next.done === true || isOver) break;
    const text = printable(next.value).trim();
    if (text !== '' && !text.startsWith('/')) print(`${paint('green', 'you    ')}${text}`);
    if ((await handle(next.value, talk)) === 'quit') break;
    // The session closes a moment after the conversation has ended.
    if (runner.state.status === 'ended') break;
  }
  input.close();
}

async function handle(line: string, { runner, note, hasCommands }: Talk): Promise<'quit' | 'handled'> {
  const text = line.trim();
  if (text === '/quit') return 'quit';
  if (text === '/interrupt') await runner.hush();
  else if (text === '/state') for (const one of describeState(runner)) note(one);
  else if (text.startsWith('/') && !hasCommands)
    note(`there is no command ${text.split(' ')[0]}. There are /state, /interrupt and /quit.`);
  else if (text !== '') await runner.send(text);
  return 'handled';
}

function describeState(runner: FlowRunner): readonly string[] {
  const { node, slots, variables, status } = runner.state;
  return [
    `node: ${node}  (${status})`,
    ...Object.entries(slots).map(
      ([name, slot]) => `${name}: ${JSON.stringify(slot.value)}${slot.confirmed ? '' : '  (not confirmed)'}`,
    ),
    ...Object.entries(variables).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  ];
}

/** The flow that the conversation begins in, or was left in where nothing else is known; null for the prompt. */
async function flowFor(
  file: string | undefined,
  config: AgentConfig | null,
  kept: FlowSource | null,
): Promise<FlowSource | null> {
  // What a TypeScript file exports is checked by the runner, like any other document.
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
