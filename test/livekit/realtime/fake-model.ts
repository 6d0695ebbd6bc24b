import { llm } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { ReadableStream } from 'node:stream/web';
import { setTimeout as afterTimers } from 'node:timers/promises';
import { frameOf } from '../speech/voice-parts.ts';

/** The request to a fake session for one generation. */
export interface RealtimeRequest {
  readonly session: number;
  readonly instructions: string;
  readonly tools: readonly string[];
  /** Instructions of this generation only. */
  readonly extra: string | undefined;
  /** The session's conversation as `role:text`, `call:name` and `out:output`. */
  readonly items: readonly string[];
}

export interface RealtimeScriptReply {
  readonly text?: string;
  readonly tokens?: { readonly input: number; readonly output: number; readonly cached: number };
  readonly calls?: readonly { readonly name: string; readonly args?: object; readonly id?: string }[];
}

export type RealtimeScript = (request: RealtimeRequest) => RealtimeScriptReply;

const full: llm.RealtimeCapabilities = {
  messageTruncation: true,
  turnDetection: true,
  userTranscription: true,
  autoToolReplyGeneration: false,
  audioOutput: false,
  manualFunctionCalls: true,
  midSessionChatCtxUpdate: true,
  midSessionInstructionsUpdate: true,
  midSessionToolsUpdate: true,
};

/** A realtime model that follows a script and records its input. It has no audio unless `sounds` is true. */
export class FakeRealtimeModel extends llm.RealtimeModel {
  readonly script: RealtimeScript;
  readonly sessions: FakeRealtimeSession[] = [];
  readonly requests: RealtimeRequest[] = [];
  /** Whether its speech has sound, one frame per word. */
  sounds = false;

  constructor(script: RealtimeScript, capabilities: Partial<llm.RealtimeCapabilities> = {}) {
    super({ ...full, ...capabilities });
    this.script = script;
  }

  override get model(): string {
    return 'fake-realtime';
  }

  override session(): FakeRealtimeSession {
    const session = new FakeRealtimeSession(this, this.sessions.length);
    this.sessions.push(session);
    return session;
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }

  /** The session in use. */
  get last(): FakeRealtimeSession {
    const session = this.sessions.at(-1);
    if (session === undefined) throw new Error('No session was made.');
    return session;
  }
}

let made = 0;

export class FakeRealtimeSession extends llm.RealtimeSession {
  readonly #model: FakeRealtimeModel;
  readonly #index: number;
  #items: llm.ChatItem[] = [];
  #tools = llm.ToolContext.empty();
  #instructions = '';
  isClosed = false;

  constructor(model: FakeRealtimeModel, index: number) {
    super(model);
    this.#model = model;
    this.#index = index;
  }

