import { llm } from '@livekit/agents';
import type { Hub } from '../ports/hub.ts';
import type { Clock } from '../ports/time.ts';
import type { Commands } from '../turn/commands.ts';
import { type AgentContext, createHooks, type Hooks } from '../turn/hooks.ts';
import { createPolicyGate, type PolicyGate } from '../turn/policy.ts';
import { createRouter, type RouterConfig } from '../turn/router.ts';
import type { LiveSession } from './live-session.ts';
import { modelPort } from './model-port.ts';

/** What an agent may have around its flows. */
export interface AgentPolicy {
  /** Chooses a flow for callers whom no flow has. */
  readonly router?: RouterConfig;
  /** Commands that callers may type; `{}` is the built-in ones. Without it there are none. */
  readonly commands?: Commands;
  readonly hooks?: Hooks;
}

/** What decides about turns before a flow does; undefined where nothing does. Throws `router-invalid`. */
export function createAgentPolicy(
  policy: AgentPolicy,
  session: LiveSession,
  parts: {
    readonly flows: ReadonlySet<string>;
    readonly clock: Clock;
    readonly hub: Hub;
    readonly context: Omit<AgentContext, 'inbound'>;
  },
): PolicyGate | undefined {
  const { router, commands, hooks = {} } = policy;
  if (router === undefined && commands === undefined && hooks.beforeLLM === undefined) return undefined;
  const { flows, clock, hub, context } = parts;
  const model = session.llm instanceof llm.LLM ? modelPort(session.llm) : null;
  const onFailure = (stage: string, reason: string): void =>
    hub.emit('response:failed', { source: 'flow', stage, reason });
  return createPolicyGate({
    commands: commands ?? noCommands,
    hooks: createHooks(hooks, { clock, onFailure }),
    router: router === undefined ? null : createRouter(router, { flows, clock, model }),
    flows,
    context,
    clock,
    hub,
  });
}

const noCommands: Commands = { flow: false };
