import { defineCommand } from 'citty';
import { fstatSync, ReadStream } from 'node:fs';
import { agentOptions } from '../../config/config.ts';
import { createConsoleQuestions } from '../../livekit/channels/console-questions.ts';
import { printable } from '../../livekit/channels/console.ts';
import { chosenStore, existingStore, lastingStore } from '../../store/open-store.ts';
import { FlowError } from '../../model/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { digitsLost, lossyNumber } from '../../model/ports/lossy-numbers.ts';
import type { FlowRun, FlowRunResult } from '../../runner/flow-run.ts';
import { checkFlow } from '../../flow/load/check-flow.ts';
import { openFlow } from '../../flow/load/open-flow.ts';
import { builtinCatalog } from '../../flow/nodes/builtin.ts';
import type { Log } from '../../model/ports/log.ts';
import type { Store } from '../../model/ports/store.ts';
import type { FlatStore } from '../../store/flat-store.ts';
import { plugInOf } from '../../livekit/plug-ins/plug-in-choice.ts';
import { systemClock } from '../../system.ts';
import { connected } from '../../config/connected-config.ts';
import { taskRunState } from '../../runner/tasks/task-run-state.ts';
import type { TaskFlowSource } from '../../runner/tasks/task-world.ts';
import { boundedFile } from '../bounded-file.ts';
import { assertMayRun, operatorOf } from '../people/operator.ts';
import { complain, print } from '../output.ts';
import { configFile, openConfig } from '../flows/sources.ts';
import { type Progress, showProgress } from './task-progress.ts';
import { whenFree } from '../when-free.ts';

export const runCommand = defineCommand({
  args: {
    file: { type: 'positional', description: 'The flow file.', required: true },
    input: { type: 'string', description: 'The input as a JSON object, or @FILE that holds it.' },
    config: { type: 'string', description: 'Tools, flows and the model. Default: ./agent.config.ts if it exists.' },
    session: { type: 'string', description: 'The id of the run. An interrupted run continues.' },
    store: { type: 'string', description: 'The store of the run. Default: the store of the configuration.' },
    retry: {
      type: 'boolean',
      description: 'Continue a failed run from the failure, with the same keys. The file may have been corrected.',
    },
    wait: {
      type: 'boolean',
      default: true,
      description: 'Do not wait if another process owns the run: exit with code 2.',
    },
    json: { type: 'boolean', description: 'Print one JSON document without progress.' },
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
    const { instance, store, servers } = await prepare(args, isShown ? { log } : {});
    const running = runningTasks(instance);
    if (isShown) progress = showProgress(instance, () => breaking.wasAsked());
    let hasBegun = false;
    instance.subscribe('harness:start', ({ data }) => {
      hasBegun = true;
      if ('keptVersion' in data)
        write(
          `continues with the version of the flow that it started with, ${data.keptVersion}. With --retry it uses the current one.`,
        );
    });
    if (mayAnswer(process.stdin)) instance.attach(createConsoleQuestions({ input: process.stdin, write }));
    const breaking = breakOffBySignal(instance, () => write(waitingFor(running())));
    const kept = store === null ? null : { ...args, session: instance.sessionId };
    let result: FlowRunResult;
    try {
      result = await ran(instance, async () => {
        breaking.end();
        progress?.end();
        await servers.close();
        await store?.close();
      });
    } catch (error) {
      // An error before the start means that the input is wrong.
      if (!hasBegun || !(error instanceof FlowError)) throw error;
      complain(error.message);
      if (kept !== null) complain(`Continue the stored run with: ${commandOf(kept)}`);
      process.exitCode = 1;
      return;
    }
    printResult(result, isShown, kept);
    if (result.status !== 'complete' && result.status !== 'waiting')
      process.exitCode = result.status === 'aborted' ? breaking.exitCode() : 1;
  },
});

/** Exit codes that shells use for a process ended by Ctrl-C or by SIGTERM (`docker stop` and others). */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Milliseconds after an interruption before the command prints what the run waits for. */
const soonMs = 100;

/**
 * Interrupts a run on Ctrl-C or SIGTERM. A second signal ends the process at once, even during a write. `onWaiting` is
 * called if the run has not ended soon after the first signal.
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
    // SIGTERM means that another process should continue the run; Ctrl-C means that it should stop.
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

/** Tracks the ids of the running tasks. After an interruption only writes are left. */
function runningTasks(instance: FlowRun): () => readonly string[] {
  const running = new Set<string>();
  instance.subscribe('task:*', ({ type, data }) => {
    if (!('taskId' in data)) return;
    if (type === 'task:start') running.add(data.taskId);
    else if (type === 'task:complete' || type === 'task:failed' || type === 'task:skipped') running.delete(data.taskId);
  });
  return () => [...running];
}

