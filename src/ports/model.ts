import type { Json, JsonObject } from '../events/json.ts';
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
  /** The arguments as the model wrote them, not repaired. */
  readonly rawArguments: string;
  /** Present if the model wrote the call into its words instead of making it. */
  readonly written?: WrittenForm;
}

/** How a model wrote a call into its words. */
export interface WrittenForm {
  readonly source: string;
  /** Whether the reply holds no other words. */
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
  /** `usage`: the tokens that the request took, as `{ input, output, cached }`; anything else counts as not known. */
  | { readonly type: 'end'; readonly finish: 'stop' | 'calls' | 'length' | 'filtered'; readonly usage?: Json };

/** A language model. Ends with one `end` chunk, or throws; stops when the request's signal aborts. */
export interface Model {
  readonly label: string;
  /** How providers and price lists name it; the label where absent. */
  readonly name?: ModelName;
  generate(request: ModelRequest): AsyncIterable<ModelChunk>;
}

/** What one chunk of a model's stream holds. */
export interface ChunkContent {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** It is sound, which is heard without words. */
  readonly isSound?: true;
  /** What the request took, where this chunk tells it. */
  readonly tokens?: TokenCount;
}

/** A model as providers and price lists name it. */
export interface ModelName {
  readonly model: string;
  readonly provider: string;
  /** It is a model of LiveKit's, which writes OpenTelemetry spans for its requests. */
  readonly isLiveKits?: true;
}

/**
 * The model that a conversation speaks with. What it streams is given to the caller as it is: a `Chunk` may hold more
 * than words and calls, such as sound.
 */
export interface SpeakingModel<View, Chunk> {
  /**
   * Asks for a reply under a view; throws where the reply breaks off. The stream is returned, and `cancelled` tells it,
   * where nobody waits for it any more.
   */
  ask(view: View, cancelled: Cancellable): AsyncIterable<Chunk>;
  /**
   * The names of the functions that the last request offered. Null where the model speaks in sound: no calls are read
   * from its words then.
   */
  offered(): readonly string[] | null;
  /** The model that is asked now; unknown where absent. */
  name?(): ModelName;
  /**
   * A reply with calls ends with its stream, and nothing is said while they work: LiveKit drops what the calls of a realtime
   * model return where the caller interrupts the reply.
   */
  readonly endsWithCalls?: boolean;
  read(chunk: Chunk): ChunkContent;
  /**
   * The chunks that stand for one whose words are replaced and before whose calls others are made; none where nothing is
   * left of it. With null, those for what is left when the stream has ended.
   */
  write(text: string, calls: readonly Omit<ModelCall, 'callId'>[], chunk: Chunk | null): readonly Chunk[];
}

/** What a model reads of a call that is one too many of those that it makes at once. */
export function tooManyAtOnce(most: number): string {
  return `At most ${most} functions may be called at once, and this call was not made. Call it again if it is still needed.`;
}
