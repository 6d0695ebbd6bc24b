import type { Correlation } from '../../events/envelope.ts';
import type { JsonObject } from '../../events/json.ts';
import type { TurnTrace } from '../../events/turn-trace.ts';

/** Hears of each turn that is over, besides whoever subscribes to the hub. It must not throw. */
export interface TurnSink {
  /** Whether it may be told what was said, and what functions were given and gave. */
  readonly takesContent: boolean;
  /** Where in a trace of somebody else's a span begins; told with it. */
  here(): unknown;
  turn(told: ToldTurn): void;
  /** The session tells no more: what it was told is written before this returns. */
  close(): void;
}

/** A turn with what its trace does not hold. */
export interface ToldTurn {
  readonly trace: TurnTrace;
  readonly about: Partial<Correlation>;
  /** What `here` gave for each span of the trace, in their order; undefined for spans that began elsewhere. */
  readonly places: readonly unknown[];
  /** Null for a sink that takes none. */
  readonly content: TurnContent | null;
}

/** What was said in a turn, and what each span of it was given and gave, in their order. */
export interface TurnContent {
  readonly said: string;
  readonly heard: string;
  readonly spans: readonly (SpanContent | undefined)[];
}

export interface SpanContent {
  readonly given?: JsonObject;
  readonly gave?: unknown;
}
