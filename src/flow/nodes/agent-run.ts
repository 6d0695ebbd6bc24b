import { FlowError } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { hashOf } from '../graph/hash.ts';
import type { NodeTool, RunContext } from '../graph/nodes/node-type.ts';
import type { EndedOutcome } from '../../model/ports/executor.ts';
import { type ModelCall, type ModelChunk, type ModelMessage, tooManyAtOnce } from '../../model/ports/model.ts';
import { type AgentConfig, freedSettings, modelSettings } from './agent-config.ts';
import { unlessAborted } from './unless-aborted.ts';

/** The task of one agent run. */
export interface AgentTask<Result> {
  readonly instructions: string;
  readonly input: Json;
  /** The config, with the model and tools of the run. */
  readonly config: AgentConfig;
  /** JSON Schema of the answer, for models that support structured output. */
  readonly output?: JsonObject;
  /** Parses an answer. Returns a text to send to the model if the answer is invalid. */
  read(text: string): { readonly result: Result } | string;
}

/**
 * Runs an agent from `agent:start` to `agent:complete`. A turn answers its input, then each incoming message, until the run
 * is closed, no message arrives in time, or all turns are used. Returns the result of the last turn. Throws `aborted`,
 * `unknown-tool`, `model-failed`, `model-filtered`, `agent-loop` or `agent-output-invalid`; after an error the run
 * publishes no more events.
 */
export async function runAgent<Result>(task: AgentTask<Result>, context: RunContext): Promise<Result> {
  const conversation = createConversation(task, context);
  context.hub.emit('agent:start', { input: task.input }, { runId: context.runId });
  let answered = await conversation.answer(textOf(task.input));
  for (let said = await context.nextMessage(); said !== null; said = await context.nextMessage())
    answered = await conversation.answer(said);
  context.hub.emit('agent:complete', { text: conversation.text() }, { runId: context.runId });
  return answered.result;
}

/** Limits of a turn: rounds of function calls, calls at once, and invalid answers. */
const mostRounds = 32;
const mostCalls = 8;
const mostAttempts = 2;

/** The work of one message until it is answered. */
interface Turn {
  hasCalled: boolean;
  /** Running and completed writes, by `callOf`. An equal write is not repeated. */
  readonly writes: Map<string, Promise<EndedOutcome>>;
}

interface Conversation<Result> {
  answer(said: string): Promise<{ readonly result: Result }>;
  /** The text so far. */
  text(): string;
}

