import type { WaitRequest } from '../../model/signals/wait-request.ts';
import type { DocumentPath, Problem } from '../document/problems/diagnostic.ts';
import type { Binding } from '../expression/binding.ts';
import type { Path } from '../expression/path.ts';
import type { Pattern } from '../expression/pattern.ts';
import type { Template } from '../expression/template.ts';
import type { Wordings } from '../expression/wordings.ts';
import type { CompiledWhen } from '../expression/when.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { ContextStrategyName } from '../document/context/context-strategies.ts';
import type { ConversationDocument } from '../document/document.ts';
import type { SlotTypeName } from '../slots/slot-types.ts';
import type { NodeType } from './nodes/node-type.ts';
import type { Reader, Speech } from '../../model/ports/reader.ts';
import type { TaskNode } from './task-graph.ts';

/**
 * A flow as the kernel runs it: resolved, read-only, and identified by the hash of its content. However a flow was
 * written (YAML, JSON, an object, another framework's format), it ends as one of these.
 */
export interface Graph {
  readonly name: string;
  readonly hash: string;
  /** What it says by itself, in its language. */
  readonly speech: Speech;
  /** Reads what callers say, before the step: the kernel asks it nothing. */
  readonly reader: Reader;
  /** The languages that it can be held in, as BCP 47 tags; null for a generator, whose own code speaks. */
  readonly languages: readonly string[] | null;
  /** Offered in every node of a flow that lists its languages: goes on in another one. */
  readonly setLanguage: GraphFunction | null;
  /** The same flow, under the same hash, as it is held in another of its languages; itself for null and for any other. */
  readonly spokenIn: (language: string | null) => Graph;
  /** What it was compiled from; compiling it again gives an equal graph. */
  readonly document: ConversationDocument;
  readonly initial: string;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly slots: ReadonlyMap<string, GraphSlot>;
  readonly input: ReadonlyMap<string, GraphInput>;
  /** Variables that the document declares, with their first values. */
  readonly variables: ReadonlyMap<string, Json>;
  readonly persona: readonly Prompt[];
  /** Offered in every node; a node's own function of the same name wins. */
  readonly functions: readonly GraphFunction[];
  /** Offered where the model is called, if the flow has slots: takes any of them, also as corrections. */
  readonly record: GraphFunction | null;
  readonly maxTransitionsPerTurn: number;
  readonly trouble: Trouble;
  /** Where a question leads that is not answered, or a node that fails, and nothing else says where. */
  readonly onTrouble: string | null;
  /** A generator's: it has no nodes but its yields. Null for a flow of nodes. */
  readonly generator: GeneratorRule | null;
  /**
   * Compiles a node that a handler made on the spot; null where it is broken. Without an id it is called by the hash of
   * its content. Same document and id, same node.
   */
  dynamicNode(document: JsonObject, id?: string): GraphNode | null;
  /** What is wrong with such a node: key, fact and remedy; null where nothing is. */
  dynamicNodeProblem(document: JsonObject): string | null;
  /** Brings such a node into our own form; as it is given where nothing reads other forms. */
  readonly nodeForms?: NodeForms | undefined;
}

/** Brings a node in another form into our own, with what cannot be read of it. Never throws. */
export type NodeForms = (given: unknown) => { readonly value: unknown; readonly problems: readonly Problem[] };

export interface GeneratorRule {
  /** The flow that goes on where the generator cannot; null ends the conversation. */
  readonly fallback: string | null;
}

/** One state of the conversation, or (with `task`) one catalog node that runs on entry. */
export interface GraphNode {
  readonly id: string;
  /** Replaces the persona from this node on. */
  readonly persona: readonly Prompt[] | null;
  readonly messages: readonly Prompt[];
  readonly say: Wordings | null;
  /** Whether a node that only talks waits for the caller; null where the author does not say. */
  readonly listen: boolean | null;
  readonly functions: readonly GraphFunction[];
  /** What is called on entry, without the model; null for a node that leaves that to the model. */
  readonly call: NodeCall | null;
  /** Slots to ask for, in order. */
  readonly collect: readonly string[];
  /** Those of `collect` that are asked for on each visit, also where they are known. */
  readonly again: readonly string[];
  /** Slots that are forgotten on entry. */
  readonly forget: readonly string[];
  /** Ways out by condition, in the order they are tried. */
  readonly edges: readonly GraphEdge[];
  readonly defaultTransition: string | null;
  /** The reason for which the conversation ends here; null where it goes on. */
  readonly end: string | null;
  readonly respondImmediately: boolean;
  readonly context: ContextRule;
  readonly preActions: readonly GraphAction[];
  readonly postActions: readonly GraphAction[];
  readonly task: GraphNodeTask | null;
  /** What it waits for that does not come through the call; null for a node that waits for the caller alone. */
  readonly interrupt: GraphInterrupt | null;
  readonly trouble: Trouble;
}

