import { initializeLogger, llm, loggerOptions } from '@livekit/agents';
import { errorKind, FlowError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Model, ModelCall, ModelMessage, ModelTool } from '../../model/ports/model.ts';
import { guardModelStream } from '../guards/model-stream.ts';
import type { ModelChoice } from '../plug-ins/model-choice.ts';
import { nameOf, tokensOf } from './model-name.ts';
import { openModel } from '../plug-ins/models.ts';
import { realtimePort } from '../realtime/realtime-port.ts';

/**
 * Converts a LiveKit model, including a realtime one, to the `model` of a run. A name (`openai`, `offline`) opens its
 * model on the first request, with the keys in the environment. The `output` schema of a request is left to its
 * prompt, because not every provider supports schemas. `settings` use the names of OpenAI's API. Throws nothing; a
 * request throws `model-failed`, and for a model by name `key-missing` or `plugin-missing`.
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

/** Returns the model that `modelPort` converted; null for a foreign port and for a realtime model. */
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
      // LiveKit's models throw without a logger, and there may be none outside a worker.
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

/** Converts a function for the model. The caller of the port runs it. */
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
  // The configuration of agents allows no other choices.
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
