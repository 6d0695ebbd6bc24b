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

/** What an evaluation may look at besides its own input. */
export interface EvaluateContext {
  /** Resolves a name as templates do: slots, variables, node outputs, input. */
  readonly lookup: Lookup;
}

/** How a pure node ended; `message` of a failure goes to the author's logs, not to the caller. */
export type Evaluation =
  | { readonly ok: true; readonly output: Json }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** What a running node has at hand. All of time, chance and the world comes through here. */
export interface RunContext extends EvaluateContext {
  /** Fresh for every invocation: attempts and repetitions of one node have each their own. */
  readonly runId: string;
  /** The effect's key: the same again after a crash, so that a write can be told from its repetition. */
  readonly key: EffectKey;
  /** When it began, in epoch milliseconds: the same again after a crash, so that a wait goes on with the rest of its time. */
  readonly beganAt: number;
  /** Keys in camelCase, accepted by the type's own `config`. */
  readonly config: JsonObject;
  /** The text of the node's prompt file, filled in; empty where it has none. */
  readonly prompt: string;
  /** Aborts when nobody waits for the output any more: never of a write, while it is under way. */
  readonly signal: AbortSignal;
  /** What is emitted carries the ids of session and node; an agent adds its `runId`. */
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly cache: Cache;
  readonly state: SessionValues;
  /** The model of a name, or the usual one. Throws a FlowError `model-missing`. */
  model(name?: string): Model;
  /** A registered tool; null where there is none of this name. */
  tool(name: string): NodeTool | null;
  /** Asks a person through the attached channel and gives what they said; absent where no channel is attached. */
  ask?(question: Question): Promise<string | Answer>;
  /** Runs a registered flow to its outputs, by node id. Throws the FlowError of its failure, or `flow-unknown`. */
  runFlow(name: string, input: JsonObject): Promise<JsonObject>;
  /**
   * Runs the node's `body` to its outputs, by node id, with names of its own beside all that the node itself sees.
   * `index` tells the repetitions of one node apart. Throws the FlowError of its failure.
   */
  runBody?(index: number, names: JsonObject): Promise<JsonObject>;
}

/** What a person is asked, and how they may answer. */
export interface Question {
  readonly prompt: string;
  /** Empty where any answer will do. */
  readonly choices: readonly string[];
  /** Whether other words than the choices are an answer as well. If absent, the node itself judges what it is given. */
  readonly takesText?: boolean;
}

/** A registered function as a node may call it. */
export interface NodeTool extends ModelTool {
  /** It changes the world: once begun it is waited for. */
  readonly writes?: boolean;
  /**
   * Runs it with arguments as a model wrote them, which must be JSON of its schema. Throws nothing. The key tells the
   * calls of one node apart, and is the idempotency key of a write.
   */
  execute(key: EffectKey, rawArguments: string, signal: AbortSignal): Promise<EndedOutcome>;
}

/** What the engine needs to know of a type, so that it never asks for its name. */
export interface NodeCapabilities {
  /** It calls a model, and messages to its `runId` reach it as `session:message` and `session:close`. */
  readonly isAgent?: boolean;
  readonly supportsMultiTurn?: boolean;
  readonly isStreaming?: boolean;
  /** It always fails, so nothing needs to follow it; trying again is no use. */
  readonly fails?: boolean;
  /** Given its input it cannot fail, so a flow needs no way on from a failure. */
  readonly neverFails?: boolean;
  /**
   * It changes the world: once begun it is waited for whatever its time limit says, it never runs beside itself, and its key
   * is the idempotency key. A document may say the same of a node, by `effect: write`.
   */
  readonly writes?: boolean;
  /** It asks a person, so a channel that can ask must be attached. */
  readonly asksPerson?: boolean;
}

/** A part of a node's input that reads names of the flow by itself: a condition, or a text that the type fills in. */
export type NameReader = {
  /** Keys and indexes from the input. */
  readonly at: readonly (string | number)[];
  /** Names that are known in this part only. */
  readonly local?: readonly string[];
} & ({ readonly when: When } | { readonly template: string });

/** What is wrong with a part of a node's input, and the way out. */
export interface InputFault {
  /** Keys and indexes from the input. */
  readonly at: readonly (string | number)[];
  readonly message: string;
  readonly hint: string;
}

interface NodeTypeBase<Input extends z.ZodType, Output extends z.ZodType> {
  /** `family.name`, the same in every document. */
  readonly name: string;
  /** One sentence, shown by an editor. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Keys of the input that are taken as they stand: the type itself fills in their templates. */
  readonly literal?: readonly string[];
  /** The key of the input that names the registered flow which it runs. */
  readonly runsFlow?: string;
  /** What the node's `config` may hold, keys in camelCase; a type without it takes none. */
  readonly config?: z.ZodType;
  readonly capabilities?: NodeCapabilities;
  /**
   * Whether it waits for all edges that lead to it, or runs once at the first that fires. All where absent. Here and in
   * `bodyNames` defaults may be missing, and what is bound is still the text of its template.
   */
  waitsFor?(input: z.output<Input>): 'all' | 'any';
  /** The type repeats the node's `body`, which it then must have; gives the names that only the body knows. */
  bodyNames?(input: z.output<Input>): readonly string[];
  /** What is wrong with a sound input besides its schema; what is bound is still the text of its template. */
  faults?(input: z.output<Input>): readonly InputFault[];
  /** What of a sound input reads names besides its bindings, so that those names are checked as well. */
  reads?(input: z.output<Input>): readonly NameReader[];
}

/** A node that is computed inside the step: same input and names, same output. */
export interface PureNodeType<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends NodeTypeBase<Input, Output> {
  evaluate(input: z.output<Input>, context: EvaluateContext): Evaluation;
}

/** A node that is an effect: it takes time, and may fail. What it throws is a FlowError, whose code is the failure's. */
export interface RunningNodeType<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends NodeTypeBase<Input, Output> {
  run(input: z.output<Input>, context: RunContext): Promise<z.output<Output>>;
  /** What a task flow that a store keeps waits for in place of running it, so that nothing is held; null where it is run. */
  opens?(input: z.output<Input>): WaitRequest | null;
  /** The output that the end of such a wait is, which is an empty resolution where its time has come. */
  resolved?(resolution: JsonObject, waitedMs: number): z.output<Output>;
  /** Whether it is somebody outside of the run who is asked, and no channel. What is bound is any text. */
  asksOutside?(input: z.output<Input>): boolean;
}

/** A node that waits for a person, a time or an event: nothing runs meanwhile. */
export interface WaitingNodeType<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends NodeTypeBase<Input, Output> {
  opens(input: z.output<Input>): WaitRequest;
  /** In a conversation it says lines, and the caller is kept company. */
  readonly interrupts: true;
  /** Whether it is the caller who is asked. */
  asksCaller?(input: z.output<Input>): boolean;
  /** The decisions to choose from; what is bound is still the text of its template. */
  options?(input: z.output<Input>): readonly string[];
}

/** A type of node: computed within the step (`evaluate`), run as an effect (`run`), or waited for (`opens`). */
export type NodeType = PureNodeType | RunningNodeType | WaitingNodeType;

/**
 * Declares a node type; its input and output are typed by their schemas. Throws nothing: `createCatalog` tells what is
 * wrong with it.
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
export function defineNodeType(type: NodeType): NodeType {
  return Object.freeze(type);
}
