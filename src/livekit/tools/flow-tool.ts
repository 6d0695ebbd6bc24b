import { llm } from '@livekit/agents';
import { z } from 'zod';
import { FlowError } from '../../model/errors.ts';
import type { ReadableNameOf, SettableNameOf, ValueOf } from './flow-names.ts';
import type { JsonObject } from '../../model/json.ts';
import { type FunctionTool, markWriting } from './function-tool.ts';
import { next, type NextNode, unlessError, type ValueAndNext, valueOf } from './next.ts';
import { parsedArguments } from './parse-arguments.ts';
import { toolFaults } from './tool-faults.ts';
import { sameNameFault } from './tool-names.ts';
import { type FlowRun, keepFlowRun, registeredTools, registerTool } from './tool-registry.ts';

/**
 * Context of a flow's function, besides its arguments. With the type of a flow, its names are checked:
 * `execute: ({ day }, context: FlowToolContext<typeof desk>) => context.get('guests')`.
 */
export interface FlowToolContext<Flow = string> {
  /** The idempotency key: the same for every attempt of this call, including after a crash. */
  readonly key: string;
  /** 1 for the first attempt of this call. Counts on after a crash; an attempt that may have been cut off counts. */
  readonly attempt: number;
  /** Aborts when the attempt times out or its result is no longer awaited. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly node: string;
  /** Returns a slot, variable, node output or input by name, as templates see it. */
  get<Name extends ReadableNameOf<Flow>>(name: Name): ValueOf<Flow, Name> | undefined;
  /**
   * Sets a slot (checked against its rules; null clears it) or a variable. Templates and conditions read it once the
   * function has succeeded: a failed attempt sets nothing. The value must be JSON, and all values that one call sets
   * may have at most `limits.resultBytes` bytes. Throws `name-invalid` for an input, a node's output or an invalid name.
   * Has no effect outside a conversation.
   *
   * @example context.set('age', 42)
   */
  set<Name extends SettableNameOf<Flow>>(name: Name, value: ValueOf<Flow, Name> | null): void;
}

/** Context of a tool that is called outside a flow. */
export const noFlow: Pick<FlowToolContext, 'node' | 'get' | 'set'> = Object.freeze({
  node: '',
  get: () => undefined,
  set: () => undefined,
});

declare const leadsTo: unique symbol;

/** A tool of `flowTool`: a function tool of LiveKit with its name, its arguments, its value and the nodes that it chooses. */
export interface FlowTool<
  Name extends string = string,
  Args = JsonObject,
  Result = unknown,
  Next extends NextNode = NextNode,
> extends Omit<llm.FunctionTool, 'name' | 'parameters' | 'execute'> {
  readonly name: Name;
  readonly parameters: z.ZodObject;
  execute(input: Args, options: llm.ToolOptions): Promise<Result>;
  /** Exists only as a type. */
  readonly [leadsTo]?: Next;
}

/** The nodes that the code of a tool chooses by `next`. */
export type NextOf<Tool> = Tool extends { readonly [leadsTo]?: infer Next } ? Exclude<Next, undefined> : never;

type ValueIn<Returned> = Returned extends ValueAndNext<infer Value> ? Value : Returned;
type NextIn<Returned> = Returned extends ValueAndNext<unknown, infer Node> ? Node : never;

/** The options of `flowTool`. */
export interface FlowToolOptions<
  Schema extends z.ZodObject,
  Name extends string = string,
  Result = unknown,
  Flow = string,
> {
  readonly name: Name;
  readonly description: string;
  /** Offers the tool to every flow of the process. Otherwise only agents that list it under `tools` have it. */
  readonly register?: boolean;
  readonly parameters?: Schema;
  /**
   * `write` if it changes the world. In a conversation, a write is recorded before it runs and repeated
   * with its key after a crash. The `effect` of a document's function takes precedence. An agent of a
   * task flow waits for a write that it began, even on an abort, and its `signal` then does not abort.
   */
  readonly effect?: 'read' | 'write';
  /** Runs before `execute` and may return other arguments. An exception rejects the call. */
  readonly before?: (
    input: z.output<Schema>,
    context: FlowToolContext<Flow>,
  ) => Promise<z.output<Schema> | undefined> | z.output<Schema> | undefined;
  /**
   * Does the work. Returns a value, or `next(value, node)` to choose the next node. A thrown or returned error is
   * a failure: the model sees the text of an `llm.ToolError`, and of other errors only that the function failed.
   */
  readonly execute: (input: z.output<Schema>, context: FlowToolContext<Flow>) => Result;
  /** With `pair`, `execute` always returns a list of two: the value and the next node or null. Any other result fails. */
  readonly returns?: 'value' | 'pair';
  /** Runs after `execute` succeeded, with its value. */
  readonly after?: (value: unknown, input: z.output<Schema>, context: FlowToolContext<Flow>) => Promise<void> | void;
}

