import type { Json, JsonObject } from '../json.ts';
import type { WaitRequest } from './wait-request.ts';

/** A yield as the log stores it: plain JSON, identical in every run of the same code. */
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
  /** Null if the answer is the caller's own words. */
  readonly expects: ExpectedAnswer | null;
  /** The question asks for consent: a conditional yes does not count. */
  readonly isConsent?: true;
}

/** Ends the flow; another flow may continue. `endsSession` ends the conversation even if another flow called this one. */
export interface EndYield {
  readonly type: 'end';
  readonly reason: string;
  readonly endsSession?: true;
}

/** How to read an answer: by the rules of a slot, and if they do not suffice by one inference with a JSON Schema. */
export interface ExpectedAnswer {
  /** The slot document whose rules apply; null if only a model can read the answer. */
  readonly slot: JsonObject | null;
  /** JSON Schema of the answer; null if the slot's schema applies. */
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

/** A nondeterministic value that a replay must reproduce. */
export type Draw =
  | { readonly kind: 'now'; readonly value: number }
  | { readonly kind: 'random'; readonly value: number }
  | { readonly kind: 'uuid'; readonly value: string }
  | { readonly kind: 'language'; readonly value: string };

/** Waits for something outside the call. */
export interface WaitYield {
  readonly type: 'wait';
  /** The node type that defines the wait, such as `interrupt.escalate`. */
  readonly node: string;
  readonly key: string;
  readonly asked: WaitRequest;
  /** Spoken when the wait begins; null for no line. */
  readonly say: string | null;
  /** Lines for a silent caller, in rotation, and their interval; null for none. Empty `lines`: the built-in ones. */
  readonly company: { readonly everyMs: number; readonly lines: readonly string[] } | null;
}

/** One yield and the draws since the previous one. */
export interface JournaledYield {
  readonly draws: readonly Draw[];
  readonly yield: GeneratorYield;
}

/** The value that resumed a generator, and the caller's words behind it. */
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

/** The point at which a replayed generator deviated from the record. Null stands for an exception. */
export interface Divergence {
  /** Number of the yield, counted from 1. */
  readonly step: number;
  readonly expected: GeneratorYield | Draw | null;
  readonly found: GeneratorYield | Draw | null;
}
