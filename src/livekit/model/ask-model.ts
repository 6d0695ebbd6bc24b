import { llm, type voice } from '@livekit/agents';
import { errorKind, FlowError } from '../../model/errors.ts';
import type { Cancellable } from '../../model/ports/cancellable.ts';
import { isTooLong } from '../context/context-budget.ts';
import type { ModelName } from '../../model/ports/model.ts';
import { createCallIds } from './call-ids.ts';
import { adoptCalls, type Chunk } from './chunk.ts';
import { nameOf } from './model-name.ts';

/** A reply that LiveKit has requested. */
export interface ReplyRequest {
  readonly context: llm.ChatContext;
  /** The object by which LiveKit finds the functions that the reply calls. */
  readonly tools: llm.ToolContext;
  readonly settings: voice.ModelSettings;
  /** Cancelled when the reply is no longer wanted. */
  readonly cancelled: Cancellable;
}

export interface ModelAsker {
  /** Streams one completion of the session's model; throws if it breaks off. Returning the stream stops the model. */
  ask(
    context: llm.ChatContext,
    tools: llm.ToolContext,
    settings: voice.ModelSettings,
    cancelled: Cancellable,
  ): AsyncIterableIterator<Chunk>;
  /** Returns the model that is asked. Throws `model-missing`. */
  name(): ModelName;
  /** Receives an error event of LiveKit's session. */
  onError(event: voice.ErrorEvent): void;
}

/**
 * Creates the asker for the model of an agent's session. The `tell` callback receives each failure once per reply: its kind
 * and status, never its text, which may quote the prompt. `onTooLong` is called if the request was too long.
 */
export function createModelAsker(
  agent: voice.Agent,
  { tell, onTooLong }: { readonly tell: (reason: string) => void; readonly onTooLong: () => void },
): ModelAsker {
  const ids = createCallIds({ keepsItems: false });
  let hasFailed = false;
  let told: string | null = null;
  /** The last reply with a reported failure, because an empty or broken reply is retried once. */
  let toldOf: Cancellable | null = null;
  const asked = (): llm.LLM => {
    const model = agent.llm ?? agent.session.llm;
    if (model instanceof llm.LLM) return model;
    throw new FlowError('model-missing', 'the session has no language model.');
  };
  return {
    name: () => nameOf(asked()),
    ask(context, tools, settings, cancelled) {
      let stream: llm.LLMStream | null = null;
      let isOver = cancelled.isCancelled;
      let forget = (): void => undefined;
      const close = (): void => {
        isOver = true;
        forget();
        stream?.close();
      };
      const first = async (): Promise<IteratorResult<Chunk>> => {
        const { session } = agent;
        const model = asked();
        hasFailed = false;
        if (toldOf !== cancelled) told = null;
        toldOf = cancelled;
        forget = cancelled.onCancel(close);
        const { toolChoice } = settings;
        stream = model.chat({
          chatCtx: new llm.ChatContext(ids.onWire(context.items)),
          toolCtx: tools,
          connOptions: session.connOptions.llmConnOptions,
          ...(toolChoice === undefined ? {} : { toolChoice }),
        });
        return take(await stream.next());
      };
      const take = (next: IteratorResult<llm.ChatChunk>): IteratorResult<Chunk> => {
        if (isOver) return ended;
        if (next.done !== true) return { done: false, value: adoptCalls(next.value, ids) };
        isOver = true;
        forget();
        // LiveKit ends the stream of a failed model as if it were complete.
        if (hasFailed) throw new FlowError('model-failed', 'the model did not finish its reply.');
        return ended;
      };
      return {
        // LiveKit's own node would wrap the model's stream and close it even
        // if it has ended; each of these takes longer than a step of the flow.
        next() {
          if (isOver) return Promise.resolve(ended);
          return stream === null ? first() : stream.next().then(take);
        },
        return() {
          if (!isOver) close();
          return Promise.resolve(ended);
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
    onError({ error }) {
      if (error.type !== 'llm_error') return;
      if (!error.recoverable) hasFailed = true;
      if (!error.recoverable && isTooLong(error.error)) onTooLong();
      const reason = errorKind(error.error);
      if (reason !== told) tell(reason);
      told = reason;
    },
  };
}

/** Returns the caller's words that a reply answers. */
export function wordsOf({ context }: ReplyRequest): llm.ChatMessage | undefined {
  return context.items.findLast((item): item is llm.ChatMessage => item.type === 'message' && item.role === 'user');
}

const ended = { done: true, value: undefined } as const;