function createConversation<Result>(task: AgentTask<Result>, context: RunContext): Conversation<Result> {
  const { instructions, config, output } = task;
  const { hub, runId, signal } = context;
  const model = context.model(config.model);
  const tools = new Map(
    (config.tools ?? []).map((listed) => {
      const tool = toolNamed(context, listed);
      return [tool.name, tool] as const;
    }),
  );
  const settings = modelSettings(config);
  const history: ModelMessage[] = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  const deltas: string[] = [];
  const keys = createCallKeys(context.key);
  const newId = createCallIds();

  /** Requests one completion and publishes it as it streams in. */
  const complete = async (hasCalled: boolean): Promise<{ text: string; calls: readonly ModelCall[] }> => {
    let text = '';
    const calls: ModelCall[] = [];
    let chunks: AsyncIterator<ModelChunk> | null = null;
    try {
      const stream = model.generate({
        messages: [...history],
        tools: [...tools.values()].map(({ name, description, parameters }) => ({ name, description, parameters })),
        settings: hasCalled ? freedSettings(settings) : settings,
        signal,
        ...(output === undefined ? {} : { output }),
      });
      chunks = stream[Symbol.asyncIterator]();
      for (;;) {
        const next = await unlessAborted(chunks.next(), signal);
        if (next.done === true) break;
        const chunk = next.value;
        if (chunk.type === 'end' && chunk.finish === 'filtered')
          throw new FlowError(
            'model-filtered',
            `the provider of ${model.label} withholds the reply. Word the input otherwise.`,
          );
        if (chunk.type === 'call') calls.push({ ...chunk.call, callId: newId(chunk.call.callId) });
        if (chunk.type !== 'text' || chunk.delta === '') continue;
        text += chunk.delta;
        deltas.push(chunk.delta);
        hub.emit('agent:text', { delta: chunk.delta }, { runId });
      }
    } catch (error) {
      // Stops the stream. Errors of the stop are ignored.
      void Promise.resolve(chunks?.return?.()).catch(() => undefined);
      if (error instanceof FlowError) throw error;
      throw new FlowError('model-failed', `${model.label} broke off. See its own log.`, { cause: error });
    }
    return { text, calls };
  };

  const outcomeOf = ({ name, rawArguments }: ModelCall, nth: number, { writes }: Turn): Promise<EndedOutcome> => {
    const tool = tools.get(name);
    if (tool === undefined) return refusal(`There is no function ${name}.`);
    if (nth > mostCalls) return refusal(tooManyAtOnce(mostCalls));
    const call = callOf(name, rawArguments);
    const known = tool.writes === true ? writes.get(call) : undefined;
    if (known !== undefined) return known;
    const outcome = tool.execute(keys.next(call), rawArguments, signal);
    if (tool.writes !== true) return outcome;
    writes.set(call, outcome);
    // A failed write may be repeated.
    void outcome.then(({ ok }) => ok || writes.delete(call));
    return outcome;
  };

  /** Runs the nth call of a completion and returns its result for the model. */
  const settle = async (call: ModelCall, nth: number, turn: Turn): Promise<ModelMessage> => {
    const { callId, name } = call;
    hub.emit('agent:tool:start', { tool: name, callId }, { runId });
    const outcome = await unlessAborted(outcomeOf(call, nth, turn), signal);
    if (outcome.ok) hub.emit('agent:tool:complete', { tool: name, callId }, { runId });
    else hub.emit('agent:tool:error', { tool: name, callId, message: outcome.error }, { runId });
    return { role: 'tool', callId, content: outcome.ok ? textOf(outcome.result) : outcome.error };
  };

  /** Lets the model call functions until it answers. */
  const reply = async (turn: Turn): Promise<string> => {
    for (let round = 0; round < mostRounds; round += 1) {
      const { text, calls } = await complete(turn.hasCalled);
      history.push({ role: 'assistant', content: text, ...(calls.length === 0 ? {} : { calls }) });
      if (calls.length === 0) return text;
      turn.hasCalled = true;
      history.push(...(await Promise.all(calls.map((call, index) => settle(call, index + 1, turn)))));
    }
    throw new FlowError('agent-loop', `the model calls functions without end: ${mostRounds} times so far.`);
  };

  return {
    text: () => deltas.join(''),
    async answer(said) {
      history.push({ role: 'user', content: said });
      const turn: Turn = { hasCalled: false, writes: new Map() };
      for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
        const answered = task.read(await reply(turn));
        if (typeof answered !== 'string') return answered;
        history.push({ role: 'user', content: answered });
      }
      const fact = `the model did not answer in the required form, ${mostAttempts} times in a row.`;
      throw new FlowError('agent-output-invalid', `${fact} Say in the prompt what is wanted, or take another model.`);
    },
  };
}

function toolNamed(context: RunContext, name: string): NodeTool {
  const tool = context.tool(name);
  if (tool !== null) return tool;
  throw new FlowError('unknown-tool', `function "${name}" is not registered. Register it, or remove it from tools.`);
}

/**
 * Creates the idempotency keys of calls. A repeated call after a crash or a failed attempt gets the same key, whatever its
 * position among the calls.
 */
function createCallKeys(key: string) {
  const counts = new Map<string, number>();
  return {
    next(call: string): string {
      const count = (counts.get(call) ?? 0) + 1;
      counts.set(call, count);
      return `${key}/${call}.${count}`;
    },
  };
}

/** Creates unique call ids: the model's id, or a new one if that is empty or already used in this conversation. */
function createCallIds(): (given: string) => string {
  const taken = new Set<string>();
  return (given) => {
    let id = given;
    for (let nth = taken.size + 1; id === '' || taken.has(id); nth += 1) id = `call${String(nth).padStart(5, '0')}`;
    taken.add(id);
    return id;
  };
}

function refusal(error: string): Promise<EndedOutcome> {
  return Promise.resolve({ ok: false, cancelled: false, error });
}

/** Returns the same text for calls of one function with equal arguments, whatever their spelling. */
function callOf(name: string, rawArguments: string): string {
  return hashOf([name, meaningOf(rawArguments)]).slice(0, 16);
}

/** Returns a hash of the arguments, or the text itself if it is not JSON. */
function meaningOf(rawArguments: string): string {
  try {
    return hashOf(JSON.parse(rawArguments) as Json);
  } catch {
    return rawArguments;
  }
}

/** Formats a value for a model. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
