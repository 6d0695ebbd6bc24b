import type { HitlState } from '../../model/events/event.ts';
import { errorKind } from '../../model/errors.ts';
import type { EntryCorrelation } from '../../model/inbox.ts';
import type { Json } from '../../model/json.ts';
import type { Clock } from '../../model/ports/time.ts';
import {
  type BeforeLLMDecision,
  type BeforeResponseDecision,
  type ObeyedBeforeLLM,
  type ObeyedBeforeResponse,
  readBeforeLLM,
  readBeforeResponse,
  type ReadDecision,
} from './decisions.ts';
import { timeLimit } from '../time-limit.ts';

/** The session that a hook runs for. */
export interface AgentContext {
  /** The host's data about the caller. */
  readonly user: Readonly<Record<string, unknown>>;
  readonly session: { readonly id: string; readonly timeZone: string };
  /** The caller's words in this turn; null if the turn began without words. */
  readonly inbound: { readonly eventId: string; readonly text: string; readonly via: string } | null;
  /** Target of answers, such as a room or a number; null if the host does not set it. */
  readonly replyTarget: string | null;
  readonly resources: Readonly<Record<string, unknown>>;
}

/** Origin of a reply. */
export type ResponseSource = 'classic' | 'flow' | 'short_circuit' | 'scheduled';

/** Input of `beforeLLM`: a turn before anything answers it. */
export interface BeforeLLMInput {
  /** Empty if the turn began without words: the first turn of a run, or an inference after a decision, a deadline or `enter`. */
  readonly text: string;
  /** The active flow; null on the classic path. */
  readonly activeFlow: string | null;
}

/** Input of `beforeResponse`: a reply before any of it is heard. */
export interface BeforeResponseInput {
  /** The text to be said: the whole reply, or one sentence of it. */
  readonly reply: string;
  readonly structured: Readonly<Record<string, Json>> | null;
  readonly source: ResponseSource;
  readonly flowId: string | null;
}

/**
 * The outcome of a reply with the ids it belongs to: a wait for a person (`escalationId`, `proxyId`), a schedule
 * (`scheduleId`), a campaign (`campaignId`, `segmentId`, `recipientUserExternalId`). For a turn started by a
 * schedule or a campaign, `triggerType`, `scheduledFor` (epoch milliseconds) and `runAttempt` identify the run.
 */
export interface ResponseMeta extends EntryCorrelation {
  readonly source: ResponseSource;
  readonly flowId?: string;
  readonly handoffFrom?: string;
  readonly policy?: {
    readonly beforeLLMAction?: BeforeLLMDecision['action'];
    /** The strongest of several decisions about one reply: `cancel` before `replace` before `continue`. */
    readonly beforeResponseAction?: BeforeResponseDecision['action'];
    /** Reason given by the hook that decided last. */
    readonly reason?: string;
  };
  /** The caller interrupted; `reply` contains the part that was heard. */
  readonly interrupted?: true;
  readonly hitlState?: HitlState;
}

/** A reply as handlers see it; further fields come from the agent's `output` schema. */
export interface StructuredReply {
  /** The text that was heard; empty if a hook suppressed all of it. */
  readonly reply: string;
  readonly [field: string]: unknown;
}

/** Behaviour after a hook fails: the turn continues as without the hook, or unapproved output is blocked. */
export type OnHookError = 'continue' | 'block';

/**
 * Hooks around the reply of a turn. Unusable parts of a decision are dropped and published as
 * an event. If a hook throws, times out or returns no valid decision, `onHookError` applies.
 */
export interface Hooks {
  /** Runs before any inference, once per turn, whatever started the turn. */
  readonly beforeLLM?: ((input: BeforeLLMInput, ctx: AgentContext) => Promise<BeforeLLMDecision | void>) | undefined;
  /** Runs before any of a reply is heard. */
  readonly beforeResponse?:
    | ((input: BeforeResponseInput, ctx: AgentContext) => Promise<BeforeResponseDecision | void>)
    | undefined;
  /** Runs once per turn, after a reply was heard and stored, or suppressed. */
  readonly onResponse?:
    | ((structured: StructuredReply, ctx: AgentContext, meta?: ResponseMeta) => Promise<void>)
    | undefined;
  /** Timeout of a hook in milliseconds. Default: 2,000. */
  readonly timeoutMs?: number | undefined;
  /** The unit that `beforeResponse` decides about. Default: the whole reply. */
  readonly decideBy?: 'reply' | 'sentence' | undefined;
  /**
   * Default: `continue`. `block` is for safety hooks: if `beforeLLM` fails, the model is not
   * asked; if `beforeResponse` fails, the reply is not said. The caller hears `blockedLine`.
   */
  readonly onHookError?:
    | OnHookError
    | { readonly beforeLLM?: OnHookError | undefined; readonly beforeResponse?: OnHookError | undefined }
    | undefined;
  /** Said instead of blocked output. Default: an English apology. */
  readonly blockedLine?: string | undefined;
}

