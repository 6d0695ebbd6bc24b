import type { Json, JsonObject } from '../json.ts';
import type { TokenCount } from '../events/turn-trace.ts';
import type { Cancellable } from './cancellable.ts';

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly callId?: string;
  readonly calls?: readonly ModelCall[];
}

export interface ModelCall {
  readonly callId: string;
  readonly name: string;
  /** The arguments as the model wrote them, unrepaired. */
  readonly rawArguments: string;
  /** Present if the model wrote the call as text instead of making it. */
  readonly written?: WrittenForm;
}

/** A call that a model wrote as text. */
export interface WrittenForm {
  readonly source: string;
  /** Whether the reply contains no other words. */
  readonly isWhole: boolean;
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly output?: JsonObject;
  readonly settings?: JsonObject;
  readonly signal?: AbortSignal;
}

export type ModelChunk =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'call'; readonly call: ModelCall }
  /** `usage`: the tokens of the request as `{ input, output, cached }`. Any other shape counts as unknown. */
  | { readonly type: 'end'; readonly finish: 'stop' | 'calls' | 'length' | 'filtered'; readonly usage?: Json };

/** A language model. The stream ends with one `end` chunk or throws, and stops when the request's signal aborts. */
export interface Model {
  readonly label: string;
  /** The name in provider APIs and price lists; defaults to the label. */
  readonly name?: ModelName;
  generate(request: ModelRequest): AsyncIterable<ModelChunk>;
}

/** The content of one chunk of a model's stream. */
export interface ChunkContent {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** Present if the chunk is audio, which the caller hears without text. */
  readonly isSound?: true;
  /** Tokens of the request, if this chunk reports them. */
  readonly tokens?: TokenCount;
}

/** A model's name in provider APIs and price lists. */
export interface ModelName {
  readonly model: string;
  readonly provider: string;
  /** Present for LiveKit's own models, which write OpenTelemetry spans for their requests. */
  readonly isLiveKits?: true;
}

/**
 * The model of a conversation. Its stream goes to the caller unchanged: a `Chunk` may contain more than text and calls,
 * such as audio.
 */
export interface SpeakingModel<View, Chunk> {
  /** Requests a reply for a view. Throws if the reply breaks off. If the reply is no longer needed, the runner fires `cancelled` and returns the stream's iterator. */
  ask(view: View, cancelled: Cancellable): AsyncIterable<Chunk>;
  /**
   * Names of the functions offered in the last request. Null if the model speaks in audio: calls are then not read from
   * its text.
   */
  offered(): readonly string[] | null;
  /** The model that is currently in use; unknown if absent. */
  name?(): ModelName;
  /**
   * Present if a reply with calls ends with its stream and the agent is silent while they run. LiveKit drops the
   * results of a realtime model's calls when the caller interrupts the reply.
   */
  readonly endsWithCalls?: boolean;
  read(chunk: Chunk): ChunkContent;
  /**
   * Returns the chunks that replace one chunk whose text is replaced and before whose calls others are inserted; empty
   * if nothing is left. With null, returns the chunks for the rest after the end of the stream.
   */
  write(text: string, calls: readonly Omit<ModelCall, 'callId'>[], chunk: Chunk | null): readonly Chunk[];
}

/** Returns the text that a model reads if it makes more calls at once than allowed. */
export function tooManyAtOnce(most: number): string {
  return `At most ${most} functions may be called at once, and this call was not made. Call it again if it is still needed.`;
}