/** What a node waits for besides the caller. */
export interface GraphInterrupt {
  /** It asks the caller, and nobody else. */
  readonly asksCaller: boolean;
  /** The question to the caller, as a spoken text; null if the node asks another person. */
  readonly question: Wordings | null;
  /** The decisions to choose from, as far as the document tells. */
  readonly options: readonly string[] | null;
  /** The catalog node whose `opens` tells what that is, or that itself where it is known already. */
  readonly asks: GraphTask | { readonly request: WaitRequest };
  /** What is said to a caller who is silent meanwhile, and how often; null where nothing is. `lines` null: the product's own. */
  readonly company: { readonly everyMs: number; readonly lines: Wordings | null } | null;
  /** The nodes that its deadlines go to, and where in the document that stands. */
  readonly leadsTo: readonly { readonly to: string; readonly at: DocumentPath }[];
  /** The node's output, made of `resolution` and `actor`; null for the resolution as it is. */
  readonly output: Binding | null;
}

/** A call that a node makes by itself. */
export interface NodeCall {
  /** The name of one of the functions that the node offers. */
  readonly function: string;
  /** Arguments by name; a parameter without one takes the value of the slot of its name. */
  readonly input: Readonly<Record<string, Binding>>;
}

export interface GraphEdge {
  readonly to: string;
  /** Absent: holds always, once the node's `collect` is complete. */
  readonly when: CompiledWhen | null;
  /** The edge's index in the document. */
  readonly index: number;
}

/** Something a node offers the model. */
export interface GraphFunction {
  readonly name: string;
  readonly description: string;
  /** Minified JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /**
   * `edge` only moves and fills slots or variables; `tool` runs a handler; `flow` runs a task flow; `record` keeps slots;
   * `answer` settles the question that is open; `language` goes on in another language.
   */
  readonly body: 'edge' | 'tool' | 'flow' | 'record' | 'answer' | 'language';
  /** The registered tool's or task flow's name; the function's own where it names no other. */
  readonly handler: string;
  readonly write: boolean;
  /**
   * The question that must be answered by yes before it runs; `args` resolves to the arguments. `described` asks by
   * the function's description and arguments.
   */
  readonly confirm: Wordings | 'described' | null;
  /** Where a no to that question leads; null where it leaves the conversation where it is. */
  readonly onRefuse: string | null;
  /** The plain answer to the node's question that calls it, where the author says so. */
  readonly answers: 'yes' | 'no' | null;
  readonly saveAs: string | null;
  readonly target: Target | null;
  readonly callback: string | null;
  readonly digression: boolean;
  readonly timeoutMs: number | null;
  readonly retry: { readonly maxAttempts: number; readonly backoffMs: number };
  /** The caller's next words abort it and void its move; a call that is not aborted is waited for. Never of a write. */
  readonly cancelOnInterruption: boolean;
}

/** Where a function that succeeded leads. */
export type Target =
  | { readonly kind: 'node'; readonly to: string }
  | {
      readonly kind: 'branch';
      readonly field: Path;
      readonly cases: ReadonlyMap<string, string>;
      readonly otherwise: string | null;
    };

export interface GraphSlot {
  readonly name: string;
  readonly type: SlotTypeName;
  readonly description: string;
  readonly ask: Wordings | null;
  readonly optional: boolean;
  /** The read-back, if one is asked for; `value` resolves to the slot's spoken form. */
  readonly readback: Wordings | null;
  readonly pii: boolean;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly before: string | null;
  readonly after: string | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly pattern: Pattern | null;
  readonly region: string;
  readonly ladder: LadderRule;
}

export interface GraphInput {
  readonly name: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';
  readonly required: boolean;
  readonly default: Json | undefined;
}

export interface GraphAction {
  readonly type: string;
  readonly text: Wordings | null;
  readonly handler: string | null;
  readonly data: Binding;
}

export interface GraphTask {
  readonly type: NodeType;
  /** The input with its bindings, but for what the type takes as it stands. */
  readonly input: Binding;
  readonly literal: Readonly<Record<string, unknown>>;
  readonly config: JsonObject;
}

/** A catalog node of a conversation. */
export interface GraphNodeTask extends GraphTask, Pick<TaskNode, 'prompt' | 'policy' | 'writes' | 'body'> {}

export interface Prompt {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: Template;
}

export interface ContextRule {
  readonly strategy: ContextStrategyName;
  readonly summaryPrompt: string;
}

/** What happens when the model or a node fails; null where the flow's own rule holds. */
export interface Trouble {
  readonly onError: string | null;
  readonly fallback: Wordings | null;
  readonly filler: Wordings | null;
  readonly replyTimeoutMs: number | null;
  readonly ladder: LadderRule;
}

/** What is done about a question that is not answered; null where the rule of what it is part of holds. */
export interface LadderRule {
  readonly noInputMs: number | null;
  readonly attempts: number | null;
  /** What is said instead of repeating the question, one for each attempt; `question` resolves to it. */
  readonly lines: Wordings | null;
  readonly onNoInput: string | null;
  readonly onNoMatch: string | null;
}
