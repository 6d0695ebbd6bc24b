import type { HitlState } from '../../events/event.ts';
import { errorKind } from '../../errors.ts';
import type { EntryCorrelation } from '../../events/inbox.ts';
import type { Json } from '../../events/json.ts';
import type { Clock } from '../../ports/time.ts';
import {
  type BeforeLLMDecision,
  type BeforeResponseDecision,
  type ObeyedBeforeLLM,
  type ObeyedBeforeResponse,
  readBeforeLLM,
  readBeforeResponse,
  type ReadDecision,
} from './decisions.ts';
import { timeLimit } from '../engine/time-limit.ts';

/** The session that a hook runs for. */
export interface AgentContext {
  /** What the host knows of the caller. */
  readonly user: Readonly<Record<string, unknown>>;
  readonly session: { readonly id: string; readonly timeZone: string };
  /** What the caller said in this turn; null where nobody said anything. */
  readonly inbound: { readonly eventId: string; readonly text: string; readonly via: string } | null;
  /** Where answers go, such as a room or a number; null where the host does not say. */
  readonly replyTarget: string | null;
  readonly resources: Readonly<Record<string, unknown>>;
}

/** Where a reply comes from. */
export type ResponseSource = 'classic' | 'flow' | 'short_circuit' | 'scheduled';

/** What `beforeLLM` is asked about: a turn before anything answers it. */
export interface BeforeLLMInput {
  /** Empty if no words have begun the turn: the first turn of a run, or an inference behind a decision, a deadline or `enter`. */
  readonly text: string;
  /** The flow that has the conversation; null on the classic path. */
  readonly activeFlow: string | null;
}

/** What `beforeResponse` is asked about: a reply before anything of it is heard. */
export interface BeforeResponseInput {
  /** What is to be said: the whole reply, or one sentence of it. */
  readonly reply: string;
  readonly structured: Readonly<Record<string, Json>> | null;
  readonly source: ResponseSource;
  readonly flowId: string | null;
}

/**
 * The outcome of a reply, with what it belongs to: a wait for a person (`escalationId`, `proxyId`), a schedule
 * (`scheduleId`), a campaign (`campaignId`, `segmentId`, `recipientUserExternalId`). Of a turn that a schedule or a campaign
 * has made, `triggerType`, `scheduledFor` (epoch milliseconds) and `runAttempt` tell what has, for when, and at which try.
 */
export interface ResponseMeta extends EntryCorrelation {
  readonly source: ResponseSource;
  readonly flowId?: string;
  readonly handoffFrom?: string;
  readonly policy?: {
    readonly beforeLLMAction?: BeforeLLMDecision['action'];
    /** The strongest of several decisions about one reply: `cancel` before `replace` before `continue`. */
    readonly beforeResponseAction?: BeforeResponseDecision['action'];
    /** Why, in the words of the hook that decided last. */
    readonly reason?: string;
  };
  /** The caller spoke over it: `reply` is the part that was heard. */
  readonly interrupted?: true;
  readonly hitlState?: HitlState;
}

/** A reply as handlers see it; more fields where the agent's output has them. */
export interface StructuredReply {
  /** What was heard; empty where a hook has suppressed it all. */
  readonly reply: string;
  readonly [field: string]: unknown;
}

/** What counts where a hook fails: its turn goes on as if there were none, or nothing is said that it has not let pass. */
export type OnHookError = 'continue' | 'block';

/**
 * Policy around the reply of a turn. A decision that can be recognised is obeyed, and what cannot be
 * used of the rest is dropped and told. A hook that throws, hangs or answers no decision counts as `onHookError` says.
 */
export interface Hooks {
  /** Before anything is inferred, once a turn, whatever has begun it. */
  readonly beforeLLM?: ((input: BeforeLLMInput, ctx: AgentContext) => Promise<BeforeLLMDecision | void>) | undefined;
  /** Before anything of a reply is heard. */
  readonly beforeResponse?:
    | ((input: BeforeResponseInput, ctx: AgentContext) => Promise<BeforeResponseDecision | void>)
    | undefined;
  /** After a reply was heard and kept, or suppressed, once a turn. */
  readonly onResponse?:
    | ((structured: StructuredReply, ctx: AgentContext, meta?: ResponseMeta) => Promise<void>)
    | undefined;
  /** How long a hook may take, in milliseconds; 2,000 where absent. */
  readonly timeoutMs?: number | undefined;
  /** What `beforeResponse` decides about at a time; the whole reply where absent. */
  readonly decideBy?: 'reply' | 'sentence' | undefined;
  /**
   * `continue` where absent. `block`, for hooks that guard safety: where `beforeLLM` fails nothing is inferred, where
   * `beforeResponse` fails the reply is not said, and the caller hears `blockedLine`.
   */
  readonly onHookError?:
    | OnHookError
    | { readonly beforeLLM?: OnHookError | undefined; readonly beforeResponse?: OnHookError | undefined }
    | undefined;
  /** Said in place of what is blocked; an English apology where absent. */
  readonly blockedLine?: string | undefined;
}

export type HookStage = 'beforeLLM' | 'beforeResponse' | 'onResponse';

/** The hooks of an agent, made safe: none of these ever rejects or takes longer than allowed. */
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
  /** A hook is asked. Returns what ends that. */
  readonly onAsked?: (stage: HookStage) => () => void;
  /** A hook has failed: its stage and the kind of failure, never its text, which may quote the caller. */
  readonly onFailure: (stage: HookStage, reason: string) => void;
  /** Parts of a decision could not be used: their keys. */
  readonly onDropped: (stage: HookStage, action: string, keys: readonly string[]) => void;
}

/** Makes hooks safe. */
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
      // A hook may be written without async, and throw at once.
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
  /** What a hook has decided; null where it has failed. */
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
