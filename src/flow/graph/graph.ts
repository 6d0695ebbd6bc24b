import type { WaitRequest } from '../../model/signals/wait-request.ts';
import type { DocumentPath, Problem } from '../document/problems/diagnostic.ts';
import type { HttpTool } from './http-tool.ts';
import type { Binding } from '../expression/binding.ts';
import type { Lookup, Path } from '../expression/path.ts';
import type { Pattern } from '../expression/pattern.ts';
import type { Template } from '../expression/template.ts';
import type { Wordings } from '../expression/wordings.ts';
import type { CompiledWhen } from '../expression/when.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { ContextStrategyName } from '../document/context/context-strategies.ts';
import type { ConversationDocument } from '../document/document.ts';
import type { SlotTypeName } from '../slots/slot-types.ts';
import type { TransferOutcome } from '../../model/transfer.ts';
import type { NodeType } from './nodes/node-type.ts';
import type { Reader, Speech } from '../../model/ports/reader.ts';
import type { TaskNode } from './task-graph.ts';

/**
 * A compiled flow as the kernel runs it: resolved, read-only, identified by the hash of its content. Every source
 * format (YAML, JSON, an object, another framework's format) is compiled to this.
 */
export interface Graph {
  readonly name: string;
  readonly hash: string;
  /** Built-in lines and spoken forms in its language. */
  readonly speech: Speech;
  /** Reads callers' words before the step; the kernel does not use it. */
  readonly reader: Reader;
  /** Its languages as BCP 47 tags; null for a generator, whose code chooses. */
  readonly languages: readonly string[] | null;
  /** Changes the language. Offered in every node of a flow with several languages. */
  readonly setLanguage: GraphFunction | null;
  /** Returns the flow in another of its languages, under the same hash; itself for null and other tags. */
  readonly spokenIn: (language: string | null) => Graph;
  /** The source document. Compiling it again gives an equal graph. */
  readonly document: ConversationDocument;
  readonly initial: string;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly slots: ReadonlyMap<string, GraphSlot>;
  readonly input: ReadonlyMap<string, GraphInput>;
  /** Declared variables with their initial values. */
  readonly variables: ReadonlyMap<string, Json>;
  /** Values that are computed from other names, in the order of the document. */
  readonly computed: ReadonlyMap<string, ComputedValue>;
  readonly persona: readonly Prompt[];
  /** Offered in every node; a node's own function of the same name has priority. */
  readonly functions: readonly GraphFunction[];
  /** Records any slots, including corrections. Offered with the model if the flow has slots. */
  readonly record: GraphFunction | null;
  /** The tools that the document writes down, by name. */
  readonly tools: ReadonlyMap<string, HttpTool>;
  /** The report about a conversation after its end; null if the flow defines none. */
  readonly outcome: GraphOutcome | null;
  /** How a call of the agent's side goes on until a person is on the line; null to begin at once. */
  readonly callee: GraphCallee | null;
  readonly maxTransitionsPerTurn: number;
  readonly trouble: Trouble;
  /** The target for unanswered questions and failed nodes without a more specific one. */
  readonly onTrouble: string | null;
  /** Set for a generator, which has only its yields as nodes. Null for a flow of nodes. */
  readonly generator: GeneratorRule | null;
  /**
   * Compiles a dynamic node; null if it is invalid. The default id is the hash of its content. The same document and id
   * give the same node.
   */
  dynamicNode(document: JsonObject, id?: string): GraphNode | null;
  /** Returns the problem of a dynamic node: key, fact and remedy; null if there is none. */
  dynamicNodeProblem(document: JsonObject): string | null;
  /** Converts dynamic nodes from other document forms; absent if there are none. */
  readonly nodeForms?: NodeForms | undefined;
}

/** Converts a node from another form, and reports unreadable parts. Never throws. */
export type NodeForms = (given: unknown) => { readonly value: unknown; readonly problems: readonly Problem[] };

/** The report of a conversation after its end. */
export interface GraphOutcome {
  readonly fields: readonly { readonly name: string; readonly value: Binding }[];
  /** The instruction for the model's summary; null for no summary. */
  readonly summary: string | null;
}

/** How a call of the agent's side goes on until a person is on the line. */
export interface GraphCallee {
  /** The message for a voicemail; null to leave none. */
  readonly voicemail: Wordings | null;
  /** The answer to an assistant that asks who is calling; null to hang up. */
  readonly screener: Wordings | null;
  /** The keys for a menu; null to hang up. */
  readonly keys: string | null;
  readonly holdMs: number;
  /** Further calls; null for none. */
  readonly again: { readonly afterMs: number; readonly times: number } | null;
}

export interface GeneratorRule {
  /** The flow that continues if the generator fails; null ends the conversation. */
  readonly fallback: string | null;
}

/** One state of the conversation, or (with `task`) a catalog node that runs on entry. */
export interface GraphNode {
  readonly id: string;
  /** Replaces the persona from this node on. */
  readonly persona: readonly Prompt[] | null;
  readonly messages: readonly Prompt[];
  readonly say: Wordings | null;
  /** Whether a node that only talks waits for the caller; null if the author does not specify it. */
  readonly listen: boolean | null;
  readonly functions: readonly GraphFunction[];
  /** The function to call on entry without the model; null for none. */
  readonly call: NodeCall | null;
  /** Slots to ask for, in order. */
  readonly collect: readonly string[];
  /** Slots of `collect` that are asked for on each visit, even if known. */
  readonly again: readonly string[];
  /** The menu: telephone keys with the function or the node that each leads to. */
  readonly keys: ReadonlyMap<string, string>;
  /** Slots to clear on entry. */
  readonly forget: readonly string[];
  /** Conditional ways out, in the order of evaluation. */
  readonly edges: readonly GraphEdge[];
  readonly defaultTransition: string | null;
  /** The reason for which the conversation ends here; null if it continues. */
  readonly end: string | null;
  readonly respondImmediately: boolean;
  readonly context: ContextRule;
  readonly preActions: readonly GraphAction[];
  readonly postActions: readonly GraphAction[];
  readonly task: GraphNodeTask | null;
  /** The wait for an outside event; null for a node that only waits for the caller. */
  readonly interrupt: GraphInterrupt | null;
  readonly trouble: Trouble;
}

