import type { JsonObject } from '../../model/json.ts';
import type { TokenCount, TurnTrace } from '../../model/events/turn-trace.ts';

/** A turn with its trace, which is also the source of spans, metrics and the log in production. */
export interface TurnShown {
  /** Unique in the session; assigned by the studio. */
  readonly turnId: string;
  /** The number of the turn, from 1. */
  readonly index: number;
  /** Epoch milliseconds; `TurnTrace.startedAt` if there is a trace. */
  readonly from: number;
  /** The last node of the turn; its first node while it is running. */
  readonly node: string;
  /** The trace of `turn:completed`; null while running, and for turns stored by an older release. */
  readonly trace: TurnTrace | null;
  /** The counts that an older release stored instead of a trace. */
  readonly kept: Pick<TurnTrace, 'inferences' | 'transitions'> | null;
  /** Ids for `GET /api/requests/ID` in order; `span` is the index in `trace.spans`, null without a trace. */
  readonly requests: readonly { readonly id: string; readonly span: number | null }[];
  /** Moments measured by the page in a voice call. */
  readonly inPage: readonly PageTiming[];
}

/** A request to a model. */
export interface RequestMark {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A model request and its answer. */
export interface RequestShown {
  readonly id: string;
  readonly sessionId: string;
  readonly at: number;
  readonly model: string;
  readonly messages: readonly RequestMessage[];
  /** The offered tools, as JSON Schema. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: JsonObject }[];
  readonly answer: {
    readonly text: string;
    readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  };
  /** Null while it is being answered. */
  readonly tookMs: number | null;
  readonly firstTokenMs: number | null;
  readonly error: string | null;
  readonly tokens: TokenCount | null;
}

/** One message of a request. */
export interface RequestMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** For a call and its output. */
  readonly callId?: string;
  readonly name?: string;
}

/** A moment that only the page can measure, in server time (`About.now` gives the difference of the clocks). */
export interface PageTiming {
  /** `speech.end`: the caller stopped speaking. `speech.first_audio`: the agent's first sound. */
  readonly name: 'speech.end' | 'speech.first_audio';
  readonly at: number;
}
