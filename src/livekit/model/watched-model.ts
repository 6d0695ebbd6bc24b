import { llm } from '@livekit/agents';
import type { Clock, Ids } from '../../model/ports/time.ts';
import { errorKind } from '../../model/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';

/** A request to a model, and its answer so far. */
export interface WatchedRequest {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly model: string;
  readonly messages: readonly WatchedMessage[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonObject }[];
  readonly answer: {
    readonly text: string;
    readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  };
  /** Null while the answer streams. */
  readonly tookMs: number | null;
  readonly firstTokenMs: number | null;
  /** Kind of the error that ended the answer. */
  readonly error: string | null;
  /** Null if the provider does not report it. */
  readonly tokens: { readonly input: number; readonly output: number; readonly cached: number } | null;
}

/** One item of the model's context. */
export interface WatchedMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly callId?: string;
  readonly name?: string;
}

/**
 * Wraps a model so that `tell` receives each request when it starts and ends. The data contains
 * speech: it is for the author's own screen, not for logs. Exceptions of `tell` are ignored.
 */
export function watchedModel<Model extends llm.LLM>(
  model: Model,
  { clock, ids, tell }: { readonly clock: Clock; readonly ids: Ids; readonly tell: (request: WatchedRequest) => void },
): Model {
  const quietly = (request: WatchedRequest): void => {
    try {
      tell(request);
    } catch {
      // An observer must not stop the conversation.
    }
  };
  const chat: llm.LLM['chat'] = (given) => {
    const stream = model.chat(given);
    const at = clock.now();
    let request: WatchedRequest = {
      ...{ id: ids.create('request'), at, model: model.label(), messages: given.chatCtx.items.flatMap(messagesOf) },
      ...{ tools: toolsOf(given.toolCtx), answer: { text: '', calls: [] } },
      ...{ tookMs: null, firstTokenMs: null, error: null, tokens: null },
    };
    quietly(request);
    const next = stream.next.bind(stream);
    const close = stream.close.bind(stream);
    const end = (error: string | null): void => {
      if (request.tookMs !== null) return;
      request = { ...request, tookMs: clock.now() - at, error };
      quietly(request);
    };
    stream.next = async () => {
      try {
        const result = await next();
        if (result.done === true) end(null);
        else request = withChunk(request, result.value, clock.now() - at);
        return result;
      } catch (error) {
        end(errorKind(error));
        throw error;
      }
    };
    stream.close = () => {
      end(null);
      close();
    };
    return stream;
  };
  // LiveKit's classes have private members, which only the object itself can read.
  return new Proxy(model, {
    get(target, name) {
      if (name === 'chat') return chat;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

function withChunk(request: WatchedRequest, { delta, usage }: llm.ChatChunk, sinceMs: number): WatchedRequest {
  const { answer } = request;
  const calls = (delta?.toolCalls ?? []).map(({ name, args }) => ({ name, arguments: args }));
  const text = delta?.content ?? '';
  return {
    ...request,
    firstTokenMs: request.firstTokenMs ?? (text === '' && calls.length === 0 ? null : sinceMs),
    answer: { text: answer.text + text, calls: [...answer.calls, ...calls] },
    tokens:
      usage === undefined
        ? request.tokens
        : { input: usage.promptTokens, output: usage.completionTokens, cached: usage.promptCachedTokens },
  };
}

function messagesOf(item: llm.ChatItem): WatchedMessage[] {
  if (item.type === 'message') return [{ role: item.role, text: item.textContent ?? '' }];
  if (item.type === 'function_call')
    return [{ role: 'assistant', text: item.args, callId: item.callId, name: item.name }];
  if (item.type === 'function_call_output')
    return [{ role: 'tool', text: item.output, callId: item.callId, name: item.name }];
  return [];
}

function toolsOf(offered: llm.ToolContextLike | undefined): WatchedRequest['tools'] {
  const functions = llm.toToolContext(offered)?.functionTools ?? {};
  return Object.entries(functions).map(([name, { description, parameters }]) => {
    const schema = llm.toJsonSchema(parameters) as Json; // A JSON Schema is JSON.
    return { name, description, parameters: isJsonObject(schema) ? schema : {} };
  });
}
