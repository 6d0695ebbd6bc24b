import { FlowError } from '../../model/errors.ts';
import type { Hub } from '../../model/ports/hub.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { Commands } from '../../engine/commands.ts';
import { type AgentContext, createHooks, type Hooks } from '../../engine/policy/hooks.ts';
import type { Engine } from '../../engine/engine.ts';
import { createPolicyGate, type PolicyGate } from '../../engine/policy/policy.ts';
import { createResponseEvents, type ResponseEvents } from '../../engine/reply/response-events.ts';
import { createResponses, newTurnRecord, type Responses } from '../../engine/reply/responses.ts';
import { tracedModel } from '../../engine/reply/traced-model.ts';
import { createRouter, intentFault, type RouterConfig } from '../../engine/policy/router.ts';
import type { OutputSchema } from '../../engine/reply/structured-output.ts';
import type { LiveSession } from './live-session.ts';
import { runAsCall } from './origin.ts';
import { modelPort } from '../model/model-port.ts';
import { assertRealtimeFits } from '../realtime/limits.ts';

/** The policy around the flows of an agent. */
export interface AgentPolicy {
  /** Chooses a flow for callers without one. */
  readonly router?: RouterConfig | undefined;
  /** Commands that callers may type; `{}` enables the built-in ones. Without it there are none. */
  readonly commands?: Commands | undefined;
  readonly hooks?: Hooks | undefined;
  /** Schema of the model's answers on the classic path: a zod object whose `reply`, a required string, is said while it streams. */
  readonly output?: OutputSchema | undefined;
}

export interface AgentPolicyParts {
  readonly flows: ReadonlySet<string>;
  readonly clock: Clock;
  readonly hub: Hub;
  readonly context: Omit<AgentContext, 'inbound'>;
  readonly engine: () => Engine;
  /** Whether a task waits for the caller's answer. */
  readonly isAsked: () => boolean;
}

/**
 * Creates the policy of a session: the gate that decides about turns, and the
 * replies. Throws `router-invalid`, `output-invalid` and `realtime-unsupported`.
 */
export function createAgentPolicy(
  policy: AgentPolicy,
  session: LiveSession,
  parts: AgentPolicyParts,
): { readonly gate: PolicyGate; readonly responses: Responses; readonly events: ResponseEvents } {
  const { flows, clock } = parts;
  const { router, commands = null, output = null } = policy;
  assertRealtimeFits(policy, session);
  const astray = router === undefined ? null : intentFault(router, output);
  if (astray !== null) throw new FlowError('router-invalid', astray);
  const asked = session.llm === undefined ? null : modelPort(session.llm);
  const model = asked === null ? null : tracedModel(asked, 'route', () => parts.engine().tracer, clock);
  const turn = newTurnRecord();
  const events = createResponseEvents({ ...parts, turn });
  const hooks = createHooks(
    withOwnOrigin(policy.hooks ?? {}, () => parts.engine().sessionId),
    {
      clock,
      onAsked: (hook) => {
        const span = parts.engine().tracer.begin({ name: 'flow.hook', hook }, { coming: hook === 'beforeLLM' });
        return () => span.end();
      },
      onFailure: (stage, reason) => events.fail(stage, reason),
      onDropped: (stage, action, keys) => events.trimmed(stage, action, keys),
    },
  );
  const chosen = router === undefined ? null : createRouter(router, { flows, clock, model });
  const responses = createResponses({ ...parts, hooks, events, turn, output, router: chosen });
  const onTurn = (): void => responses.settle();
  const onLanguage = (language: string): void => void parts.engine().language.change(language, 'hook');
  const readsReplies = output !== null;
  return {
    gate: createPolicyGate({
      ...parts,
      commands,
      hooks,
      events,
      turn,
      router: chosen,
      readsReplies,
      onLanguage,
      onTurn,
    }),
    responses,
    events,
  };
}

/**
 * Marks `onResponse` as the session's own code. The end of a session waits
 * for it, so if it ends the session itself, that end must not wait for it.
 */
function withOwnOrigin(hooks: Hooks, sessionId: () => string): Hooks {
  const { onResponse } = hooks;
  if (onResponse === undefined) return hooks;
  return { ...hooks, onResponse: (...told) => runAsCall(sessionId(), async () => onResponse(...told)) };
}
