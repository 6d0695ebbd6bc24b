import { llm } from '@livekit/agents';
import { z } from 'zod';
import { FlowError } from '../../errors.ts';
import type { Json, JsonObject } from '../../events/json.ts';
import { type FunctionTool, markWriting } from './function-tool.ts';
import { next, type NextNode, unlessError, valueOf } from './next.ts';
import { parsedArguments } from './parse-arguments.ts';
import { toolFaults } from './tool-faults.ts';
import { sameNameFault } from './tool-names.ts';
import { type FlowRun, keepFlowRun, registeredTools, registerTool } from './tool-registry.ts';

/** The context that a function of a flow gets besides its arguments. */
export interface FlowToolContext {
  /** The idempotency key: the same for every attempt of this call, also after a crash. */
  readonly key: string;
  /** 1 for the first attempt of this call, counted on after a crash: one that may have been cut off counts. */
  readonly attempt: number;
  /** Aborts when the attempt is over its time, or nobody waits for its result. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly node: string;
  /** Slots, variables, node outputs and input by name, as templates see them. */
  get(name: string): Json | undefined;
  /**
   * Sets a slot (held to its rules; null clears it) or a variable, which templates and conditions read once the function has
   * succeeded: a failed attempt sets nothing. The value must be JSON, and all that one call sets at most
   * `limits.resultBytes`. Throws `name-unfit` for an input, a node's output and what is no name. Outside a conversation
   * nothing is kept.
   *
   * @example context.set('age', 42)
   */
  set(name: string, value: Json): void;
}

/** The context of a tool that is called outside a flow. */
export const noFlow: Pick<FlowToolContext, 'node' | 'get' | 'set'> = Object.freeze({
  node: '',
  get: () => undefined,
  set: () => undefined,
});

/** The options of `flowTool`. */
export interface FlowToolOptions<Schema extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  /** Offers it to every flow of the process; else only agents have it that list it under `tools`. */
  readonly register?: boolean;
  readonly parameters?: Schema;
  /**
   * `write` where it changes the world. In a conversation it is then a write: recorded before it runs, and run again with
   * its key after a crash. The `effect` of a document's function decides where it is written. An agent of a task flow that
   * has begun it is waited for, also by an abort, and its `signal` then does not abort.
   */
  readonly effect?: 'read' | 'write';
  /** Runs before `execute` and may return other arguments; a throw refuses the call. */
  readonly before?: (
    input: z.output<Schema>,
    context: FlowToolContext,
  ) => Promise<z.output<Schema> | undefined> | z.output<Schema> | undefined;
  /**
   * Does the work. Returns a value, or `next(value, node)` to say where the flow goes. An error, thrown or returned, is told
   * to the model as a failure: the text of an `llm.ToolError`, and of any other only that it did not succeed.
   */
  readonly execute: (input: z.output<Schema>, context: FlowToolContext) => unknown;
  /** `pair`: `execute` returns a list of two each time, the value and the next node or null; any other return fails. */
  readonly returns?: 'value' | 'pair';
  /** Runs after `execute` succeeded, with its value. */
  readonly after?: (value: unknown, input: z.output<Schema>, context: FlowToolContext) => Promise<void> | void;
}

/**
 * Makes a LiveKit function tool that flows run by name: those of an agent that lists it under `tools`, or every flow of
 * the process with `register: true`. Outside a flow it works as any other tool. Throws `tool-invalid` for options that make
 * no tool, and `tool-name-taken` where a tool of its name is registered already.
 *
 * @example
 * const book = flowTool({ name: 'book', description: 'Book a table.', execute: () => ({ booked: true }) });
 * const config = defineConfig({ flows: { desk: 'desk.yaml' }, tools: [book] });
 */
export function flowTool<Schema extends z.ZodObject = z.ZodObject>(options: FlowToolOptions<Schema>): FunctionTool {
  const faults = toolFaults(options);
  if (faults.length > 0) throw new FlowError('tool-invalid', faults.join('\n  '));
  const tool = toolOf(options);
  if (options.register !== true) return tool;
  if (registeredTools().has(tool.name))
    throw new FlowError(
      'tool-name-taken',
      `a tool named "${tool.name}" is registered already. Name one of them otherwise, or list them under tools of their agents.`,
    );
  registerTool(tool);
  return tool;
}

/** A tool of ours, whose options are no input and whose name may be one that no document can write. */
export function toolOf<Schema extends z.ZodObject>(options: FlowToolOptions<Schema>): FunctionTool {
  const { name, description, execute, before, after } = options;
  const parameters: z.ZodObject = options.parameters ?? z.object({});
  const run: FlowRun = async (input, context) => {
    // The schema is Schema, or empty where there is none.
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
      return valueOf(await run(input as JsonObject, context)); // Arguments of a tool call come from JSON.
    },
  });
  keepFlowRun(tool, run);
  if (options.effect === 'write') markWriting(tool);
  return tool;
}

/** The tools of a list, and those that `flowTool` has registered, by name. Throws `tool-name-taken` for two of one name. */
export function toolsByName(listed: readonly FunctionTool[]): ReadonlyMap<string, FunctionTool> {
  const fault = sameNameFault(listed);
  if (fault !== null) throw new FlowError('tool-name-taken', fault);
  return new Map([...registeredTools(), ...listed.map((tool) => [tool.name, tool] as const)]);
}

/** Reads the `[value, next]` of a tool that returns such pairs. Throws `result-not-pair` for anything else. */
function fromPair(name: string, returned: unknown): unknown {
  const pair: readonly unknown[] = Array.isArray(returned) && returned.length === 2 ? returned : [];
  const [value, node] = pair;
  const isNode = node === null || typeof node === 'string' || (typeof node === 'object' && !Array.isArray(node));
  if (isNode) return next(value, node as NextNode); // Whether an object is a node is seen when it is compiled.
  throw new FlowError(
    'result-not-pair',
    `tool "${name}" says that it returns pairs, and returned something else. Return [value, node or null], or leave returns out.`,
  );
}
