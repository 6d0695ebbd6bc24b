import type { z } from 'zod';
import type { Lookup } from '../../expression/path.ts';
import type { When } from '../../expression/when.ts';
import type { EffectKey } from '../../../model/effect.ts';
import type { Json, JsonObject } from '../../../model/json.ts';
import type { Answer } from '../../../model/ports/channel.ts';
import type { EndedOutcome } from '../../../model/ports/executor.ts';
import type { Hub } from '../../../model/ports/hub.ts';
import type { Log } from '../../../model/ports/log.ts';
import type { Metrics } from '../../../model/ports/metrics.ts';
import type { Model, ModelTool } from '../../../model/ports/model.ts';
import type { Clock, Ids, Random } from '../../../model/ports/time.ts';
import type { Cache, SessionValues } from '../../../model/ports/values.ts';
import type { WaitRequest } from '../../../model/signals/wait-request.ts';

/** The context of an evaluation, besides its input. */
export interface EvaluateContext {
  /** Resolves a name as templates do: slots, variables, node outputs, input. */
  readonly lookup: Lookup;
}

/** The result of a pure node. */
export type Evaluation<Output = Json> = { readonly ok: true; readonly output: Output } | Failed;

/** The failure of a pure node. The `message` goes to the author's logs, not to the caller. */
export interface Failed {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
}

/** A value of a schema as JSON, read-only: the parts that the schema leaves open may hold any JSON. */
export type JsonIn<Value> = JsonObject extends Value
  ? Extract<Json, Value>
  : Value extends readonly (infer Member)[]
    ? readonly JsonIn<Member>[]
    : Value extends object
      ? { readonly [Key in keyof Value]: JsonIn<Value[Key]> }
      : Value;

/** The context of a running node. It is the only access to time, randomness and the outside world. */
export interface RunContext extends EvaluateContext {
  /** New for every invocation: each attempt and each repetition has its own. */
  readonly runId: string;
  /** The effect's key, stable across crashes, so a repeated write can be recognized. */
  readonly key: EffectKey;
  /** Start time in epoch milliseconds, stable across crashes, so a wait continues with its remaining time. */
  readonly beganAt: number;
  /** Keys in camelCase, accepted by the type's own `config`. */
  readonly config: JsonObject;
  /** The text of the node's prompt file, filled in; empty without one. */
  readonly prompt: string;
  /** Aborts when the output is no longer needed; never for a running write. */
  readonly signal: AbortSignal;
  /** Adds the ids of session and node to events; an agent adds its `runId`. */
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly cache: Cache;
  readonly state: SessionValues;
  /** Returns the model of a name, or the default one. Throws a FlowError `model-missing`. */
  model(name?: string): Model;
  /** Returns a registered tool; null if the name is unknown. */
  tool(name: string): NodeTool | null;
  /**
   * Returns the next message to this run, or null once the run is closed, its turns are used (`maxTurns` of the config),
   * or none arrives in time (`turnTimeoutMs`). Messages since the beginning of the run are kept, for a type with
   * `supportsMultiTurn`; other types get null. Throws `aborted`.
   */
  nextMessage(): Promise<string | null>;
  /** Asks a person through the attached channel and returns the answer; absent without a channel. */
  ask?(question: Question): Promise<string | Answer>;
  /** Runs a registered flow to its outputs, by node id. Throws the FlowError of its failure, or `flow-unknown`. */
  runFlow(name: string, input: JsonObject): Promise<JsonObject>;
  /**
   * Runs the node's `body` and returns its outputs by node id. `names` are additional names for the body. `index`
   * identifies the repetition. Throws the FlowError of its failure.
   */
  runBody?(index: number, names: JsonObject): Promise<JsonObject>;
}

/** A question to a person, with its possible answers. */
export interface Question {
  readonly prompt: string;
  /** Empty if any answer is accepted. */
  readonly choices: readonly string[];
  /** Whether other words than the choices are an answer as well. If absent, the node itself judges what it is given. */
  readonly takesText?: boolean;
}

/** A registered function for calls by a node. */
export interface NodeTool extends ModelTool {
  /** The function is a write: once begun it is awaited. */
  readonly writes?: boolean;
  /**
   * Runs it with arguments as a model wrote them, which must be JSON that meets its schema. Throws nothing. The key
   * identifies the call within the node and is the idempotency key of a write.
   */
  execute(key: EffectKey, rawArguments: string, signal: AbortSignal): Promise<EndedOutcome>;
}

/** Properties of a type for the engine, which never depends on the type's name. */
export interface NodeCapabilities {
  /** It calls a model and receives messages to its `runId` as `session:message` and `session:close`. */
  readonly isAgent?: boolean;
  readonly supportsMultiTurn?: boolean;
  readonly isStreaming?: boolean;
  /** It always fails, so it needs no successor and no retry. */
  readonly fails?: boolean;
  /** It cannot fail with a valid input, so a flow needs no way out of a failure. */
  readonly neverFails?: boolean;
  /**
   * It is a write: once begun it is awaited regardless of its time limit, it never runs twice at the same time, and its
   * key is the idempotency key. A document can declare the same for a node with `effect: write`.
   */
  readonly writes?: boolean;
  /** It asks a person, so a channel that can ask must be attached. */
  readonly asksPerson?: boolean;
}

