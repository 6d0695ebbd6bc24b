import type { z } from 'zod';
import { FlowError } from '../../model/errors.ts';
import type { ConversationFlow } from './document.ts';
import type { functionSchema, returnTarget } from './function.ts';
import type { FlowDefinition, GeneratorFlow } from './generator.ts';
import type { nodeSchema } from './node.ts';

type Replaced<Type, Fields> = Omit<Type, keyof Fields> & Fields;

/** The target of a transition: a node of the flow, or the return from a digression. */
export type TargetOf<Ids extends string> = Ids | typeof returnTarget;

/** A target by a field of the function's result. */
interface BranchOf<Ids extends string> {
  readonly field: string;
  readonly cases: Readonly<Record<string, TargetOf<Ids>>>;
  readonly default?: TargetOf<Ids>;
}

/** A function whose targets are nodes of the flow. */
export type FunctionOf<Ids extends string> = Replaced<
  z.input<typeof functionSchema>,
  { onRefuse?: TargetOf<Ids>; transitionTo?: TargetOf<Ids> | BranchOf<Ids> }
>;

/** A node whose targets and slots belong to the flow. */
export type NodeOf<Ids extends string, Slots extends string> = Replaced<
  z.input<typeof nodeSchema>,
  {
    functions?: FunctionOf<Ids>[];
    collect?: (Slots | { readonly slot: Slots; readonly again?: boolean })[];
    forget?: Slots[];
    defaultTransition?: TargetOf<Ids>;
    onError?: Ids;
  }
>;

/** A conversation flow whose ids are known to the compiler. */
export type FlowOf<Ids extends string, Slots extends string> = Replaced<
  ConversationFlow,
  {
    initialNode: NoInfer<Ids>;
    slots?: { [Slot in Slots]: NonNullable<ConversationFlow['slots']>[string] };
    nodes: { [Id in Ids]: NodeOf<NoInfer<Ids>, NoInfer<Slots>> };
    functions?: FunctionOf<NoInfer<Ids>>[];
    edges?: Replaced<
      NonNullable<ConversationFlow['edges']>[number],
      { from: NoInfer<Ids>; to: TargetOf<NoInfer<Ids>> }
    >[];
    onError?: NoInfer<Ids>;
    onTrouble?: NoInfer<Ids>;
  }
>;

/**
 * As part of a parameter's type: infers `Type` from the argument with all its literals, and demands nothing. The compiler
 * then checks the argument by the other parts alone, and names the key that is wrong.
 */
type Inferred<Type> = [Type] extends [never] ? Type : object;

/**
 * Defines a flow as an async generator that yields its steps: `say`, `ask`, `tool`, `handoff` and `end`. After a crash it
 * runs again from its start, so its yields must depend only on its input and answers. Throws `flow-invalid` for a value that
 * is not a flow. An unknown yield fails the run with `yield-invalid`, and work without a yield for too long with `flow-late`.
 *
 * @example
 * export default defineFlow(async function* greeting() {
 *   const name = yield* ask({ key: 'name', text: 'Who is calling?' });
 *   yield* say(`Hello, ${name}.`);
 * });
 */
export function defineFlow<Resources = Readonly<Record<string, unknown>>>(
  run: FlowDefinition<Resources>,
): GeneratorFlow;
/**
 * Defines a flow in TypeScript: the document, with its ids checked by the compiler. A `transitionTo` without a matching
 * node and a `collect` without a matching slot are type errors. The loader checks the rest. The type of the result has all
 * names of the flow: `FlowRunner` and `FlowToolContext` check nodes, slots, inputs and tools by it.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- inferred from the keys that the values must name
export function defineFlow<const Flow, const Ids extends string, const Slots extends string = never>(
  flow: FlowOf<Ids, Slots> & Inferred<Flow>,
): Flow;
export function defineFlow(flow: FlowDefinition<never> | object): object {
  // JavaScript may pass any value.
  if (flow === null || (typeof flow !== 'function' && typeof flow !== 'object'))
    throw new FlowError('flow-invalid', 'defineFlow takes a flow, or a generator function. Give one of them.');
  // A function here is always a generator function.
  if (typeof flow !== 'function') return flow;
  const run = flow as FlowDefinition<never>;
  return Object.freeze({ kind: 'generator', name: run.name === '' ? 'flow' : run.name, run });
}
