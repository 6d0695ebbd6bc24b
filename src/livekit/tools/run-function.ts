import { llm, voice } from '@livekit/agents';
import { FlowError } from '../../model/errors.ts';
import type { EffectKey, ToolPayload } from '../../model/effect.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { CallNext } from '../../model/signals/signal.ts';
import { readMadeNode } from '../../flow/graph/nodes/dynamic-nodes.ts';
import { lookupOf } from '../../kernel/state/names.ts';
import { functionIn, nodeOf } from '../../kernel/move/offers.ts';
import type { Cancellable } from '../../model/ports/cancellable.ts';
import type { ExecutionOutcome } from '../../model/ports/executor.ts';
import { boundedResult } from '../../engine/calls/bounded-result.ts';
import { toJson } from '../../engine/calls/plain-json.ts';
import type { Engine } from '../../engine/engine.ts';
import { openSealed, textWithout, withoutSecrets } from '../../engine/sealed-values.ts';
import type { FlowToolContext } from './flow-tool.ts';
import type { FunctionTool } from './function-tool.ts';
import { type HttpToolWorld, runHttpTool } from './http/run-http-tool.ts';
import { parsedArguments } from './parse-arguments.ts';
import { flowRunOf } from './tool-registry.ts';
import { isNext, type NextNode, unlessError, valueOf } from './next.ts';
import { isPendingResult } from './pending-result.ts';
import { createSetValues, type SetValues } from './set-values.ts';

/** A handler by name: of an action, or one to choose the next node. */
export type Handler<Flow = string> = (input: JsonObject, context: FlowToolContext<Flow>) => unknown;

export interface Functions {
  readonly tools: ReadonlyMap<string, FunctionTool>;
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Hosts and secrets for the tools of documents. */
  readonly http: HttpToolWorld;
  /** Names of tools that ask the caller, and so may take long. */
  readonly asking: ReadonlySet<string>;
}

/** LiveKit's own context of a call, if the model made the call in this process. */
export type CallContext = voice.RunContext;

/**
 * Runs one attempt of a registered function and reads its next node. Sealed digits are opened for its code, and removed
 * from its outcome. Throws what the handler throws.
 */
export async function runFunction(
  engine: Engine,
  functions: Functions,
  session: voice.AgentSession,
  callContext: CallContext | undefined,
  key: EffectKey,
  call: ToolPayload,
  attempt: number,
  cancelled: Cancellable,
): Promise<ExecutionOutcome> {
  // The input of a task flow is stored, so it stays sealed.
  const { value, secrets, unreadable } = isOfTaskFlow(engine, call)
    ? { value: call.arguments, secrets: [], unreadable: [] }
    : openSealed(engine, call.arguments);
  if (unreadable.length > 0)
    return failure(`The digits of ${unreadable.join(', ')} were entered in another process. Ask for them again.`);
  const seen = [...secrets];
  try {
    const opened = { ...call, arguments: value };
    const context = { callContext, seen };
    const outcome = await runOpened(engine, functions, session, context, key, opened, attempt, cancelled);
    return seen.length === 0
      ? outcome
      : (withoutSecrets(outcome as unknown as Json, seen) as unknown as ExecutionOutcome); // JSON.
  } catch (error) {
    throw error instanceof llm.ToolError && seen.length > 0
      ? new llm.ToolError(textWithout(error.message, seen))
      : error;
  }
}

function isOfTaskFlow({ graph, state }: Engine, call: ToolPayload): boolean {
  const node = nodeOf(graph, state, call.node);
  return node !== null && functionIn(graph, node, call.name)?.body === 'flow';
}