/** A part of a node's input that reads names of the flow itself: a condition, or a text that the type fills. */
export type NameReader = {
  /** Keys and indexes from the input. */
  readonly at: readonly (string | number)[];
  /** Names that exist only in this part. */
  readonly local?: readonly string[];
} & ({ readonly when: When } | { readonly template: string });

/** A problem in a part of a node's input, with a remedy. */
export interface InputFault {
  /** Keys and indexes from the input. */
  readonly at: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

interface NodeTypeBase<Input extends z.ZodType, Output extends z.ZodType> {
  /** `family.name`, the same in every document. */
  readonly name: string;
  /** One sentence for editors. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Input keys that are not bound: the type fills their templates itself. */
  readonly literal?: readonly string[];
  /** The input key with the name of the registered flow that it runs. */
  readonly runsFlow?: string;
  /** Schema of the node's `config`, with camelCase keys; absent if the type takes none. */
  readonly config?: z.ZodType;
  readonly capabilities?: NodeCapabilities;
  /**
   * Returns whether it waits for all incoming edges or runs once at the first that fires; default `all`. Here and in
   * `bodyNames`, defaults may be missing, and bound values are template texts.
   */
  waitsFor?(input: z.output<Input>): 'all' | 'any';
  /** The type repeats the node's `body`, which is then required. Returns the additional names in the body. */
  bodyNames?(input: z.output<Input>): readonly string[];
  /** Returns problems of a valid input beyond its schema. Bound values are template texts. */
  faults?(input: z.output<Input>): readonly InputFault[];
  /** Returns the parts of a valid input that read names besides its bindings, so these names are checked too. */
  reads?(input: z.output<Input>): readonly NameReader[];
}

/** A node that is computed inside the step: the same input and names give the same output. */
export interface PureNodeType<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends NodeTypeBase<Input, Output> {
  evaluate(input: z.output<Input>, context: EvaluateContext): Evaluation<Json & JsonIn<z.output<Output>>>;
}

/** A node that is an effect: it takes time and can fail. It should throw a FlowError, whose code becomes the failure's. */
export interface RunningNodeType<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends NodeTypeBase<Input, Output> {
  run(input: z.output<Input>, context: RunContext): Promise<z.output<Output>>;
  /** Returns the wait that replaces running in a stored task flow, so no process is occupied; null to run. */
  opens?(input: z.output<Input>): WaitRequest | null;
  /** Returns the output for the end of such a wait. The resolution is empty if its time has come. */
  resolved?(resolution: JsonObject, waitedMs: number): z.output<Output>;
  /** Returns whether it asks a person outside the run instead of a channel. Bound values are arbitrary texts. */
  asksOutside?(input: z.output<Input>): boolean;
}

/** A node that waits for a person, a time or an event without running code. */
export interface WaitingNodeType<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends NodeTypeBase<Input, Output> {
  opens(input: z.output<Input>): WaitRequest;
  /** In a conversation it says lines, and a silent caller hears further ones. */
  readonly interrupts: true;
  /** Returns whether it asks the caller. */
  asksCaller?(input: z.output<Input>): boolean;
  /** Returns the possible decisions. Bound values are template texts. */
  options?(input: z.output<Input>): readonly string[];
}

/** A node type: computed within the step (`evaluate`), run as an effect (`run`), or a wait (`opens`). */
export type NodeType = PureNodeType | RunningNodeType | WaitingNodeType;

/**
 * Declares a node type; its input and output are typed by their schemas. Throws nothing: `createCatalog` reports
 * problems.
 *
 * @example
 * defineNodeType({
 *   name: 'shop.price',
 *   description: 'Doubles a price.',
 *   input: z.object({ price: z.number() }),
 *   output: z.object({ price: z.number() }),
 *   evaluate: ({ price }) => ({ ok: true, output: { price: price * 2 } }),
 * });
 */
export function defineNodeType<Input extends z.ZodType, Output extends z.ZodType>(
  type: PureNodeType<Input, Output>,
): PureNodeType<Input, Output>;
export function defineNodeType<Input extends z.ZodType, Output extends z.ZodType>(
  type: RunningNodeType<Input, Output>,
): RunningNodeType<Input, Output>;
export function defineNodeType<Input extends z.ZodType, Output extends z.ZodType>(
  type: WaitingNodeType<Input, Output>,
): WaitingNodeType<Input, Output>;
// If none fits, the compiler quotes the last overload: with all three kinds it names the function that is wrong.
export function defineNodeType<Input extends z.ZodType, Output extends z.ZodType>(
  type: PureNodeType<Input, Output> | RunningNodeType<Input, Output> | WaitingNodeType<Input, Output>,
): NodeType;
export function defineNodeType(type: NodeType): NodeType {
  return Object.freeze(type);
}
