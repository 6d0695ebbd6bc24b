import type { Json, JsonObject } from '../events/json.ts';

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
  | { readonly type: 'end'; readonly finish: 'stop' | 'calls' | 'length' | 'filtered'; readonly usage?: Json };

/** A language model. Ends with one `end` chunk, or throws; stops when the request's signal aborts. */
export interface Model {
  readonly label: string;
  generate(request: ModelRequest): AsyncIterable<ModelChunk>;
}
