import type { z } from 'zod';
import { FlowError } from '../errors.ts';
import type { ConversationFlow } from './document.ts';
import type { branchSchema, functionSchema, returnTarget } from './function.ts';
import type { FlowDefinition, GeneratorFlow } from './generator.ts';
import type { nodeSchema } from './node.ts';

type Replaced<Type, Fields> = Omit<Type, keyof Fields> & Fields;

/** Where a transition may lead: one of the flow's own nodes, or back from a digression. */
export type TargetOf<Ids extends string> = Ids | typeof returnTarget;

/** A function whose targets are the flow's own nodes. */
export type FunctionOf<Ids extends string> = Replaced<
  z.input<typeof functionSchema>,
  {
    onRefuse?: TargetOf<Ids>;
    transitionTo?:
      | TargetOf<Ids>
      | Replaced<z.input<typeof branchSchema>, { cases: Record<string, TargetOf<Ids>>; default?: TargetOf<Ids> }>;
  }
>;

/** A node whose targets and slots are the flow's own. */
export type NodeOf<Ids extends string, Slots extends string> = Replaced<
  z.input<typeof nodeSchema>,
  {
    functions?: FunctionOf<Ids>[];
    collect?: Slots[];
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
  }
>;

/**
 * Writes a flow as an async generator, which yields what is to happen: `say`, `ask`, `tool`, `handoff` and `end`. It
 * survives crashes by running again from its start, so what it does must follow from what it is given. Throws `flow-invalid`
 * for what is no flow; a yield that is none of these fails the run with `yield-invalid`, work without a yield for too long with `flow-late`.
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
 * Writes a flow in TypeScript: the document itself, its ids checked as they are typed. A `transitionTo` that names no
 * node and a `collect` that names no slot are type errors. All else is checked when the flow is loaded.
 */
export function defineFlow<const Ids extends string, const Slots extends string = never>(
  flow: FlowOf<Ids, Slots>,
): FlowOf<Ids, Slots>;
export function defineFlow(flow: FlowDefinition<never> | object): object {
  // Code that no compiler has seen may give anything.
  if (flow === null || (typeof flow !== 'function' && typeof flow !== 'object'))
    throw new FlowError('flow-invalid', 'defineFlow takes a flow, or a generator function. Give one of them.');
  // A generator function is the only function among them.
  if (typeof flow !== 'function') return flow;
  const run = flow as FlowDefinition<never>;
  return Object.freeze({ kind: 'generator', name: run.name === '' ? 'flow' : run.name, run });
}
