import type { Json } from '../events/json.ts';
import type { TurnPolicy } from '../events/signal.ts';
import { classic } from '../flow/classic.ts';
import type { Hub } from '../ports/hub.ts';
import type { Clock } from '../ports/time.ts';
import { type CommandOutcome, type Commands, runCommand } from './commands.ts';
import type { AgentContext, SafeHooks } from './hooks.ts';
import type { Router } from './router.ts';
import { timeLimit } from './time-limit.ts';

/** What decides about a turn before it reaches a flow. */
export interface PolicyParts {
  readonly commands: Commands;
  readonly hooks: SafeHooks;
  /** Chooses for callers whom no flow has; null leaves them on the classic path. */
  readonly router: Router | null;
  /** The flows that may be named. */
  readonly flows: ReadonlySet<string>;
  /** What hooks are told of the session, besides the turn. */
  readonly context: Omit<AgentContext, 'inbound'>;
  readonly clock: Clock;
  readonly hub: Hub;
}

/** A caller's turn as it comes in. */
export interface TurnToDecide {
  readonly eventId: string;
  readonly text: string;
  readonly via: string;
  /** The flow that has the conversation; null on the classic path. */
  readonly activeFlow: string | null;
}

/** Where a turn goes: to whoever has the conversation; to a flow; or nowhere, for it is decided. */
export type TurnChoice =
  | { readonly to: 'current' }
  | { readonly to: 'flow'; readonly flow: string; readonly input: Json; readonly by: 'command' | 'hook' | 'router' }
  | {
      readonly to: 'nobody';
      readonly policy: TurnPolicy;
      /** The active flow ends. */
      readonly stopsFlow?: boolean;
      readonly structured?: Readonly<Record<string, Json>>;
    };

/** Decides about turns: commands first, then `beforeLLM`, then the active flow or the router (spec 3 §6). Never throws. */
export interface PolicyGate {
  choose(turn: TurnToDecide): Promise<TurnChoice>;
  /** Tells that a flow was chosen that cannot begin. */
  tellFallback(reason: string): void;
}

/** How long a command of one's own may take, in milliseconds. */
const commandTimeoutMs = 10_000;

export function createPolicyGate(parts: PolicyParts): PolicyGate {
  const { hooks, router, flows, context, clock, hub } = parts;
  const fail = (stage: string, reason: string): void =>
    hub.emit('response:failed', { source: 'short_circuit', stage, reason });

  const command = async (turn: TurnToDecide): Promise<TurnChoice | null> => {
    // A slash is typed; nobody says one.
    if (turn.via !== 'text') return null;
    const { activeFlow } = turn;
    const onError = (error: unknown): void => fail('command', error instanceof Error ? error.name : 'unknown');
    const options = { commands: parts.commands, flows, onError };
    const running = runCommand(turn.text, { sessionId: context.session.id, activeFlow }, options);
    const outcome = await timeLimit(running, clock, commandTimeoutMs);
    if (outcome !== 'late') return outcome === null ? null : follow(outcome);
    fail('command', 'timeout');
    return follow({ say: 'That command did not succeed.' });
  };

  const hook = async (turn: TurnToDecide): Promise<TurnChoice | null> => {
    if (!hooks.has.beforeLLM) return null;
    const { eventId, text, via, activeFlow } = turn;
    const decision = await hooks.beforeLLM({ text, activeFlow }, { ...context, inbound: { eventId, text, via } });
    switch (decision.action) {
      case 'continue':
        return null;
      case 'end':
        return { to: 'nobody', policy: { action: 'end', reason: decision.reason ?? 'ended-by-policy', by: 'hook' } };
      case 'route_flow':
        return { to: 'flow', flow: decision.flowId, input: decision.input ?? {}, by: 'hook' };
      case 'skip_llm': {
        const { draftReply, structured } = decision;
        const line = draftReply ?? (typeof structured?.['reply'] === 'string' ? structured['reply'] : undefined);
        return {
          to: 'nobody',
          policy: line === undefined ? { action: 'hold', by: 'hook' } : { action: 'say', text: line, by: 'hook' },
          ...(structured === undefined ? {} : { structured }),
        };
      }
    }
  };

  const route = async (turn: TurnToDecide): Promise<TurnChoice | null> => {
    if (router === null || turn.activeFlow !== null) return null;
    const found = await router.byWords(turn.text, new AbortController().signal);
    if (found === null) return null;
    if (found.fallback !== undefined) hub.emit('route:fallback', { mode: found.mode, reason: found.fallback });
    hub.emit('route:selected', { mode: found.mode, to: found.to });
    return found.to === classic ? null : { to: 'flow', flow: found.to, input: {}, by: 'router' };
  };

  return {
    choose: async (turn) => (await command(turn)) ?? (await hook(turn)) ?? (await route(turn)) ?? { to: 'current' },
    tellFallback: (reason) => hub.emit('route:fallback', { mode: router?.mode ?? 'none', reason }),
  };
}

function follow({ say, startFlow, stopFlow }: CommandOutcome): TurnChoice {
  if (startFlow !== undefined) return { to: 'flow', flow: startFlow, input: {}, by: 'command' };
  const policy: TurnPolicy =
    say === undefined ? { action: 'hold', by: 'command' } : { action: 'say', text: say, by: 'command' };
  return { to: 'nobody', policy, ...(stopFlow === true ? { stopsFlow: true } : {}) };
}
