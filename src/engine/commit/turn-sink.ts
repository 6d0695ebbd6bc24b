import type { Correlation } from '../../model/events/envelope.ts';
import type { JsonObject } from '../../model/json.ts';
import type { TurnTrace } from '../../model/events/turn-trace.ts';

/** Receives each completed turn, in addition to the hub's subscribers. Must not throw. */
export interface TurnSink {
  /** Whether it may receive content: spoken text, and arguments and results of functions. */
  readonly takesContent: boolean;
  /** Returns the current position in an external trace, as the parent of a span. */
  here(): unknown;
  turn(told: ToldTurn): void;
  /** The session has ended. Everything received is written before this returns. */
  close(): void;
}

/** A turn with the data that its trace does not contain. */
export interface ToldTurn {
  readonly trace: TurnTrace;
  readonly about: Partial<Correlation>;
  /** Result of `here` for each span of the trace, in order; undefined for spans that began elsewhere. */
  readonly places: readonly unknown[];
  /** Null for a sink without content. */
  readonly content: TurnContent | null;
}

/** Content of a turn: spoken text, and input and output of each span, in order. */
export interface TurnContent {
  readonly said: string;
  readonly heard: string;
  readonly spans: readonly (SpanContent | undefined)[];
}

export interface SpanContent {
  readonly given?: JsonObject;
  readonly gave?: unknown;
}