async function runOpened(
  engine: Engine,
  functions: Functions,
  session: voice.AgentSession,
  { callContext, seen }: { readonly callContext: CallContext | undefined; readonly seen: string[] },
  key: EffectKey,
  call: ToolPayload,
  attempt: number,
  cancelled: Cancellable,
): Promise<ExecutionOutcome> {
  const own = createSetValues(engine);
  const context = contextFor(engine, own, key, call.node, attempt, cancelled, seen);
  const origin = nodeOf(engine.graph, engine.state, call.node);
  const offered = origin === null ? null : functionIn(engine.graph, origin, call.name);
  let result: Json = 'ok';
  let node: NextNode | undefined;
  if (offered?.body !== 'edge') {
    const tool = functions.tools.get(call.handler);
    const request = tool === undefined ? engine.graph.tools.get(call.handler) : undefined;
    if (tool === undefined && request === undefined) return failure(`The function ${call.name} is not available.`);
    const flowRun = tool === undefined ? undefined : flowRunOf(tool);
    const returned = unlessError(
      request !== undefined
        ? await runHttpTool(request, call.arguments, context, call.write, functions.http)
        : tool !== undefined && flowRun === undefined
          ? await runPlainTool(tool, session, callContext, call, cancelled)
          : await flowRun?.(call.arguments, context, call.write),
    );
    if (isPendingResult(returned)) {
      const { waitsFor } = returned;
      return { ok: true, isPending: true, ...(waitsFor === null ? {} : { waitsFor }) };
    }
    if (isAgentHandoff(returned)) throw handoffUnfit(call.name);
    result = toJson(valueOf(returned));
    if (isNext(returned)) ({ node } = returned);
  }
  if (node === undefined && offered !== null && offered.callback !== null) {
    const callback = functions.handlers.get(offered.callback);
    if (callback === undefined) return failure(`The handler of ${call.name} is not registered.`);
    const returned = unlessError(await callback({ ...call.arguments, result }, context));
    node = isNext(returned) ? returned.node : (returned as NextNode | undefined);
  }
  const { values: set } = own;
  const bounded = boundedResult(result, engine.limits.resultBytes);
  return { ok: true, ...bounded, ...nextOf(engine, node), ...(set === undefined ? {} : { set }) };
}

/** Creates the context of a handler of an action or a callback. Digits that it opens are added to `seen`. */
export function contextFor(
  engine: Engine,
  own: SetValues,
  key: EffectKey,
  node: string,
  attempt: number,
  cancelled: Cancellable,
  seen: string[] = [],
): FlowToolContext {
  const get = (name: string): Json | undefined => {
    const { values } = own;
    if (values !== undefined && Object.hasOwn(values, name)) return values[name];
    const value = lookupOf(engine.graph, engine.state)(name) as Json | undefined; // State is JSON.
    if (value === undefined) return undefined;
    const { value: opened, secrets } = openSealed(engine, { value });
    seen.push(...secrets);
    return opened['value'];
  };
  return {
    key,
    attempt,
    get signal() {
      return cancelled.signal;
    },
    sessionId: engine.sessionId,
    node,
    get,
    set: (name, value) => own.set(name, value),
  };
}

/** Converts the next node of a call for its signal. An invalid node is dropped; the call succeeds anyway. */
function nextOf({ graph, state }: Engine, node: NextNode | undefined): { next?: CallNext } {
  if (node === undefined) return {};
  if (node === null) return { next: { kind: 'stay' } };
  if (typeof node === 'string') return { next: { kind: 'node', to: node } };
  const made = readMadeNode(graph, toJson(node), (id) => nodeOf(graph, state, id) !== null);
  if (!made.ok) return { next: { kind: 'invalid', to: made.id, problem: made.problem } };
  return { next: { kind: 'dynamic', to: made.id, node: made.document } };
}

/** Checks for a result of `llm.handoff`, for which LiveKit has no check. */
function isAgentHandoff(returned: unknown): boolean {
  return (
    typeof returned === 'object' && returned !== null && 'agent' in returned && returned.agent instanceof voice.Agent
  );
}

function handoffUnfit(name: string): FlowError {
  return new FlowError(
    'handoff-invalid',
    `tool "${name}" hands off to another LiveKit agent, and a flow has one agent. Return next(value, node) to move, or make the other agent a flow.`,
  );
}

function failure(error: string): ExecutionOutcome {
  return { ok: false, cancelled: false, error };
}

/** Runs a LiveKit tool unchanged, with the context it expects. */
async function runPlainTool(
  tool: FunctionTool,
  session: voice.AgentSession,
  callContext: CallContext | undefined,
  call: ToolPayload,
  cancelled: Cancellable,
): Promise<unknown> {
  const { callId, name } = call;
  // A call after a confirmation or a crash has no speech, so one is created for the context.
  const functionCall = llm.FunctionCall.create({ callId, name, args: JSON.stringify(call.arguments) });
  const ctx = callContext ?? new voice.RunContext(session, voice.SpeechHandle.create(), functionCall);
  const options = { ctx, toolCallId: callId, abortSignal: cancelled.signal };
  // FunctionTool hides the type of its arguments; they were parsed by its own schema.
  return await tool.execute((await parsedArguments(tool, call.arguments)) as never, options as never);
}
