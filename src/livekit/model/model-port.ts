import { initializeLogger, llm, loggerOptions } from '@livekit/agents';
import { errorKind, FlowError } from '../../errors.ts';
import type { JsonObject } from '../../events/json.ts';
import type { Model, ModelCall, ModelMessage, ModelTool } from '../../ports/model.ts';
import { guardModelStream } from '../guards/model-stream.ts';
import type { ModelChoice } from '../plug-ins/model-choice.ts';
import { nameOf, tokensOf } from './model-name.ts';
import { openModel } from '../plug-ins/models.ts';
import { realtimePort } from '../realtime/aside.ts';

/**
 * Makes the `model` of a run of a LiveKit model, a realtime one included, or of a name (`openai`, `offline`), which is
 * opened when it is first asked, by the keys in the environment. The `output` of a request is left to its prompt: not every provider can be held to a
 * schema. Its `settings` go under the names that OpenAI gives them. Throws nothing; a request throws `model-failed`,
 * and for a model by name `key-missing` or `plugin-missing`.
 *
 * @example
 * await createFlowRun('triage.yaml', { model: modelPort('openai') }).run();
 */
export function modelPort(model: ModelChoice | llm.RealtimeModel): Model {
  if (model instanceof llm.RealtimeModel) return realtimePort(model);
  const port = typeof model === 'string' ? namedPort(model) : ownPort(model);
  behind.set(port, model);
  return port;
}

/** The model that `modelPort` made a port of; null for a port made elsewhere, and for a realtime model. */
export function modelBehind(port: Model): ModelChoice | null {
  return behind.get(port) ?? null;
}

const behind = new WeakMap<Model, ModelChoice>();

function namedPort(name: Extract<ModelChoice, string>): Model {
  let opened: Promise<Model> | null = null;
  return {
    label: name,
    async *generate(request) {
      opened ??= openModel(name, process.env).then(({ model }) => ownPort(model));
      yield* (await opened).generate(request);
    },
  };
}

function ownPort(model: llm.LLM): Model {
  return {
    label: model.label(),
    name: nameOf(model),
    async *generate({ messages, tools, settings = {}, signal }) {
      // LiveKit's models throw without a logger, and outside of a worker there may be none.
      if (loggerOptions() === undefined) initializeLogger({ pretty: false, level: 'silent' });
      const stream = model.chat({
        chatCtx: new llm.ChatContext(messages.flatMap(itemsOf)),
        ...(tools.length === 0 ? {} : { toolCtx: tools.map(toolOf) }),
        ...requestOf(settings),
      });
      const failure = guardModelStream(model, stream);
      const close = (): void => stream.close();
      signal?.addEventListener('abort', close, { once: true });
      if (signal?.aborted === true) close();
      try {
        let hasCalls = false;
        let usage: JsonObject | undefined;
        for await (const { delta, usage: told } of stream) {
          if (told !== undefined) usage = { ...tokensOf(told) };
          if (delta?.content !== undefined && delta.content !== '') yield { type: 'text', delta: delta.content };
          for (const { callId, name, args } of delta?.toolCalls ?? []) {
            hasCalls = true;
            yield { type: 'call', call: { callId, name, rawArguments: args } };
          }
        }
        const error = failure();
        if (error !== null) throw new FlowError('model-failed', `${model.label()} broke off: ${errorKind(error)}.`);
        yield { type: 'end', finish: hasCalls ? 'calls' : 'stop', ...(usage === undefined ? {} : { usage }) };
      } finally {
        signal?.removeEventListener('abort', close);
        stream.close();
      }
    },
  };
}

function itemsOf({ role, content, callId, calls = [] }: ModelMessage): llm.ChatItem[] {
  if (role === 'tool')
    return [llm.FunctionCallOutput.create({ callId: callId ?? '', output: content, isError: false })];
  const message = content === '' ? [] : [llm.ChatMessage.create({ role, content })];
  return [...message, ...calls.map(callOf)];
}

function callOf({ callId, name, rawArguments }: ModelCall): llm.FunctionCall {
  return llm.FunctionCall.create({ callId, name, args: rawArguments });
}

/** A function as the model is shown it. The caller of the port runs it. */
function toolOf({ name, description, parameters }: ModelTool): llm.FunctionTool {
  const execute = (): Promise<void> => Promise.reject(new llm.ToolError('It is not run here.'));
  return llm.tool({
    name,
    description: description === '' ? name : description,
    parameters,
    execute,
  }) as llm.FunctionTool;
}

function requestOf({ toolChoice, maxTokens, topP, ...rest }: JsonObject) {
  const extraKwargs = {
    ...rest,
    ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    ...(topP === undefined ? {} : { top_p: topP }),
  };
  // The config of agents allows no other choices.
  const choice = toolChoice as 'auto' | 'none' | 'required' | { readonly name: string } | undefined;
  return {
    ...(choice === undefined
      ? {}
      : {
          toolChoice:
            typeof choice === 'string' ? choice : { type: 'function' as const, function: { name: choice.name } },
        }),
    ...(Object.keys(extraKwargs).length === 0 ? {} : { extraKwargs }),
  };
}