/**
 * Creates a LiveKit function tool that flows run by name: those of an agent that lists it under `tools`, or every flow
 * of the process with `register: true`. Outside a flow it works like any other tool. Throws `tool-invalid` for invalid
 * options, and `tool-name-taken` if a tool of this name is registered already.
 *
 * @example
 * const book = flowTool({ name: 'book', description: 'Book a table.', execute: () => ({ booked: true }) });
 * const config = defineConfig({ flows: { desk: 'desk.yaml' }, tools: [book] });
 */
export function flowTool<
  const Name extends string,
  Schema extends z.ZodObject = z.ZodObject,
  Result = unknown,
  Flow = string,
>(
  options: FlowToolOptions<Schema, Name, Result, Flow>,
): FlowTool<Name, z.input<Schema>, ValueIn<Awaited<Result>>, NextIn<Awaited<Result>>> {
  const faults = toolFaults(options);
  if (faults.length > 0) throw new FlowError('tool-invalid', faults.join('\n  '));
  // Names of the flow matter only to the caller's compiler. LiveKit's tool has these parts; its type does not know them.
  const tool = toolOf<Schema>(options as FlowToolOptions<Schema>) as FlowTool<
    Name,
    z.input<Schema>,
    ValueIn<Awaited<Result>>,
    NextIn<Awaited<Result>>
  >;
  if (options.register !== true) return tool;
  if (registeredTools().has(tool.name))
    throw new FlowError(
      'tool-name-taken',
      `a tool named "${tool.name}" is registered already. Name one of them otherwise, or list them under tools of their agents.`,
    );
  registerTool(tool);
  return tool;
}

/** Creates an internal tool from trusted options. Its name may be invalid in documents. */
export function toolOf<Schema extends z.ZodObject>(options: FlowToolOptions<Schema>): FunctionTool {
  const { name, description, execute, before, after } = options;
  const parameters: z.ZodObject = options.parameters ?? z.object({});
  const run: FlowRun = async (input, context) => {
    // The schema is `Schema`, or empty if there is none.
    const parsed = (await parsedArguments({ parameters }, input)) as z.output<Schema>;
    const changed = before === undefined ? parsed : ((await before(parsed, context)) ?? parsed);
    const returned = unlessError(await execute(changed, context));
    const value = options.returns === 'pair' ? unlessError(fromPair(name, returned)) : returned;
    if (after !== undefined) await after(valueOf(value), changed, context);
    return value;
  };
  const tool: FunctionTool = llm.tool({
    name,
    description,
    parameters,
    execute: async (input, { toolCallId, abortSignal }) => {
      const signal = abortSignal ?? new AbortController().signal;
      const context = { key: toolCallId, attempt: 1, signal, sessionId: '', ...noFlow };
      return valueOf(await run(input as JsonObject, context, options.effect === 'write')); // Arguments of a tool call come from JSON.
    },
  });
  keepFlowRun(tool, run);
  if (options.effect === 'write') markWriting(tool);
  return tool;
}

/** Returns listed and registered tools by name. Throws `tool-name-taken` if two have the same name. */
export function toolsByName(listed: readonly FunctionTool[]): ReadonlyMap<string, FunctionTool> {
  const fault = sameNameFault(listed);
  if (fault !== null) throw new FlowError('tool-name-taken', fault);
  return new Map([...registeredTools(), ...listed.map((tool) => [tool.name, tool] as const)]);
}

/** Reads the `[value, next]` of a tool that returns pairs. Throws `result-not-pair` for anything else. */
function fromPair(name: string, returned: unknown): unknown {
  const pair: readonly unknown[] = Array.isArray(returned) && returned.length === 2 ? returned : [];
  const [value, node] = pair;
  const isNode = node === null || typeof node === 'string' || (typeof node === 'object' && !Array.isArray(node));
  if (isNode) return next(value, node as NextNode); // Compilation shows whether an object is a node.
  throw new FlowError(
    'result-not-pair',
    `tool "${name}" says that it returns pairs, and returned something else. Return [value, node or null], or leave returns out.`,
  );
}
