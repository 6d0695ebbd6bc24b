import type { JsonObject } from '../../../src/model/json.ts';
import type { FlowSource } from '../../../src/flow/load/files/flow-library.ts';
import type { Answer, Fact, Said } from '../talk/said.ts';
import type { Tools } from '../talk/talk.ts';
import type { Phrases } from './phrases.ts';

/** A flow, and whoever calls it. */
export interface Scene {
  readonly name: string;
  /** What is compiled: a document, a path or the text of one; a generator as it is. */
  readonly source: FlowSource;
  readonly phrases: Phrases;
  tools(): Tools;
  /** By slot: what the caller wants first, then other values that callers and models name. */
  readonly values: Readonly<Record<string, readonly [Fact, ...Fact[]]>>;
  /** What the caller answers to a question; the first rule that fits. */
  readonly answers: readonly Answer[];
  /** How the caller refuses what this flow asks, besides the phrases of the language. */
  readonly refusals?: readonly string[];
  /** Values that no slot of this flow takes, if it takes one of those of the language. */
  readonly badValues?: readonly [string, ...string[]];
  /** How the caller leaves a question unanswered, where the words of the language are a value of this flow. */
  readonly decline?: string;
  /** The verb of the flow's questions among other words, said in the place of a yes. */
  readonly echo?: string;
  /** What the caller tells unasked: the value of a slot that the flow does not need. */
  readonly more?: string;
  /** What the caller says where they know no answer, if it is not that they do not know. */
  readonly otherwise?: Said;
  /** What the caller asks beside the matter. */
  readonly question: string;
  /** Questions that a write needs a yes to and that its function does not name: of a gate, or of a generator. */
  readonly consents?: Readonly<Record<string, readonly string[]>>;
  /** Slots on which the way through the flow depends. */
  readonly decides: readonly string[];
  /** What is wrong with a write whose decisions were taken on other values; null where nothing is. */
  staleDecision?(write: string, args: JsonObject): string | null;
}
