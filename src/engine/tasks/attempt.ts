import { setMaxListeners } from 'node:events';
import pTimeout, { TimeoutError } from 'p-timeout';
import { factOf, FlowError } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { AttemptFailure } from '../../model/signals/task-signal.ts';
import type { Lookup } from '../../flow/expression/path.ts';
import { renderTemplate, unwrittenMessage } from '../../flow/expression/template.ts';
import { boundInput } from '../../flow/graph/compile/bound-input.ts';
import { issuesText } from '../../flow/graph/describe-issue.ts';
import { parseSafely } from '../../flow/graph/parse-safely.ts';
import type { NodeType, RunContext, RunningNodeType } from '../../flow/graph/nodes/node-type.ts';
import type { TaskNode } from '../../flow/graph/task-graph.ts';
import type { AskPerson } from '../../model/ports/channel.ts';
import type { Clock } from '../../model/ports/time.ts';
import { createRunMessages } from './run-messages.ts';
import { createScopedResources } from './scoped-resources.ts';

/** The outcome of one attempt. */
export type AttemptOutcome =
  | { readonly ok: true; readonly output: Json }
  | { readonly ok: false; readonly failure: AttemptFailure };

/** The context of a running node, apart from its document. */
export type Surroundings = Omit<
  RunContext,
  'lookup' | 'config' | 'prompt' | 'signal' | 'nextMessage' | 'ask' | 'runFlow' | 'runBody'
> & {
  readonly taskId: string;
  /** Work inside the task stops when `ending` aborts. */
  readonly runFlow: (name: string, input: JsonObject, ending: AbortSignal) => Promise<JsonObject>;
  readonly runBody?: (index: number, names: JsonObject, ending: AbortSignal) => Promise<JsonObject>;
  /** Absent if no person can be asked. */
  readonly ask?: AskPerson | undefined;
};

/** Evaluates a pure task. Never throws. */
export function evaluateTask(node: TaskNode, lookup: Lookup): AttemptOutcome {
  const { type } = node.task;
  const input = inputOf(node, lookup);
  if (!input.ok) return input;
  // A type without `evaluate` must be run.
  if (!('evaluate' in type)) return failed('internal', 'the task cannot be computed.', true);
  try {
    const result = type.evaluate(input.value, { lookup });
    return result.ok ? { ok: true, output: result.output } : failed(result.code, result.message, true);
  } catch (error) {
    return failureOf(error, true);
  }
}

/**
 * Runs a task once, within its time limit and until `signal` aborts. A write is always awaited. Afterwards no timer or
 * listener remains, and later events of the task are dropped. Never throws.
 */
