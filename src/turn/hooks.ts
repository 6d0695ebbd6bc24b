import { z } from 'zod';
import { errorKind } from '../errors.ts';
import type { Json } from '../events/json.ts';
import type { Clock } from '../ports/time.ts';
import { timeLimit } from './time-limit.ts';

/** What every hook is given of the session it runs for. */
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

/** Where a reply comes from (spec 3 §5.1). */
export type ResponseSource = 'classic' | 'flow' | 'short_circuit' | 'scheduled';

export interface BeforeLLMInput {
  readonly text: string;
  /** The flow that has the conversation; null on the classic path. */
  readonly activeFlow: string | null;
}

const structured = z.record(z.string(), z.json());
const reason = z.string().max(500).optional();

const beforeLLMDecision = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('continue') }),
  z.strictObject({
    action: z.literal('skip_llm'),
    /** Said instead of a reply; without it the caller hears nothing. */
    draftReply: z.string().optional(),
    structured: structured.optional(),
    reason,
  }),
  z.strictObject({ action: z.literal('route_flow'), flowId: z.string(), input: z.json().optional(), reason }),
  z.strictObject({ action: z.literal('end'), reason }),
]);

const beforeResponseDecision = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('continue') }),
  z.strictObject({ action: z.literal('cancel'), reason }),
  z.strictObject({
    action: z.literal('replace'),
    reply: z.string(),
    modality: z.enum(['text', 'voice']).optional(),
    structured: structured.optional(),
    reason,
  }),
]);

/** Whether a turn goes on to a model or a flow (spec 3 §4.1). */
export type BeforeLLMDecision = z.output<typeof beforeLLMDecision>;

/** Whether a reply is said (spec 3 §4.2). */
export type BeforeResponseDecision = z.output<typeof beforeResponseDecision>;

export interface BeforeResponseInput {
  /** What is to be said: the whole reply, or one sentence of it. */
  readonly reply: string;
  readonly structured: Readonly<Record<string, Json>> | null;
  readonly source: ResponseSource;
  readonly flowId: string | null;
}

/** What became of a reply (spec 3 §5.1, spec 2 §5.2). */
export interface ResponseMeta {
  readonly source: ResponseSource;
  readonly flowId?: string;
  readonly handoffFrom?: string;
  readonly policy?: {
    readonly beforeLLMAction?: BeforeLLMDecision['action'];
    readonly beforeResponseAction?: BeforeResponseDecision['action'];
  };
  readonly hitlState?:
    | 'none'
    | 'pending_confirm'
    | 'live_takeover'
    | 'pending_admin_resolution'
    | 'resolved'
    | 'timed_out';
  readonly escalationId?: string;
}

/** A reply as handlers see it; more fields where the agent's output has them. */
export interface StructuredReply {
  readonly reply: string;
  readonly [field: string]: unknown;
}

/** Policy around the reply of a turn (spec 3). A hook that throws, hangs or answers nonsense counts as `continue`. */
export interface Hooks {
  /** Before anything is inferred, once a turn. */
  readonly beforeLLM?: ((input: BeforeLLMInput, ctx: AgentContext) => Promise<BeforeLLMDecision | void>) | undefined;
  /** Before anything of a reply is heard. */
  readonly beforeResponse?:
    | ((input: BeforeResponseInput, ctx: AgentContext) => Promise<BeforeResponseDecision | void>)
    | undefined;
  /** After a reply was heard and kept, once a turn. */
  readonly onResponse?:
    | ((structured: StructuredReply, ctx: AgentContext, meta?: ResponseMeta) => Promise<void>)
    | undefined;
  /** How long a hook may take, in milliseconds; 2,000 where absent. */
  readonly timeoutMs?: number | undefined;
  /** What `beforeResponse` decides about at a time; the whole reply where absent. */
  readonly decideBy?: 'reply' | 'sentence' | undefined;
}

export type HookStage = 'beforeLLM' | 'beforeResponse' | 'onResponse';

/** The hooks of an agent, made safe: none of these ever rejects or takes longer than allowed. */
export interface SafeHooks {
  readonly has: Readonly<Record<HookStage, boolean>>;
  readonly decideBy: 'reply' | 'sentence';
  beforeLLM(input: BeforeLLMInput, ctx: AgentContext): Promise<BeforeLLMDecision>;
  beforeResponse(input: BeforeResponseInput, ctx: AgentContext): Promise<BeforeResponseDecision>;
  onResponse(reply: StructuredReply, ctx: AgentContext, meta: ResponseMeta): Promise<void>;
}

const defaultTimeoutMs = 2_000;

/** Makes hooks safe. A failure is told by its stage and kind, never by its text, which may quote the caller. */
export function createHooks(
  hooks: Hooks,
  { clock, onFailure }: { readonly clock: Clock; readonly onFailure: (stage: HookStage, reason: string) => void },
): SafeHooks {
  const timeoutMs = hooks.timeoutMs ?? defaultTimeoutMs;
  const settle = async <Value>(stage: HookStage, run: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      // A hook may be written without async, and throw at once.
      const answer = await timeLimit(Promise.resolve().then(run), clock, timeoutMs);
      if (answer !== 'late') return answer;
      onFailure(stage, 'timeout');
    } catch (error) {
      onFailure(stage, errorKind(error));
    }
    return undefined;
  };
  const decide = async <Decision extends { readonly action: string }>(
    stage: HookStage,
    schema: z.ZodType<Decision>,
    run: () => Promise<unknown>,
  ): Promise<Decision | { readonly action: 'continue' }> => {
    const answer = await settle(stage, run);
    if (answer === undefined || answer === null) return { action: 'continue' };
    const decision = schema.safeParse(answer);
    if (decision.success) return decision.data;
    onFailure(stage, 'decision-invalid');
    return { action: 'continue' };
  };
  const { beforeLLM, beforeResponse, onResponse } = hooks;
  return {
    has: {
      beforeLLM: beforeLLM !== undefined,
      beforeResponse: beforeResponse !== undefined,
      onResponse: onResponse !== undefined,
    },
    decideBy: hooks.decideBy ?? 'reply',
    beforeLLM: (input, ctx) => decide('beforeLLM', beforeLLMDecision, async () => beforeLLM?.(input, ctx)),
    beforeResponse: (input, ctx) =>
      decide('beforeResponse', beforeResponseDecision, async () => beforeResponse?.(input, ctx)),
    onResponse: async (reply, ctx, meta) => {
      await settle('onResponse', async () => onResponse?.(reply, ctx, meta));
    },
  };
}
