import type { z } from 'zod';
import type { Lookup } from '../expression/path.ts';
import type { When } from '../expression/when.ts';
import type { Json, JsonObject } from '../events/json.ts';
import type { Hub } from '../ports/hub.ts';
import type { Model } from '../ports/model.ts';
import type { Clock, Ids, Random } from '../ports/time.ts';

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
export interface RunContext {
  readonly runId: string;
  readonly key: string;
  readonly config: JsonObject;
  readonly signal: AbortSignal;
  readonly lookup: Lookup;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly model?: Model;
}

/** What the engine needs to know of a type, so that it never asks for its name. */
export interface NodeCapabilities {
  readonly isAgent?: boolean;
  readonly supportsMultiTurn?: boolean;
  readonly isStreaming?: boolean;
  /** It always fails, so nothing needs to follow it. */
  readonly fails?: boolean;
}

/** A part of a node's input that reads names of the flow by itself: a condition, or a text that the type fills in. */
export type NameReader = {
  /** Keys and indexes from the input. */
  readonly at: readonly (string | number)[];
  /** Names that are known in this part only. */
  readonly local?: readonly string[];
} & ({ readonly when: When } | { readonly template: string });

interface NodeTypeBase<Input extends z.ZodType, Output extends z.ZodType> {
  /** `family.name`, the same in every document. */
  readonly name: string;
  /** One sentence, shown by an editor. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Keys of the input that are taken as they stand: the type itself fills in their templates. */
  readonly literal?: readonly string[];
  readonly capabilities?: NodeCapabilities;
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

/** A node that is an effect: it takes time, and may fail. A throw is its failure. */
export interface RunningNodeType<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> extends NodeTypeBase<Input, Output> {
  run(input: z.output<Input>, context: RunContext): Promise<z.output<Output>>;
}

export type NodeType = PureNodeType | RunningNodeType;

/** Declares a node type; its input and output are typed by their schemas. */
export function defineNodeType<Input extends z.ZodType, Output extends z.ZodType>(
  type: PureNodeType<Input, Output>,
): PureNodeType<Input, Output>;
export function defineNodeType<Input extends z.ZodType, Output extends z.ZodType>(
  type: RunningNodeType<Input, Output>,
): RunningNodeType<Input, Output>;
export function defineNodeType(type: NodeType): NodeType {
  return Object.freeze(type);
}
