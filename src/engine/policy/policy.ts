import { errorKind } from '../../model/errors.ts';
import type { Json } from '../../model/json.ts';
import type { Signal, TurnPolicy } from '../../model/signals/signal.ts';
import { classic } from '../../flow/document/classic.ts';
import type { Clock } from '../../model/ports/time.ts';
import { type CommandOutcome, type Commands, runCommand } from '../commands.ts';
import type { AgentContext, SafeHooks } from './hooks.ts';
import type { ResponseEvents } from '../reply/response-events.ts';
import { newTurnRecord, type TurnRecord } from '../reply/responses.ts';
import type { Router } from './router.ts';
import { timeLimit } from '../time-limit.ts';

/** The parts that decide about a turn before it reaches a flow. */
export interface PolicyParts {
  /** Commands that may be typed; null for none. */
  readonly commands: Commands | null;
  readonly hooks: SafeHooks;
  /** Chooses a flow for callers without one; null keeps them on the classic path. */
  readonly router: Router | null;
  /** The flows that may be chosen. */
  readonly flows: ReadonlySet<string>;
  /** The session's context for hooks, without the turn. */
  readonly context: Omit<AgentContext, 'inbound'>;
  /** Record of the current turn. */
  readonly turn: TurnRecord;
  readonly clock: Clock;
  readonly events: ResponseEvents;
  /** Whether the model's answers are read for fields besides the reply, which belong to a turn that has begun. */
  readonly readsReplies?: boolean;
  /** A hook chose the language of the conversation. */
  readonly onLanguage: (language: string) => void;
  /** A new turn is about to begin. */
  readonly onTurn: () => void;
}

/** A caller's turn as it arrives. */
export interface TurnToDecide {
  readonly eventId: string;
  readonly text: string;
  readonly via: string;
  /** The active flow; null on the classic path. */
  readonly activeFlow: string | null;
  /** The agent's last words, which the turn may answer; empty if there are none. */
  readonly lastSaid: string;
}

/** Target of a turn: to the active flow or the prompt, to another flow, or nowhere because it is decided. */
export type TurnChoice =
  | { readonly to: 'current' }
  | {
      readonly to: 'flow';
      readonly flow: string;
      readonly input: Json;
      readonly by: 'command' | 'hook' | 'router';
      /** The hook's reason. */
      readonly policyReason?: string;
      /** Said before the flow begins. */
      readonly say?: string;
    }
  | {
      readonly to: 'nobody';
      readonly policy: TurnPolicy;
      /** Ends the active flow. */
      readonly stopsFlow?: boolean;
    };

/** Decides about turns: first commands, then `beforeLLM`, then the active flow or the router. Never throws. */
export interface PolicyGate {
  /** Whether anything may decide; if not, every turn goes to the active flow or the prompt. */
  readonly decides: boolean;
  choose(turn: TurnToDecide): TurnChoice | Promise<TurnChoice>;
  /** Lets only commands decide, such as about words that otherwise answer a task. Null if the words are not a command. */
  command(turn: TurnToDecide): Promise<TurnChoice | null>;
  /** Lets only `beforeLLM` decide about words that answer a task. Null if they go to the task. */
  answer(turn: TurnToDecide): Promise<TurnChoice | null>;
  /**
   * Lets `beforeLLM` decide about a reply without the caller's words, before the model
   * is asked or a run speaks. Null if it proceeds. Each reply is decided about once.
   */
  infer(activeFlow: string | null): Promise<TurnChoice | null> | null;
  /** A new turn is about to begin; publishes what was heard of the previous one. */
  closeTurn(): void;
  /** A signal other than words begins a reply, so decisions about the previous reply no longer apply. */
  beginReply(signal: Signal): void;
  /** Publishes that a chosen flow cannot start, with who chose it and why. */
  tellFallback(by: 'command' | 'hook' | 'router', reason: string): void;
}

/** Timeout of a custom command, in milliseconds. */
const commandTimeoutMs = 10_000;

