import { type FlushSentinel, type llm, voice } from '@livekit/agents';
import { FlowError } from '../errors.ts';

/** What a reply of LiveKit's streams. */
export type Chunk = llm.ChatChunk | string | FlushSentinel;

/** A reply that LiveKit has asked for. */
export interface ReplyRequest {
  readonly context: llm.ChatContext;
  /** The object by which LiveKit finds the functions that the reply calls. */
  readonly tools: llm.ToolContext;
  readonly settings: voice.ModelSettings;
  /** Aborts when the reply is not wanted any more. */
  readonly cancelled: AbortSignal;
}

export interface ModelAsker {
  /** Streams one completion of the session's model; throws where it breaks off. Ends early when a signal aborts. */
  ask(
    context: llm.ChatContext,
    tools: llm.ToolContext,
    settings: voice.ModelSettings,
    signals: readonly AbortSignal[],
  ): AsyncGenerator<Chunk>;
  /** An error that LiveKit's session told. */
  onError(event: voice.ErrorEvent): void;
}

/**
 * Asks the model of the session that an agent is in. `tell` hears once a completion what went wrong with it: the kind
 * of error and its status, never its text, which may quote the prompt.
 */
export function createModelAsker(agent: voice.Agent, tell: (reason: string) => void): ModelAsker {
  let hasFailed = false;
  let told: string | null = null;
  return {
    async *ask(context, tools, settings, signals) {
      if (signals.some(({ aborted }) => aborted)) return;
      hasFailed = false;
      told = null;
      const stream = await voice.Agent.default.llmNode(agent, context, tools, settings);
      if (stream === null) return;
      const reader = stream.getReader();
      const stop = (): void => void reader.cancel().catch(() => undefined);
      for (const signal of signals) signal.addEventListener('abort', stop, { once: true });
      try {
        for (;;) {
          const next = await reader.read();
          if (!next.done) yield next.value;
          // LiveKit ends the stream of a model that failed as if it had been complete.
          else if (hasFailed) throw new FlowError('model-failed', 'the model did not finish its reply.');
          else return;
        }
      } finally {
        for (const signal of signals) signal.removeEventListener('abort', stop);
        stop();
      }
    },
    onError({ error }) {
      if (error.type !== 'llm_error') return;
      if (!error.recoverable) hasFailed = true;
      const reason = kindOf(error.error);
      if (reason !== told) tell(reason);
      told = reason;
    },
  };
}

/** What kind of error it was, never its text: `APIStatusError 401`. */
export function kindOf(error: Error): string {
  // LiveKit's errors call it `statusCode`, OpenAI's `status`, and do not set their name.
  const code = 'statusCode' in error ? error.statusCode : 'status' in error ? error.status : -1;
  const name = error.name === 'Error' ? error.constructor.name : error.name;
  return typeof code === 'number' && code > 0 ? `${name} ${code}` : name;
}