  override get chatCtx(): llm.ChatContext {
    return new llm.ChatContext([...this.#items]);
  }

  override get tools(): llm.ToolContext {
    return this.#tools;
  }

  override updateInstructions(instructions: string): Promise<void> {
    this.#instructions = instructions;
    return Promise.resolve();
  }

  override updateChatCtx(context: llm.ChatContext): Promise<void> {
    const before = new Set(this.#items.map(({ id }) => id));
    this.#items = [...context.items];
    const isAnswered = this.#items.some(({ id, type }) => type === 'function_call_output' && !before.has(id));
    if (isAnswered && this.#model.capabilities.autoToolReplyGeneration)
      setTimeout(() => void this.emit('generation_created', this.#generate(undefined, false)), 0);
    return Promise.resolve();
  }

  override updateTools(tools: llm.ToolContext): Promise<void> {
    this.#tools = tools;
    return Promise.resolve();
  }

  override updateOptions(): void {}
  override pushAudio(_frame: AudioFrame): void {}
  override commitAudio(): Promise<void> {
    return Promise.resolve();
  }
  override clearAudio(): Promise<void> {
    return Promise.resolve();
  }
  override interrupt(): Promise<void> {
    return Promise.resolve();
  }
  override truncate(): Promise<void> {
    return Promise.resolve();
  }

  override generateReply(instructions?: string): Promise<llm.GenerationCreatedEvent> {
    const generation = this.#generate(instructions, true);
    this.emit('generation_created', generation);
    return Promise.resolve(generation);
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    await super.close();
  }

  /** The caller says a turn, and the model answers it by itself. The transcript arrives at once. */
  callerSays(text: string): void {
    this.callerIsHeard(text)();
  }

  /** The same, but the transcript arrives when the returned function is called. */
  callerIsHeard(text: string): () => void {
    this.emit('input_speech_started', {});
    this.emit('input_speech_stopped', { userTranscriptionEnabled: true });
    const id = `heard_${(made += 1)}`;
    this.#items.push(llm.ChatMessage.create({ id, role: 'user', content: text }));
    this.emit('generation_created', this.#generate(undefined, false));
    return () => void this.emit('input_audio_transcription_completed', { itemId: id, transcript: text, isFinal: true });
  }

  /** The connection breaks for good. */
  breaks(): void {
    const error = new Error('gone');
    this.emit('error', { type: 'realtime_model_error', timestamp: 0, label: 'fake', error, recoverable: false });
  }

  #generate(extra: string | undefined, userInitiated: boolean): llm.GenerationCreatedEvent {
    const request: RealtimeRequest = {
      session: this.#index,
      instructions: this.#instructions,
      tools: llm.sortedToolNames(this.#tools),
      extra,
      items: this.#items.map(written),
    };
    this.#model.requests.push(request);
    const { text = '', calls = [], tokens } = this.#model.script(request);
    // Like a provider's streams, which end with the reply's usage.
    const over =
      tokens === undefined
        ? undefined
        : afterTimers().then(() => void this.emit('metrics_collected', metricsOf(tokens)));
    const messageId = `said_${(made += 1)}`;
    const message: llm.MessageGeneration = {
      messageId,
      textStream: streamOf(text.match(/\S+\s*/g) ?? []),
      audioStream: streamOf<AudioFrame>(this.#model.sounds ? (text.match(/\S+\s*/g) ?? []).map(frameOf) : []),
      modalities: Promise.resolve(this.#model.sounds ? ['audio', 'text'] : ['text']),
    };
    if (text !== '') this.#items.push(llm.ChatMessage.create({ id: messageId, role: 'assistant', content: text }));
    const made_ = calls.map(({ name, args = {}, id = `call_${(made += 1)}` }) =>
      llm.FunctionCall.create({ callId: id, name, args: JSON.stringify(args) }),
    );
    this.#items.push(...made_);
    return {
      messageStream: streamOf(text === '' ? [] : [message], over),
      functionStream: streamOf(made_, over),
      userInitiated,
    };
  }
}

/** A provider's metrics, reduced to the token counts. */
function metricsOf({ input, output, cached }: NonNullable<RealtimeScriptReply['tokens']>): object {
  return {
    type: 'realtime_model_metrics',
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output,
    inputTokenDetails: { cachedTokens: cached, audioTokens: 0, textTokens: input, imageTokens: 0 },
    outputTokenDetails: { audioTokens: 0, textTokens: output, imageTokens: 0 },
    label: 'fake',
    requestId: 'r',
    timestamp: 0,
  };
}

/** A stream that ends at once, or with `over`. */
function streamOf<Value>(values: readonly Value[], over?: Promise<void>): ReadableStream<Value> {
  return new ReadableStream<Value>({
    start(controller) {
      for (const value of values) controller.enqueue(value);
      if (over === undefined) controller.close();
      // A cancelled reply is not read further.
      else void over.then(() => controller.close()).catch(() => undefined);
    },
  });
}

function written(item: llm.ChatItem): string {
  if (item.type === 'message') return `${item.role}:${item.textContent ?? ''}`;
  if (item.type === 'function_call') return `call:${item.name}`;
  return item.type === 'function_call_output' ? `out:${item.output}` : item.type;
}
