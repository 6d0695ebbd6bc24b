import type { Json, JsonObject } from './json.ts';
import type { WaitRequest } from './wait-request.ts';

/** What a generator yielded, as the log keeps it: plain JSON, and the same in every run of the same code. */
export type GeneratorYield =
  | { readonly type: 'say'; readonly text: string }
  | QuestionYield
  | ToolYield
  | WaitYield
  | { readonly type: 'handoff'; readonly to: string; readonly input: Json }
  | EndYield;

export interface QuestionYield {
  readonly type: 'ask';
  readonly key: string;
  readonly text: string;
  readonly again: string | null;
  /** Null where the caller's own words are the answer. */
  readonly expects: ExpectedAnswer | null;
  /** The question is whether something is to be done: a yes with a condition is none. */
  readonly isConsent?: true;
}

/** The flow ends, and another one may go on; `endsSession`: the conversation ends, whatever has called the flow. */
export interface EndYield {
  readonly type: 'end';
  readonly reason: string;
  readonly endsSession?: true;
}

/** How an answer is read: by the rules of a slot, and where they do not suffice by one inference with a JSON Schema. */
export interface ExpectedAnswer {
  /** The document of the slot whose rules hold; null where only a model can tell. */
  readonly slot: JsonObject | null;
  /** The JSON Schema of the answer; null where that of the slot holds. */
  readonly schema: JsonObject | null;
}

export interface ToolYield {
  readonly type: 'tool';
  readonly name: string;
  readonly args: JsonObject;
  readonly write: boolean;
  readonly timeoutMs: number | null;
  readonly retry: { readonly maxAttempts: number; readonly backoffMs: number };
}

/** A value that a generator drew from outside and that it must draw again when it runs again. */
export type Draw =
  | { readonly kind: 'now'; readonly value: number }
  | { readonly kind: 'random'; readonly value: number }
  | { readonly kind: 'uuid'; readonly value: string }
  | { readonly kind: 'language'; readonly value: string };

/** Somebody or something outside of the call is waited for. */
export interface WaitYield {
  readonly type: 'wait';
  /** The node type that says what is waited for, such as `interrupt.escalate`. */
  readonly node: string;
  readonly key: string;
  readonly asked: WaitRequest;
  /** Said to the caller when the wait begins; null where nothing is. */
  readonly say: string | null;
  /** What a caller who is silent hears, in turn, and how often; null where nothing. Empty `lines`: the product's own. */
  readonly company: { readonly everyMs: number; readonly lines: readonly string[] } | null;
}

/** One yield, and what the generator drew since the one before. */
export interface JournaledYield {
  readonly draws: readonly Draw[];
  readonly yield: GeneratorYield;
}

/** What a generator was resumed with, and the caller's words that it came of. */
export interface GeneratorAnswer {
  readonly value: Json;
  readonly inbound: InboundWords | null;
}

/** A caller's turn as a generator sees it. */
export interface InboundWords {
  readonly eventId: string;
  readonly text: string;
  readonly via: string;
}

/** Where a generator that ran again did something else than is recorded; null stands for an end by an exception. */
export interface Divergence {
  /** The number of the yield, counted from 1. */
  readonly step: number;
  readonly expected: GeneratorYield | Draw | null;
  readonly found: GeneratorYield | Draw | null;
}