/** Describes what an interrupted run waits for: its running tasks, or else its store. */
function waitingFor(tasks: readonly string[]): string {
  if (tasks.length === 0) return 'waiting until the results are stored. Press Ctrl-C again to stop at once.';
  return `waiting for ${tasks.join(', ')}: a write that has started is not interrupted. Press Ctrl-C again to stop at once.`;
}

/** Checks whether answers can arrive: from a terminal, a pipe or a file, but not from an empty file or /dev/null. */
function mayAnswer(input: NodeJS.ReadableStream): boolean {
  if (!(input instanceof ReadStream) || !('fd' in input) || typeof input.fd !== 'number') return true;
  const file = fstatSync(input.fd);
  return file.isFile() && file.size > 0;
}

/** Returns the result of the run, after closing what the command opened. */
async function ran(instance: FlowRun, close: () => Promise<void>): Promise<FlowRunResult> {
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
  // The runner validates the export of a TypeScript file like any other document, including its kind.
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
    throw new FlowError('option-invalid', '--retry needs --session ID, the run to continue.');
  // LiveKit is loaded late because it is slow to load. Mistakes in the arguments are reported first.
  const [{ createRun }, { modelPort }, { openModel }] = await Promise.all([
    import('../../runner/create-flow-run.ts'),
    import('../../livekit/model/model-port.ts'),
    import('../../livekit/plug-ins/models.ts'),
  ]);
  const { model } = await openModel(await plugInOf(config?.models?.llm), process.env);
  const servers = await connected(config ?? {}, { env: process.env, clock: systemClock });
  let store: Store | null = null;
  try {
    store = await storeFor(address ?? config?.store, session, retry === true);
    if (store !== null && session !== undefined) await assertMayRun(operatorOf(config), session, store);
    if (
      store !== null &&
      session !== undefined &&
      wait !== false &&
      (retry === true || !(await isOver(store, session)))
    )
      await whenFree(store, session);
    const instance = createRun(source, {
      catalog,
      ...given,
      ...logging,
      flows,
      model: modelPort(model),
      tools: agentOptions(servers.config).tools,
      ...(session === undefined ? {} : { sessionId: session }),
      ...(retry === true ? { retry } : {}),
      ...(config?.moves === undefined ? {} : { moves: config.moves }),
      ...(store === null ? {} : { store }),
    });
    return { instance, store, servers };
  } catch (error) {
    await servers.close();
    await store?.close();
    throw error;
  }
}

/** Checks whether a run is over. Reading its result needs no lease. */
async function isOver(store: Store, session: string): Promise<boolean> {
  const kept = await store.sessions.get(session);
  return kept !== null && taskRunState(kept.state)?.end !== undefined;
}

/** Opens the store of the run. A named run needs a lasting store; a retried run must exist in it. */
async function storeFor(
  choice: string | Store | FlatStore | undefined,
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
    throw new FlowError('input-invalid', `${source} is not JSON. ${way}.`, { cause });
  }
  if (!isJsonObject(input)) throw new FlowError('input-invalid', `${source} must be a JSON object.`);
  if (lossyNumber(written) !== null) throw new FlowError('input-invalid', `${source} ${digitsLost}`);
  return input;
}

function fileText(file: string): string {
  let text: string | null;
  try {
    text = boundedFile(file);
  } catch (cause) {
    if (cause instanceof FlowError) throw cause;
    throw new FlowError('input-invalid', `--input @${file} cannot be read. Name an existing file.`, { cause });
  }
  if (text !== null) return text;
  throw new FlowError('input-invalid', `--input @${file} is larger than 16 MB. Name a file with only the input.`);
}

/**
 * Prints the outputs or the failures. For a stored run that did not finish, also prints the command that continues it.
 */
function printResult(
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
      `Waits for an answer. After the answer, a worker or "roomflow serve" with this flow in its configuration continues, or: ${commandOf(kept)}`,
    );
  if (status === 'failed' && kept !== null)
    complain(`After the fault is fixed, continue with: ${commandOf(kept)} --retry`);
  if (status !== 'aborted') return;
  if (kept === null) complain('interrupted.');
  else complain(`interrupted. Continue with: ${commandOf(kept)}`);
}

/** Returns the command that continues a run. Its input is stored and not repeated. */
function commandOf({ file, session, store, config }: RunArguments): string {
  const options = Object.entries({ session, store, config }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return ['roomflow', 'run', file, ...options].map(quoted).join(' ');
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
