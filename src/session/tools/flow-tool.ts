import { llm } from '@livekit/agents';
import { z } from 'zod';
import type { Json, JsonObject } from '../../events/json.ts';
import type { FunctionTool } from './function-tool.ts';

/** What a function of a flow is told besides its arguments. */
export interface FlowToolContext {
  /** The idempotency key: the same for every attempt of this call, also after a crash. */
  readonly key: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Aborts when the attempt is over its time, or nobody waits for its result. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
  readonly node: string;
  /** Slots, variables, node outputs and input by name, as templates see them. */
  get(name: string): Json | undefined;
}

/** Where a function wants to go: a node by id, a node made on the spot (its document), or null to stay. */
export type NextNode = string | JsonObject | null;

export interface FlowToolOptions<Schema extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly parameters?: Schema;
  /**
   * `write` where it changes the world: an agent of a task flow that has begun it is waited for, also by an abort, and its
   * `signal` then does not abort. What it is in a conversation the document says.
   */
  readonly effect?: 'read' | 'write';
  /** Runs before `execute` and may return other arguments; a throw refuses the call. */
  readonly before?: (
    input: z.output<Schema>,
    context: FlowToolContext,
  ) => Promise<z.output<Schema> | undefined> | z.output<Schema> | undefined;
  /**
   * Does the work. Returns a value, or `[value, next]` to say where the flow goes. A throw is told to the model as an
   * error.
   */
  readonly execute: (input: z.output<Schema>, context: FlowToolContext) => unknown;
  /** Runs after `execute` succeeded, with its value. */
  readonly after?: (value: unknown, input: z.output<Schema>, context: FlowToolContext) => Promise<void> | void;
}

type FlowRun = (input: JsonObject, context: FlowToolContext) => Promise<unknown>;

const flowRuns = new WeakMap<FunctionTool, FlowRun>();
const writing = new WeakSet<FunctionTool>();
const registry = new Map<string, FunctionTool>();

/**
 * Makes a LiveKit function tool that flows run by name, and registers it; the last one of a name counts. Outside a flow
 * it works as any other tool.
 */
export function flowTool<Schema extends z.ZodObject = z.ZodObject>(options: FlowToolOptions<Schema>): FunctionTool {
  const tool = unregisteredTool(options);
  registry.set(tool.name, tool);
  return tool;
}

/** A flow tool that only those know to whom it is handed. */
export function unregisteredTool<Schema extends z.ZodObject = z.ZodObject>(
  options: FlowToolOptions<Schema>,
): FunctionTool {
  const { name, description, execute, before, after } = options;
  const parameters: z.ZodObject = options.parameters ?? z.object({});
  const run: FlowRun = async (input, context) => {
    const parsed = parameters.parse(input) as z.output<Schema>; // The schema is Schema, or empty where there is none.
    const changed = before === undefined ? parsed : ((await before(parsed, context)) ?? parsed);
    const value = await execute(changed, context);
    if (after !== undefined) await after(isPair(value) ? value[0] : value, changed, context);
    return value;
  };
  const tool: FunctionTool = llm.tool({
    name,
    description,
    parameters,
    execute: async (input, { toolCallId, abortSignal }) => {
      const signal = abortSignal ?? new AbortController().signal;
      const context = { key: toolCallId, attempt: 1, signal, sessionId: '', node: '', get: () => undefined };
      const value = await run(input as JsonObject, context); // Arguments of a tool call come from JSON.
      return isPair(value) ? value[0] : value;
    },
  });
  flowRuns.set(tool, run);
  if (options.effect === 'write') writing.add(tool);
  return tool;
}

/** How a flow runs a tool made by `flowTool`; undefined for any other tool. */
export function flowRunOf(tool: FunctionTool): FlowRun | undefined {
  return flowRuns.get(tool);
}

/** Whether a tool says of itself that it changes the world. */
export function isWriting(tool: FunctionTool): boolean {
  return writing.has(tool);
}

/** The functions registered so far by `flowTool`. */
export function registeredTools(): ReadonlyMap<string, FunctionTool> {
  return registry;
}

/** Whether a flow tool's return is `[value, next]`. */
export function isPair(value: unknown): value is readonly [unknown, NextNode] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const next: unknown = value[1];
  return next === null || typeof next === 'string' || (typeof next === 'object' && !Array.isArray(next));
}
