import type { Json, JsonObject } from '../../model/json.ts';

/** A flow for display. */
export interface FlowShown {
  readonly name: string;
  readonly hash: string;
  /** `nodes`: a graph. `generator`: code, whose yields are known only after they happened. */
  readonly kind: 'nodes' | 'generator';
  readonly initial: string;
  /** In the order of the file. */
  readonly nodes: readonly NodeShown[];
  readonly arrows: readonly ArrowShown[];
  /** Functions offered in every node; their arrows are drawn as chips. */
  readonly anywhere: readonly FunctionShown[];
  readonly slots: readonly SlotShown[];
  /** The input of `compileKept` in `studio/fold.ts`; null for a generator. */
  readonly document: Json;
  /** False if the flow uses node types of packs, which the page cannot compile. */
  readonly isFoldable: boolean;
}

/** A node for display. */
export interface NodeShown {
  readonly id: string;
  readonly kind: 'say' | 'ask' | 'model' | 'call' | 'task' | 'wait' | 'end';
  /** One line under the name: what it says, asks or calls. */
  readonly detail: string;
  readonly say: readonly string[];
  /** The prompts of the model in this node. */
  readonly prompts: readonly { readonly role: string; readonly text: string; readonly file: string | null }[];
  readonly collect: readonly string[];
  readonly functions: readonly FunctionShown[];
  /** The catalog type of a task or wait. */
  readonly type: string | null;
  /** The reason of an end. */
  readonly end: string | null;
  /** Its lines; null for a flow without a text. */
  readonly source: SourceLines | null;
}

/** Lines of a file, from 1, both inclusive. */
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
  /** Whether it leads to a node, nowhere, or where code decides. */
  readonly leads: 'on' | 'nowhere' | 'code';
}

/** A possible transition. */
export interface ArrowShown {
  /** Unique in the flow, and stable while the flow keeps its meaning. */
  readonly id: string;
  /** A node, or `*` for any node. */
  readonly from: string;
  /** A node, or `$return` to the node that the digression left. */
  readonly to: string;
  readonly kind: 'function' | 'refused' | 'condition' | 'default' | 'error' | 'deadline' | 'trouble';
  /** For display; empty for the default transition. */
  readonly label: string;
  /** The name in `transition:taken`. */
  readonly function: string | null;
  /** The index of the edge in the document and in `transition:taken`. */
  readonly edge: number | null;
  readonly source: SourceLines | null;
}

/** A declared slot. */
export interface SlotShown {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly ask: readonly string[];
  readonly isOptional: boolean;
  readonly isPersonal: boolean;
  readonly source: SourceLines | null;
}