export function createPolicyGate(parts: PolicyParts): PolicyGate {
  const { hooks, router, flows, context, clock, events, turn: record } = parts;

  const begin = ({ eventId, text, via }: TurnToDecide): void =>
    void Object.assign(record, newTurnRecord('words'), { inbound: { eventId, text, via } });
  const command = async (turn: TurnToDecide): Promise<TurnChoice | null> => {
    // Commands are typed, never spoken.
    if (turn.via !== 'text' || parts.commands === null) return null;
    const { activeFlow } = turn;
    const fail = (reason: string): void => {
      record.isShortCircuit = true;
      events.fail('command', reason);
    };
    const onError = (error: unknown): void => fail(errorKind(error));
    const options = { commands: parts.commands, flows, onError };
    const running = runCommand(turn.text, { sessionId: context.session.id, activeFlow }, options);
    const outcome = await timeLimit(running, clock, commandTimeoutMs);
    if (outcome !== 'late') return outcome === null ? null : follow(outcome);
    fail('timeout');
    return follow({ say: 'That command did not succeed.' });
  };

  const commanded = async (turn: TurnToDecide): Promise<TurnChoice | null> => {
    const choice = await command(turn);
    if (choice?.to === 'nobody' && choice.policy.action === 'hold') record.suppressed = 'command';
    return choice;
  };

  const hook = async ({ text, activeFlow }: Pick<TurnToDecide, 'text' | 'activeFlow'>): Promise<TurnChoice | null> => {
    if (!hooks.has.beforeLLM) return null;
    const decision = await hooks.beforeLLM({ text, activeFlow }, { ...context, inbound: record.inbound });
    const { action } = decision;
    if ('language' in decision && decision.language !== undefined) parts.onLanguage(decision.language);
    const policyReason = 'reason' in decision ? decision.reason : undefined;
    const why = policyReason === undefined ? {} : { policyReason };
    record.policy = { beforeLLMAction: action, ...(policyReason === undefined ? {} : { reason: policyReason }) };
    switch (decision.action) {
      case 'continue':
        return null;
      case 'end':
        record.suppressed = 'beforeLLM';
        return {
          to: 'nobody',
          policy: {
            action: 'end',
            reason: isLine(policyReason) ? policyReason : 'ended-by-policy',
            by: 'hook',
            ...why,
          },
        };
      case 'route_flow':
        return { to: 'flow', flow: decision.flowId, input: decision.input ?? {}, by: 'hook', ...why };
      case 'skip_llm': {
        const { draftReply, structured } = decision;
        record.structured = structured ?? null;
        const line = [draftReply, structured?.['reply']].find(isLine);
        if (line === undefined) record.suppressed = 'beforeLLM';
        return {
          to: 'nobody',
          policy:
            line === undefined
              ? { action: 'hold', by: 'hook', ...why }
              : { action: 'say', text: line, by: 'hook', ...why },
        };
      }
    }
  };

  const route = async (turn: TurnToDecide): Promise<TurnChoice | null> => {
    if (router === null || turn.activeFlow !== null) return null;
    const found = await router.byWords(turn.text, new AbortController().signal, turn.lastSaid);
    if (found === null) return null;
    events.routed(found);
    return found.to === classic ? null : { to: 'flow', flow: found.to, input: {}, by: 'router' };
  };

  const decide = async (turn: TurnToDecide): Promise<TurnChoice> => {
    const choice = (await commanded(turn)) ?? (await hook(turn)) ?? (await route(turn)) ?? { to: 'current' };
    record.isShortCircuit = choice.to === 'nobody';
    return choice;
  };

  const decideAlone = async (activeFlow: string | null): Promise<TurnChoice | null> => {
    const choice = await hook({ text: record.inbound?.text ?? '', activeFlow });
    record.isShortCircuit ||= choice?.to === 'nobody';
    return choice;
  };

  const decides = parts.commands !== null || hooks.has.beforeLLM || router !== null || parts.readsReplies === true;
  return {
    decides,
    choose(turn) {
      begin(turn);
      return decides ? decide(turn) : { to: 'current' };
    },
    async command(turn) {
      const choice = await command(turn);
      if (choice === null) return null;
      begin(turn);
      record.isShortCircuit = choice.to === 'nobody';
      if (choice.to === 'nobody' && choice.policy.action === 'hold') record.suppressed = 'command';
      return choice;
    },
    async answer(turn) {
      begin(turn);
      const choice = await hook(turn);
      record.isShortCircuit = choice?.to === 'nobody';
      return choice;
    },
    infer(activeFlow) {
      // A process that takes over a session continues a turn that was decided already.
      const isDecided = record.policy.beforeLLMAction !== undefined || record.begunBy === 'resume';
      return hooks.has.beforeLLM && !isDecided ? decideAlone(activeFlow) : null;
    },
    closeTurn: () => parts.onTurn(),
    beginReply(signal) {
      if (!beginsReply(signal)) return;
      parts.onTurn();
      Object.assign(record, newTurnRecord(signal.type === 'session:resumed' ? 'resume' : 'event'));
    },
    tellFallback: (by, reason) => events.fellBack(by === 'router' ? (router?.mode ?? by) : by, reason),
  };
}

/** Whether the text has anything to say. */
function isLine(text: Json | undefined): text is string {
  return typeof text === 'string' && text.trim() !== '';
}

function follow({ say, startFlow, stopFlow }: CommandOutcome): TurnChoice {
  const line = isLine(say) ? say : undefined;
  if (startFlow !== undefined)
    return { to: 'flow', flow: startFlow, input: {}, by: 'command', ...(line === undefined ? {} : { say: line }) };
  const policy: TurnPolicy =
    line === undefined ? { action: 'hold', by: 'command' } : { action: 'say', text: line, by: 'command' };
  return { to: 'nobody', policy, ...(stopFlow === true ? { stopsFlow: true } : {}) };
}

/** Signals after which the session speaks although the caller said nothing. */
const beginning: ReadonlySet<Signal['type']> = new Set<Signal['type']>([
  'session:resumed',
  'silence:elapsed',
  'node:requested',
  'limit:reached',
  'flow:swapped',
  'wait:resolved',
  'wait:expired',
  'run:ended',
  'takeover:started',
  'takeover:said',
  'takeover:ended',
]);

/** Checks whether the words after a signal are a new reply and not the rest of the previous one. */
function beginsReply(signal: Signal): boolean {
  if (signal.type === 'flow:swapped' && signal.stays === true) return false;
  return beginning.has(signal.type);
}
