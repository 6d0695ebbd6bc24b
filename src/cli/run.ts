import { defineCommand } from 'citty';
import { fstatSync, ReadStream } from 'node:fs';
import { createConsoleQuestions } from '../channels/console-questions.ts';
import { printable } from '../channels/console.ts';
import { chosenStore, existingStore, lastingStore } from '../durable/open-store.ts';
import { FlowError } from '../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../events/json.ts';
import { digitsLost, unkeptNumber } from '../ports/kept-numbers.ts';
import type { FlowRun, FlowRunResult } from '../runner/flow-run.ts';
import { checkFlow } from '../load/check-flow.ts';
import { openFlow } from '../load/open-flow.ts';
import { builtinCatalog } from '../nodes/builtin.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { plugInOf } from '../livekit/plug-ins/plug-in-choice.ts';
import { systemClock } from '../system.ts';
import { taskRunState } from '../runner/task-run-state.ts';
import type { TaskFlowSource } from '../runner/task-world.ts';
import { boundedFile } from './bounded-file.ts';
import { assertMayRun, operatorOf } from './operator.ts';
import { complain, print } from './output.ts';
import { configFile, openConfig } from './sources.ts';
import { type Progress, showProgress } from './task-progress.ts';
import { whenFree } from './when-free.ts';

export const runCommand = defineCommand({
  args: {
    file: { type: 'positional', description: 'The flow file.', required: true },
    input: { type: 'string', description: 'The input as a JSON object, or @FILE that holds it.' },
    config: { type: 'string', description: 'Tools, flows and the model; ./agent.config.ts where there is one.' },
    session: { type: 'string', description: 'The id of the run: one that was broken off goes on.' },
    store: { type: 'string', description: 'Where it is kept; the configuration’s store where absent.' },
    retry: {
      type: 'boolean',
      description: 'A run that has failed goes on from there, under the same keys; the file may be mended meanwhile.',
    },
    wait: {
      type: 'boolean',
      default: true,
      description: 'Do not wait for a run that another process owns: end with exit code 2.',
    },
    json: { type: 'boolean', description: 'Print one JSON document, and no progress.' },
  },
  async run({ args }) {
    const isShown = args.json !== true;
    let progress: Progress | null = null;
    const write = (lines: string): void => {
      const text = lines.split('\n').map(printable).join('\n');
      if (progress === null) complain(text);
      else progress.note(text);
    };
    const log: Log = { write: (level, message) => write(`${level}  ${message}`) };
    const { instance, store } = await prepare(args, isShown ? { log } : {});
    const running = runningTasks(instance);
    if (isShown) progress = showProgress(instance, () => breaking.wasAsked());
    let hasBegun = false;
    instance.subscribe('harness:start', ({ data }) => {
      hasBegun = true;
      if ('keptVersion' in data)
        write(
          `goes on with the version of the flow that it began with, ${data.keptVersion}; with --retry it takes this one.`,
        );
    });
    if (mayAnswer(process.stdin)) instance.attach(createConsoleQuestions({ input: process.stdin, write }));
    const breaking = breakOffBySignal(instance, () => write(waitingFor(running())));
    const kept = store === null ? null : { ...args, session: instance.sessionId };
    let result: FlowRunResult;
    try {
      result = await ran(instance, () => {
        breaking.end();
        progress?.end();
        return store?.close();
      });
    } catch (error) {
      // Before that, it is the input that is wrong.
      if (!hasBegun || !(error instanceof FlowError)) throw error;
      complain(error.message);
      if (kept !== null) complain(`What was kept of it goes on by: ${commandOf(kept)}`);
      process.exitCode = 1;
      return;
    }
    tell(result, isShown, kept);
    if (result.status !== 'complete' && result.status !== 'waiting')
      process.exitCode = result.status === 'aborted' ? breaking.exitCode() : 1;
  },
});

/** What a shell says of a process that a signal has ended: of Ctrl-C, and of what `docker stop` and the like send. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** How long a run that was broken off may take to end before it is said what it waits for, in milliseconds. */
const soonMs = 100;

