import type { JsonObject } from '../../../src/model/json.ts';
import type { FlowSource } from '../../../src/flow/load/files/flow-library.ts';
import type { Answer, Fact, Said } from '../talk/said.ts';
import type { Tools } from '../talk/talk.ts';
import type { Phrases } from './phrases.ts';

/** The telephone keys of a flow. */
export interface SceneKeys {
  /** By node with a menu: the key that the caller wants. */
  readonly menus: Readonly<Record<string, string>>;
  /** By slot: an entry that the slot refuses. */
  readonly refused: Readonly<Record<string, string>>;
  /** The personal slot whose digits only functions receive. */
  readonly secret: string;
}

/** A flow with its caller. */
export interface Scene {
  readonly name: string;
  /** A document, a path, a text or a generator. */
  readonly source: FlowSource;
  readonly phrases: Phrases;
  tools(): Tools;
  /** By slot: the caller's value, then other values that callers and models name. */
  readonly values: Readonly<Record<string, readonly [Fact, ...Fact[]]>>;
  /** The caller's answers. The first matching rule wins. */
  readonly answers: readonly Answer[];
  /** Refusals for this flow, in addition to the phrases of the language. */
  readonly refusals?: readonly string[];
  /** Values that no slot of this flow takes, if it takes one from the phrases of the language. */
  readonly badValues?: readonly [string, ...string[]];
  /** How the caller declines to answer, if the default words are a value of this flow. */
  readonly decline?: string;
  /** The verb of the flow's questions, said instead of a yes. */
  readonly echo?: string;
  /** An unrequested value for a slot that the flow does not need. */
  readonly more?: string;
  /** The caller's words if they know no answer. Default: "I do not know". */
  readonly otherwise?: Said;
  /** An unrelated question by the caller. */
  readonly question: string;
  /** By slot: the model's question for a slot that has none in the flow. */
  readonly modelAsks?: Readonly<Record<string, string>>;
  /** Consent questions of a gate or a generator, by the write that needs them. */
  readonly consents?: Readonly<Record<string, readonly string[]>>;
  /** The keys of a caller who knows the flow by heart. */
  readonly keys?: SceneKeys;
  /** Slots that decide the route through the flow. */
  readonly decides: readonly string[];
  /** Reports a write that was decided by other values; null if none was. */
  staleDecision?(write: string, args: JsonObject): string | null;
}