export type HookStage = 'beforeLLM' | 'beforeResponse' | 'onResponse';

/** Hooks that never reject and never exceed their timeout. */
export interface SafeHooks {
  readonly has: Readonly<Record<HookStage, boolean>>;
  readonly decideBy: 'reply' | 'sentence';
  beforeLLM(input: BeforeLLMInput, ctx: AgentContext): Promise<ObeyedBeforeLLM>;
  beforeResponse(input: BeforeResponseInput, ctx: AgentContext): Promise<ObeyedBeforeResponse>;
  onResponse(reply: StructuredReply, ctx: AgentContext, meta: ResponseMeta): Promise<void>;
}

export const defaultHookTimeoutMs = 2_000;

const defaultBlockedLine = 'Sorry, I cannot help with that just now.';

export interface HookWatch {
  readonly clock: Clock;
  /** A hook is called. Returns the function that marks its end. */
  readonly onAsked?: (stage: HookStage) => () => void;
  /** A hook failed. Receives its stage and the kind of failure, never the error text, which may quote the caller. */
  readonly onFailure: (stage: HookStage, reason: string) => void;
  /** Parts of a decision could not be used; receives their keys. */
  readonly onDropped: (stage: HookStage, action: string, keys: readonly string[]) => void;
}

/** Wraps hooks so that they never reject and never exceed their timeout. */
export function createHooks(hooks: Hooks, { clock, onAsked, onFailure, onDropped }: HookWatch): SafeHooks {
  const { beforeLLM, beforeResponse, onResponse, onHookError = 'continue' } = hooks;
  const timeoutMs = hooks.timeoutMs ?? defaultHookTimeoutMs;
  const blockedLine = hooks.blockedLine ?? defaultBlockedLine;
  const onErrorOf = (stage: 'beforeLLM' | 'beforeResponse'): OnHookError =>
    typeof onHookError === 'string' ? onHookError : (onHookError[stage] ?? 'continue');

  const settle = async <Value>(
    stage: HookStage,
    run: () => Promise<Value>,
  ): Promise<{ readonly answer: Value } | null> => {
    const answered = onAsked?.(stage);
    try {
      // A hook that is not async may throw synchronously.
      const answer = await timeLimit(Promise.resolve().then(run), clock, timeoutMs);
      if (answer !== 'late') return { answer };
      onFailure(stage, 'timeout');
    } catch (error) {
      onFailure(stage, errorKind(error));
    } finally {
      answered?.();
    }
    return null;
  };
  /** Returns a hook's decision; null if the hook failed. */
  const decide = async <Decision extends { readonly action: string }>(
    stage: HookStage,
    read: (answer: unknown) => ReadDecision<Decision> | null,
    run: () => Promise<unknown>,
  ): Promise<Decision | { readonly action: 'continue' } | null> => {
    const settled = await settle(stage, run);
    if (settled === null) return null;
    if (settled.answer === undefined || settled.answer === null) return { action: 'continue' };
    try {
      const found = read(settled.answer);
      if (found === null) {
        onFailure(stage, 'decision-invalid');
        return null;
      }
      if (found.dropped.length > 0) onDropped(stage, found.decision.action, found.dropped);
      return found.decision;
    } catch (error) {
      onFailure(stage, errorKind(error));
      return null;
    }
  };
  return {
    has: {
      beforeLLM: beforeLLM !== undefined,
      beforeResponse: beforeResponse !== undefined,
      onResponse: onResponse !== undefined,
    },
    decideBy: hooks.decideBy ?? 'reply',
    async beforeLLM(input, ctx) {
      const decision = await decide('beforeLLM', readBeforeLLM, async () => beforeLLM?.(input, ctx));
      if (decision !== null) return decision;
      return onErrorOf('beforeLLM') === 'block'
        ? { action: 'skip_llm', draftReply: blockedLine }
        : { action: 'continue' };
    },
    async beforeResponse(input, ctx) {
      const decision = await decide('beforeResponse', readBeforeResponse, async () => beforeResponse?.(input, ctx));
      if (decision !== null) return decision;
      return onErrorOf('beforeResponse') === 'block'
        ? { action: 'replace', reply: blockedLine, blocks: true }
        : { action: 'continue' };
    },
    onResponse: async (reply, ctx, meta) => {
      await settle('onResponse', async () => onResponse?.(reply, ctx, meta));
    },
  };
}