export async function runTask(
  node: TaskNode,
  type: RunningNodeType,
  lookup: Lookup,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const input = inputOf(node, lookup);
  if (!input.ok) return input;
  const prompt = node.prompt === null ? { text: '', unwritten: [] } : renderTemplate(node.prompt, lookup);
  if (prompt.unwritten.length > 0) return failed('text-too-long', unwrittenMessage(prompt.unwritten), true);
  const { writes, policy } = node;
  const { timeoutMs } = policy;
  const over = new AbortController();
  // Thousands of inner runs may listen to this signal.
  setMaxListeners(0, over.signal);
  const { ask, runFlow, runBody, hub, clock, taskId, ...rest } = surroundings;
  const leash = createScopedResources(hub, taskId, clock);
  // The spread comes last: at the front it makes V8 ten times slower.
  const { config } = node.task;
  const { runId } = surroundings;
  const own = { hub: leash.hub, clock: leash.clock, signal: over.signal, config, runId };
  const takesMessages = type.capabilities?.supportsMultiTurn === true;
  const context: RunContext = {
    hub: leash.hub,
    clock: leash.clock,
    lookup,
    signal: over.signal,
    config,
    nextMessage: takesMessages ? createRunMessages(own) : noMessage,
    prompt: prompt.text,
    runFlow: (name, given) => runFlow(name, given, over.signal),
    ...(ask === undefined
      ? {}
      : { ask: ({ prompt, choices, takesText }) => ask(prompt, choices, over.signal, takesText) }),
    ...(runBody === undefined ? {} : { runBody: (index, names) => runBody(index, names, over.signal) }),
    ...rest,
  };
  const tellOverdue = (limitMs: number): void => hub.emit('task:overdue', { taskId, limitMs }, { nodeId: taskId });
  const cancelOverdue =
    writes && timeoutMs !== null ? clock.schedule(timeoutMs, () => tellOverdue(timeoutMs)) : undefined;
  /** Ends an open agent run with an event. The run itself reports only success. */
  const endAgent = (code: string): void => {
    if (leash.hasOpenAgent) hub.emit('agent:error', { code }, { nodeId: taskId, runId });
    leash.release();
  };
  const onAbort = (): void => endAgent('aborted');
  signal.addEventListener('abort', onAbort);
  let outcome: AttemptOutcome;
  try {
    // Turns a synchronous throw into a rejection.
    const run = Promise.resolve().then(() => type.run(input.value, context));
    const output = await pTimeout(run, {
      milliseconds: writes ? Number.POSITIVE_INFINITY : (timeoutMs ?? Number.POSITIVE_INFINITY),
      signal,
      customTimers: timersOf(clock),
    });
    outcome = outputOf(type, output);
  } catch (error) {
    outcome =
      error instanceof TimeoutError
        ? failed('task-timeout', `the task took longer than ${timeoutMs} ms.`, false, true)
        : failureOf(error, signal.aborted || type.capabilities?.fails === true);
  }
  cancelOverdue?.();
  signal.removeEventListener('abort', onAbort);
  if (outcome.ok) leash.release();
  else endAgent(outcome.failure.code);
  over.abort(attemptOver);
  return outcome;
}

function noMessage(): Promise<null> {
  return Promise.resolve(null);
}

// Created once: an abort without a reason creates an exception with a stack, and every attempt ends in an abort.
const attemptOver = new DOMException('The attempt is over.', 'AbortError');

/** Adapts the clock to a library that expects the Node.js timers. */
function timersOf(clock: Clock) {
  const timers = new Map<number, () => void>();
  const start = (task: () => void, ms?: number): number => {
    const id = timers.size + 1;
    timers.set(id, clock.schedule(ms ?? 0, task));
    return id;
  };
  const stop = (id?: number): void => timers.get(id ?? 0)?.();
  // Node's types have more overloads than the library uses.
  return { setTimeout: start, clearTimeout: stop } as unknown as {
    setTimeout: typeof globalThis.setTimeout;
    clearTimeout: typeof globalThis.clearTimeout;
  };
}

function inputOf({ task }: TaskNode, lookup: Lookup) {
  const input = boundInput(task, lookup);
  return input.ok ? input : failed(input.code, input.message, true);
}

function outputOf(type: NodeType, output: unknown): AttemptOutcome {
  const { data, error } = parseSafely(type.output, output);
  if (error !== undefined) return failed('output-invalid', issuesText('output', type.output, error, output), true);
  return { ok: true, output: (data ?? null) as Json }; // Output schemas describe JSON.
}

/** Returns the outcome of an attempt that threw. */
export function failureOf(error: unknown, isFinal: boolean): AttemptOutcome {
  try {
    if (error instanceof FlowError) return failed(error.code, factOf(error), isFinal);
    if (error instanceof Error) return failed('task-error', error.message, isFinal);
  } catch {
    // Inspecting the thrown value may itself throw.
  }
  return failed('task-error', 'the task threw a value that is not an Error.', isFinal);
}

export function failed(
  code: string,
  message: string,
  isFinal: boolean,
  timedOut = false,
): Extract<AttemptOutcome, { ok: false }> {
  return { ok: false, failure: { code, message, isFinal, timedOut } };
}
