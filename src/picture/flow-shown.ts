import type { Json, JsonObject } from '../events/json.ts';

/** A flow as it is drawn and looked into. */
export interface FlowShown {
  readonly name: string;
  readonly hash: string;
  /** `nodes`: a graph; `generator`: code, whose yields are only known once they have happened. */
  readonly kind: 'nodes' | 'generator';
  readonly initial: string;
  /** In the order of the file. */
  readonly nodes: readonly NodeShown[];
  readonly arrows: readonly ArrowShown[];
  /** Functions offered in every node; their arrows are drawn as chips. */
  readonly anywhere: readonly FunctionShown[];
  readonly slots: readonly SlotShown[];
  /** What `compileKept` of `studio/fold.ts` takes; null for a generator. */
  readonly document: Json;
  /** The flow has node types of packs: the page cannot compile it. */
  readonly isFoldable: boolean;
}

/** A node as it is drawn. */
export interface NodeShown {
  readonly id: string;
  readonly kind: 'say' | 'ask' | 'model' | 'call' | 'task' | 'wait' | 'end';
  /** One line under its name: what is said, asked, called. */
  readonly detail: string;
  readonly say: readonly string[];
  /** What the model is told here. */
  readonly prompts: readonly { readonly role: string; readonly text: string; readonly file: string | null }[];
  readonly collect: readonly string[];
  readonly functions: readonly FunctionShown[];
  /** The catalog type of a task or wait. */
  readonly type: string | null;
  /** The reason of an end. */
  readonly end: string | null;
  /** Where it stands; null for a flow that is no text. */
  readonly source: SourceLines | null;
}

/** A stretch of a file, lines from 1, both included. */
export interface SourceLines {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** A function that a node offers. */
export interface FunctionShown {
  readonly name: string;
  readonly description: string;
  readonly body: 'edge' | 'tool' | 'flow' | 'record' | 'answer' | 'language';
  readonly parameters: JsonObject;
  readonly write: boolean;
  readonly confirms: boolean;
  readonly digression: boolean;
  /** Leads nowhere, or where code says. */
  readonly leads: 'on' | 'nowhere' | 'code';
}

/** A possible transition. */
export interface ArrowShown {
  /** Unique in the flow, and the same while the flow means the same. */
  readonly id: string;
  /** A node, or `*`: from anywhere. */
  readonly from: string;
  /** A node, or `$return`: back to where the digression came from. */
  readonly to: string;
  readonly kind: 'function' | 'refused' | 'condition' | 'default' | 'error' | 'deadline' | 'trouble';
  /** For people; empty for the default way. */
  readonly label: string;
  /** As `transition:taken` names it. */
  readonly function: string | null;
  /** The edge's index in the document, as `transition:taken` names it. */
  readonly edge: number | null;
  readonly source: SourceLines | null;
}

/** A slot as it is declared. */
export interface SlotShown {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly ask: readonly string[];
  readonly isOptional: boolean;
  readonly isPersonal: boolean;
  readonly source: SourceLines | null;
}
