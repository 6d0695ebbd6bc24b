import type { JsonObject } from '../../events/json.ts';
import type { TokenCount, TurnTrace } from '../../events/turn-trace.ts';

/** One turn, with the trace that OpenTelemetry spans, metrics and the log are made of in production. */
export interface TurnShown {
  /** Of the page: unique in the session. */
  readonly turnId: string;
  /** Counts the session's turns from 1. */
  readonly index: number;
  /** Epoch milliseconds: `TurnTrace.startedAt` as soon as there is a trace. */
  readonly from: number;
  /** The node that it came to; the one that it began in while it is under way. */
  readonly node: string;
  /** What `turn:completed` has told; null while it is under way, and for a turn that an older release has kept. */
  readonly trace: TurnTrace | null;
  /** The counts that an older release has kept in place of a trace. */
  readonly kept: Pick<TurnTrace, 'inferences' | 'transitions'> | null;
  /** What `GET /api/requests/ID` gives, in the order of asking; `span` is its place in `trace.spans`, null while there is no trace. */
  readonly requests: readonly { readonly id: string; readonly span: number | null }[];
  /** What the page itself has heard, which only a caller by voice can. */
  readonly inPage: readonly PageTiming[];
}

/** A request that a model was asked. */
export interface RequestMark {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The exact request that a model saw, and its answer. */
export interface RequestShown {
  readonly id: string;
  readonly sessionId: string;
  readonly at: number;
  readonly model: string;
  readonly messages: readonly RequestMessage[];
  /** Tools offered, as JSON Schema. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonObject }[];
  readonly answer: {
    readonly text: string;
    readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  };
  /** Null while it is answered. */
  readonly tookMs: number | null;
  readonly firstTokenMs: number | null;
  readonly error: string | null;
  readonly tokens: TokenCount | null;
}

/** One item of what the model was shown. */
export interface RequestMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** Of a call, and of its output. */
  readonly callId?: string;
  readonly name?: string;
}

/** Moments that only the page can know, by the server's clock (one look at `About.now` gives the difference). */
export interface PageTiming {
  /** `speech.end`: the caller fell silent; `speech.first_audio`: the first sound of the agent. */
  readonly name: 'speech.end' | 'speech.first_audio';
  readonly at: number;
}