/** A node's wait for something other than the caller's next words. */
export interface GraphInterrupt {
  /** Whether it asks the caller. */
  readonly asksCaller: boolean;
  /** The question to the caller, as a spoken text; null if the node asks another person. */
  readonly question: Wordings | null;
  /** The possible decisions, as far as the document defines them. */
  readonly options: readonly string[] | null;
  /** The catalog node whose `opens` returns the wait request, or the request itself. */
  readonly asks: GraphTask | { readonly request: WaitRequest };
  /** Lines for a silent caller and their interval; null for none. With `lines` null, the built-in lines. */
  readonly company: { readonly everyMs: number; readonly lines: Wordings | null } | null;
  /** The nodes that its deadlines, or the outcomes of a transfer, go to, with their places in the document. */
  readonly leadsTo: readonly { readonly to: string; readonly at: DocumentPath; readonly outcome?: TransferOutcome }[];
  /** The node's output from `resolution` and `actor`; null for the resolution itself. */
  readonly output: Binding | null;
  /** The wait is for the outcome of a transfer. */
  readonly isTransfer?: true;
}

/** A call that a node makes itself. */
export interface NodeCall {
  /** The name of a function that the node offers. */
  readonly function: string;
  /** Arguments by name. Other parameters take the value of the slot of the same name. */
  readonly input: Readonly<Record<string, Binding>>;
}

export interface GraphEdge {
  readonly to: string;
  /** Null: always holds, once the node's `collect` is complete. */
  readonly when: CompiledWhen | null;
  /** The edge's index in the document. */
  readonly index: number;
}

/** A function that a node offers the model. */
export interface GraphFunction {
  readonly name: string;
  readonly description: string;
  /** Minified JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /**
   * `edge` only moves and fills slots or variables; `tool` runs a handler; `flow` runs a task flow; `record` stores
   * slots; `answer` answers the open question; `language` changes the language.
   */
  readonly body: 'edge' | 'tool' | 'flow' | 'record' | 'answer' | 'language';
  /** The name of the registered tool or task flow; defaults to the function's name. */
  readonly handler: string;
  readonly write: boolean;
  /**
   * The question that needs a yes before it runs; `args` resolves to the arguments. `described` generates a question
   * from name and arguments.
   */
  readonly confirm: Wordings | 'described' | null;
  /** The target after a no; null to stay. */
  readonly onRefuse: string | null;
  /** The plain answer to the node's question that calls it, if the author defines one. */
  readonly answers: 'yes' | 'no' | null;
  readonly saveAs: string | null;
  readonly target: Target | null;
  readonly callback: string | null;
  readonly digression: boolean;
  readonly timeoutMs: number | null;
  readonly retry: { readonly maxAttempts: number; readonly backoffMs: number };
  /**
   * The caller's next words abort the call and cancel its move. Calls that are not aborted are awaited. Always false
   * for writes.
   */
  readonly cancelOnInterruption: boolean;
}

/** The target of a successful function. */
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
  /** The slot is asked for only while this holds; null for always. */
  readonly askWhen: CompiledWhen | null;
  /** The read-back, if any; `value` resolves to the slot's spoken form. */
  readonly readback: Wordings | null;
  readonly pii: boolean;
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly before: string | null;
  readonly after: string | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly pattern: Pattern | null;
  readonly region: string;
  /** The slot with the beginning of the range that this slot ends; null for none. */
  readonly ends: string | null;
  /** How telephone keys fill the slot; null if they do not. */
  readonly dtmf: KeyedDigits | null;
  readonly ladder: LadderRule;
}

/** An entry of digits by telephone keys. */
export interface KeyedDigits {
  readonly least: number;
  readonly most: number;
  /** The key that ends the entry, and the key that clears it. */
  readonly end: string;
  readonly clear: string;
  /** The pause after a key that ends the entry. */
  readonly timeoutMs: number;
}

/** A value that is computed each time it is read. */
export interface ComputedValue {
  readonly value: (lookup: Lookup) => unknown;
  /** The names that it depends on, without computed ones between. */
  readonly reads: readonly string[];
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
  /** The input with its bindings, without the type's literal keys. */
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

/** Rules for a failing model or node; null if the flow's rule applies. */
export interface Trouble {
  readonly onError: string | null;
  readonly fallback: Wordings | null;
  readonly filler: Wordings | null;
  readonly replyTimeoutMs: number | null;
  readonly ladder: LadderRule;
}

/** Rules for an unanswered question; null if the enclosing rule applies. */
export interface LadderRule {
  readonly noInputMs: number | null;
  readonly attempts: number | null;
  /** Texts instead of a repetition, one per attempt; `question` resolves to the question. */
  readonly lines: Wordings | null;
  readonly onNoInput: string | null;
  readonly onNoMatch: string | null;
}
