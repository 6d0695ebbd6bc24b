import { llm, type voice } from '@livekit/agents';
import { FlowError } from '../../model/errors.ts';
import type { ToolPayload } from '../../model/effect.ts';
import { openEffect } from '../../kernel/state/draft.ts';
import { functionIn, nodeOf } from '../../kernel/move/offers.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Executor } from '../../model/ports/executor.ts';
import type { Engine } from '../../engine/engine.ts';
import { createCancellation } from '../../engine/cancellation.ts';
import { tracedModel } from '../../engine/reply/traced-model.ts';
import { openSealed } from '../../engine/sealed-values.ts';
import { createExecutor, type ExecutionPolicy } from '../../engine/calls/executor.ts';
import { askingTimeoutMs, cutText, functionTimeoutMs } from '../../engine/limits.ts';
import { FlowAgent } from './flow-agent.ts';
import type { FlowAgentOptions } from './flow-agent-options.ts';
import { modelPort } from '../model/model-port.ts';
import { runAsCall } from './origin.ts';
import type { SpeakingAgent } from './speaking-agent.ts';
import { RealtimeFlowAgent } from '../realtime/agent.ts';
import { contextFor, type Functions, runFunction } from '../tools/run-function.ts';
import { createSetValues } from '../tools/set-values.ts';
import { summarise } from '../context/summarise.ts';
import { createViewTools, type ViewTools } from '../tools/view-tools.ts';

/** How much of a function's own error the model sees, in characters. */
const mostOfAnError = 2_000;

/** The functions of a session, created before its engine. */
export interface SessionFunctions {
  readonly executor: Executor;
  readonly tools: ViewTools;
}

/** Creates the functions of a session, which run with LiveKit's own context if they have one. `onFailure` receives what a handler threw. */
export function sessionFunctions(
  session: voice.AgentSession,
  functions: Functions,
  clock: Clock,
  engine: () => Engine,
  onFailure: (call: ToolPayload, attempt: number, error: unknown) => void,
): SessionFunctions {
  const tools = createViewTools(engine);
  const executor = createExecutor({
    clock,
    policyOf: (call) => policyOf(engine(), call, functions.asking.has(call.handler)),
    run: (key, call, attempt, over) =>
      runAsCall(engine().sessionId, () =>
        runFunction(engine(), functions, session, tools.contextOf(call.callId), key, call, attempt, over),
      ).catch((error: unknown) => {
        onFailure(call, attempt, error);
        throw error;
      }),
    async keepAttempt(key, { callId, name, node, visit, arguments: given }, attempt) {
      const { state } = engine();
      if (openEffect(state, key) === undefined) return;
      const at = clock.now();
      engine().dispatch({
        signal: { type: 'tool:called', at, key, callId, name, node, visit, arguments: given, attempt },
      });
      await engine().committed();
    },
    errorText: (error) =>
      error instanceof llm.ToolError
        ? cutText(error.message, mostOfAnError)
        : 'An internal error occurred. The function did not succeed.',
  });
  return { executor, tools };
}

/** Creates the agent through which a session speaks for a flow. `kept`: the history from an earlier process. */
export function createFlowAgent(
  session: voice.AgentSession,
  engine: Engine,
  functions: Functions,
  tools: ViewTools,
  clock: Clock,
  kept: readonly llm.ChatItem[],
  on: Pick<
    FlowAgentOptions,
    | 'lines'
    | 'responses'
    | 'runTask'
    | 'sendKeys'
    | 'transfer'
    | 'questions'
    | 'onEnd'
    | 'onStoreLost'
    | 'onError'
    | 'onModelTrouble'
    | 'onSpeech'
    | 'onClose'
  >,
): SpeakingAgent {
  const history = session.history.copy({ excludeInstructions: true, excludeFunctionCall: true, excludeHandoff: true });
  const options: FlowAgentOptions = {
    engine,
    clock,
    tools,
    history: new llm.ChatContext(historyOf(history.items, kept)),
    act: async (effect) => {
      const { handler: name, data, action } = effect.payload;
      const handler = functions.handlers.get(name);
      if (handler === undefined) {
        on.onError(new FlowError('handler-missing', `action "${action}" names "${name}", which is not registered.`));
        return { state: 'failed' };
      }
      try {
        const own = createSetValues(engine);
        await handler(
          openSealed(engine, data).value,
          contextFor(engine, own, effect.key, effect.node, 1, createCancellation()),
        );
        const { values: set } = own;
        return { state: 'done', ...(set === undefined ? {} : { set }) };
      } catch (error) {
        on.onError(error);
        return { state: 'failed' };
      }
    },
    summarise: async (prompt, context) => {
      const model = session.llm;
      return model === undefined
        ? null
        : await summarise(
            tracedModel(modelPort(model), 'summary', () => engine.tracer, clock),
            context,
            prompt,
            clock,
          );
    },
    ...on,
  };
  // A realtime model has no text for LiveKit's pipeline, so it has a separate agent.
  const model = session.llm;
  return model instanceof llm.RealtimeModel ? new RealtimeFlowAgent(model, options) : new FlowAgent(options);
}

/** Inserts the history of the log, including calls, between the LiveKit session's earlier and later messages. */
function historyOf(said: readonly llm.ChatItem[], kept: readonly llm.ChatItem[]): llm.ChatItem[] {
  const [first] = kept;
  const last = kept.at(-1);
  if (first === undefined || last === undefined) return [...said];
  const before = said.filter(({ createdAt }) => createdAt < first.createdAt);
  return [...before, ...kept, ...said.filter(({ createdAt }) => createdAt > last.createdAt)];
}

function policyOf(engine: Engine, call: ToolPayload, asks: boolean): ExecutionPolicy {
  const node = nodeOf(engine.graph, engine.state, call.node);
  const offered = node === null ? null : functionIn(engine.graph, node, call.name);
  return {
    timeoutMs: offered?.timeoutMs ?? (asks ? askingTimeoutMs : functionTimeoutMs),
    maxAttempts: offered?.retry.maxAttempts ?? 1,
    backoffMs: offered?.retry.backoffMs ?? 0,
  };
}