/**
 * Breaks a run off by Ctrl-C or SIGTERM; asked twice, it does not even wait for a write. `onWaiting` hears that it is not over
 * soon after the first.
 */
function breakOffBySignal(instance: FlowRun, onWaiting: () => void) {
  let asked: keyof typeof exitCodes = 'SIGINT';
  let wasAsked = false;
  let cancel = (): void => undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (signal !== 'SIGINT' && signal !== 'SIGTERM') return;
    if (wasAsked) process.exit(exitCodes[signal]);
    wasAsked = true;
    asked = signal;
    // Whoever stops a service wants its work done elsewhere; whoever presses Ctrl-C wants it to stand still.
    instance.abort({ handOver: signal === 'SIGTERM' });
    cancel = systemClock.schedule(soonMs, onWaiting);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    wasAsked: () => wasAsked,
    exitCode: () => exitCodes[asked],
    end() {
      cancel();
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

/** The tasks that run, by id: once a run is broken off these are writes. */
function runningTasks(instance: FlowRun): () => readonly string[] {
  const running = new Set<string>();
  instance.subscribe('task:*', ({ type, data }) => {
    if (!('taskId' in data)) return;
    if (type === 'task:start') running.add(data.taskId);
    else if (type === 'task:complete' || type === 'task:failed' || type === 'task:skipped') running.delete(data.taskId);
  });
  return () => [...running];
}

/** What a run that was broken off waits for: the tasks that run, and without any its store. */
function waitingFor(tasks: readonly string[]): string {
  if (tasks.length === 0) return 'waiting until what was done is kept. Once more ends it at once.';
  return `waiting for ${tasks.join(', ')}: what has begun to change the world is not cut off. Once more ends it at once.`;
}

/** Whether answers may come in: from a terminal, a pipe or a file, but not from an empty one, or from /dev/null. */
function mayAnswer(input: NodeJS.ReadableStream): boolean {
  if (!(input instanceof ReadStream) || !('fd' in input) || typeof input.fd !== 'number') return true;
  const file = fstatSync(input.fd);
  return file.isFile() && file.size > 0;
}

/** The result, once what the command has opened is closed, however the run ends. */
async function ran(instance: FlowRun, close: () => Promise<void> | undefined): Promise<FlowRunResult> {
  try {
    return await instance.run();
  } finally {
    await close();
  }
}

interface RunArguments {
  readonly file: string;
  readonly input?: string | undefined;
  readonly config?: string | undefined;
  readonly session?: string | undefined;
  readonly store?: string | undefined;
  readonly retry?: boolean | undefined;
  readonly wait?: boolean | undefined;
}

async function prepare(
  { file, input, config: asked, session, store: address, retry, wait }: RunArguments,
  logging: { readonly log?: Log },
) {
  const given = input === undefined ? {} : { input: inputOf(input) };
  const config = await openConfig(configFile(asked));
  // What a TypeScript file exports is checked like any other document, and a flow of another kind when it is run.
  const source = (await openFlow(file)) as TaskFlowSource;
  const flows = (config?.flows ?? {}) as Readonly<Record<string, TaskFlowSource>>;
  const catalog = config?.catalog ?? builtinCatalog;
  const { graph: conversation } = checkFlow(source, { catalog });
  if (conversation !== null)
    throw new FlowError(
      'flow-invalid',
      `"${conversation.name}" is a conversation. Talk to it: roomflow chat --flow ${file}`,
    );
  if (retry === true && session === undefined)
    throw new FlowError('option-invalid', '--retry needs --session ID: the run that is to go on.');
  // LiveKit takes longer to load than all of this, and whoever is told of a mistake need not wait for it.
  const [{ createFlowRun }, { modelPort }, { openModel }] = await Promise.all([
    import('../runner/create-flow-run.ts'),
    import('../livekit/model/model-port.ts'),
    import('../livekit/plug-ins/models.ts'),
  ]);
  const { model } = await openModel(await plugInOf(config?.models?.llm), process.env);
  const store = await storeFor(address ?? config?.store, session, retry === true);
  try {
    if (store !== null && session !== undefined) await assertMayRun(operatorOf(config), session, store);
    if (
      store !== null &&
      session !== undefined &&
      wait !== false &&
      (retry === true || !(await isOver(store, session)))
    )
      await whenFree(store, session);
    const instance = createFlowRun(source, {
      catalog,
      ...given,
      ...logging,
      flows,
      model: modelPort(model),
      ...(config?.tools === undefined ? {} : { tools: config.tools }),
      ...(session === undefined ? {} : { sessionId: session }),
      ...(retry === true ? { retry } : {}),
      ...(config?.moves === undefined ? {} : { moves: config.moves }),
      ...(store === null ? {} : { store }),
    });
    return { instance, store };
  } catch (error) {
    await store?.close();
    throw error;
  }
}

/** Whether a run is over: whoever only asks for its result need not own it. */
async function isOver(store: Store, session: string): Promise<boolean> {
  const kept = await store.loadSnapshot(session);
  return kept !== null && taskRunState(kept.state)?.end !== undefined;
}

/** Where the run is kept: whoever names it wants it kept, wherever that is; one that is retried is there. */
async function storeFor(
  choice: string | Store | undefined,
  session: string | undefined,
  isRetried: boolean,
): Promise<Store | null> {
  if (session === undefined) return await chosenStore(choice, process.env, systemClock);
  if (isRetried) return await existingStore(choice, process.env, systemClock, 'write');
  return await lastingStore(choice, process.env, systemClock, complain);
}

function inputOf(text: string): JsonObject {
  const isFile = text.startsWith('@');
  const source = isFile ? `--input ${text}` : '--input';
  let input: Json;
  let written = text;
  try {
    if (isFile) written = fileText(text.slice(1));
    input = JSON.parse(written) as Json;
  } catch (cause) {
    if (cause instanceof FlowError) throw cause;
    const way = isFile ? 'Write it like {"name": "Ann"}, in UTF-8' : `Write it like '{"name": "Ann"}'`;
    throw new FlowError('input-invalid', `${source} is no JSON. ${way}.`, { cause });
  }
  if (!isJsonObject(input)) throw new FlowError('input-invalid', `${source} must be a JSON object.`);
  if (unkeptNumber(written) !== null) throw new FlowError('input-invalid', `${source} ${digitsLost}`);
  return input;
}

function fileText(file: string): string {
  let text: string | null;
  try {
    text = boundedFile(file);
  } catch (cause) {
    if (cause instanceof FlowError) throw cause;
    throw new FlowError('input-invalid', `--input @${file} cannot be read. Name a file that is there.`, { cause });
  }
  if (text !== null) return text;
  throw new FlowError(
    'input-invalid',
    `--input @${file} is longer than 16 MB. Name a file that holds the input alone.`,
  );
}

/** The outputs, or what went wrong; for a run that is kept and was broken off, also what goes on with it. */
function tell(
  { outputs, failures, status, durationMs }: FlowRunResult,
  isShown: boolean,
  kept: (RunArguments & { readonly session: string }) | null,
): void {
  if (!isShown) {
    const session = kept === null ? {} : { session: kept.session };
    print(JSON.stringify({ status, durationMs, outputs, failures, ...session }));
    return;
  }
  for (const { taskId, code, message } of failures) complain(`${taskId}: ${code}: ${printable(message)}`);
  if (status !== 'aborted') print(JSON.stringify(outputs, null, 2));
  if (status === 'waiting' && kept !== null)
    complain(
      `Waits for an answer. Once it is there, a worker or "roomflow serve" with this flow in its configuration goes on, or: ${commandOf(kept)}`,
    );
  if (status === 'failed' && kept !== null) complain(`Once that is mended, go on by: ${commandOf(kept)} --retry`);
  if (status !== 'aborted') return;
  if (kept === null) complain('broken off.');
  else complain(`broken off. Go on with it by: ${commandOf(kept)}`);
}

/** What goes on with a run: its input is kept. */
function commandOf({ file, session, store, config }: RunArguments): string {
  const options = Object.entries({ session, store, config }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return ['roomflow', 'run', file, ...options].map(quoted).join(' ');
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
