import type { z } from 'zod';
import type { SlotDocument } from './slot.ts';

/** A type of answer with its rules, as for slots. */
export interface AnswerKind extends Partial<
  Readonly<Pick<SlotDocument, 'before' | 'after' | 'minimum' | 'maximum' | 'pattern' | 'region'>>
> {
  readonly type: SlotDocument['type'];
  /** For `enum`: the values, or each value with its words. */
  readonly values?: readonly string[] | Readonly<Record<string, readonly string[]>>;
}

interface Question {
  /** The name of the answer, which identifies the question in the journal. */
  readonly key: string;
  /** The question, spoken word for word. */
  readonly text: string;
  /** The line after an answer that was not understood. Default: an apology with the question. */
  readonly again?: string;
}

/** A question to the caller. Without a type or schema the answer is the caller's words. */
export type AskOptions =
  | (Question & { readonly type?: undefined; readonly schema?: undefined })
  | (Question & AnswerKind & { readonly schema?: undefined })
  | (Question & { readonly schema: z.ZodType; readonly type?: undefined });

/** The type of the answer to a question. */
export type AnswerOf<Options> = Options extends { readonly schema: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : Options extends { readonly type: 'number' | 'integer' }
    ? number
    : Options extends { readonly type: 'boolean' }
      ? boolean
      : Options extends { readonly values: readonly (infer Value extends string)[] }
        ? Value
        : Options extends { readonly values: infer Values }
          ? keyof Values & string
          : string;

/** A call of a registered function, with the same rules as calls of the model. */
export interface ToolOptions {
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Default: `write`, which is committed before it runs, and repeated with the same key after a crash. */
  readonly effect?: 'read' | 'write';
  /** Time limit of one attempt in milliseconds. */
  readonly timeoutMs?: number;
  readonly retry?: { readonly maxAttempts: number; readonly backoffMs?: number };
}

/** The input of the node type of the same name: `to`, `question`, `facts`, `options`, `deadline` and so on. */
export type InterruptInput = Readonly<Record<string, unknown>>;

interface Interrupt {
  /** The name of the wait, which identifies it in the journal. */
  readonly key: string;
  /** The facts to show to the person. Default: the question. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** A line for the caller at the beginning of the wait. */
  readonly say?: string;
  /** Lines for a silent caller during the wait, in turn. */
  readonly meanwhile?: { readonly every?: string; readonly say?: string | readonly string[] };
  /** The deadline for an answer. Several deadlines follow each other. */
  readonly deadline?: DeadlineOptions | readonly DeadlineOptions[];
  /** How the result reaches a caller who has hung up. Default: in their next call. */
  readonly reach?: 'wait' | 'message' | 'call';
}

/** A time limit without an answer, and the action after it: `answer` resolves the wait with a default. */
export type DeadlineOptions = ({ readonly after: string } | { readonly at: string }) &
  (
    | { readonly then: 'remind' }
    | { readonly then: 'escalate'; readonly to: string }
    | { readonly then: 'answer'; readonly answer: string | Readonly<Record<string, unknown>> }
    | { readonly then: 'end'; readonly reason?: string }
  );

/** A question to a person with authority. `options` are the possible decisions. Default: `approve` and `reject`. */
export interface EscalateOptions extends Interrupt {
  readonly to: string;
  readonly question: string;
  readonly options?: readonly string[];
}

/** A yes-or-no question to the person in `of`, by default to the caller. */
export type ConfirmOptions =
  | (Interrupt & { readonly of: string; readonly question: string })
  | { readonly key: string; readonly question: string; readonly of?: undefined };

/** A wait for a time, an event from outside, or the words of a person who answers for the caller. */
export type WaitOptions = Interrupt &
  (
    | { readonly for: string }
    | { readonly until: string }
    | { readonly event: string }
    | { readonly proxy: string; readonly question?: string }
  );

/** The outcome of a call. Refused arguments, failures and time limits are outcomes too; the flow decides what follows. */
export type ToolOutcome<Result = unknown> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: string };

/** A step that a generator flow yields. */
export type FlowYield =
  | { readonly type: 'say'; readonly text: string }
  // `expects` is the type of the answer, because `type` is the kind of the yield.
  | (Question & {
      readonly type: 'ask';
      readonly expects?: AnswerKind | z.ZodType;
      /** The yes is consent to an action, so a yes with a condition does not count. */
      readonly isConsent?: true;
    })
  | ({ readonly type: 'tool' } & ToolOptions)
  | {
      readonly type: `interrupt.${'confirm' | 'escalate' | 'wait'}`;
      readonly key: string;
      readonly input: InterruptInput;
    }
  | { readonly type: 'handoff'; readonly to: string; readonly input?: unknown }
  | { readonly type: 'end'; readonly reason?: string };

/** The return value of a flow: the reason of its end. */
export type FlowReturn = { readonly reason?: string } | void;

/** The result of a yield: a caller's answer, a tool's outcome, or nothing. */
export type FlowResumeInput = unknown;

/** The position of a flow, for the flow and for observers. */
export interface ActiveFlowState {
  readonly flowId: string;
  /** The number of yields so far. */
  readonly step: number;
  readonly lastYield: FlowYield | null;
  /** The key of the open question. */
  readonly pendingAskKey: string | null;
}

/**
 * The context of a flow. Values that could differ when the flow runs again after a crash are journaled: use `now`, `random`
 * and `uuid` instead of those of the machine, and access the outside world by tools.
 */
export interface FlowContext<Resources = Readonly<Record<string, unknown>>> {
  /** Data of the host about the caller. */
  readonly user: Readonly<Record<string, unknown>>;
  readonly session: { readonly id: string; readonly timeZone: string };
  /** The current language as a BCP 47 tag, journaled. It changes if the call changes its language. */
  readonly language: string;
  /** The caller's last words; at the beginning the words that led to the flow. null if there are none. */
  readonly inbound: { readonly eventId: string; readonly text: string; readonly via: string } | null;
  /** The address for answers, such as a room or a number; null if the host sets none. */
  readonly replyTarget: string | null;
  /** Resources of the host. They are not journaled: their answers must be the same when the flow runs again. */
  readonly resources: Resources;
  /** The input of the session, or of a handoff. */
  readonly input: unknown;
  /**
   * Ends the conversation at the next yield or return. It may be called directly, or with `yield*`
   * (`yield* ctx.endSession('enough')`).
   */
  endSession(reason?: string): Generator<FlowYield, never, FlowResumeInput>;
  /**
   * Ends this flow and starts another one at the next yield or return. It may be called directly, or with `yield*` like
   * `handoff` (`yield* ctx.startFlow('reminder')`).
   */
  startFlow(flowId: string, input?: unknown): Generator<FlowYield, never, FlowResumeInput>;
  getActiveFlowState(): ActiveFlowState;
  /** Epoch milliseconds, journaled. */
  now(): number;
  /** A number in [0, 1), journaled. */
  random(): number;
  /** A new id in the form of a UUID, journaled. */
  uuid(): string;
}

/** A flow as an async generator. It yields steps and is resumed with their results. */
export type FlowDefinition<Resources = Readonly<Record<string, unknown>>> = (
  ctx: FlowContext<Resources>,
) => AsyncGenerator<FlowYield, FlowReturn, FlowResumeInput>;

/** A generator flow made by `defineFlow`. */
export interface GeneratorFlow {
  readonly kind: 'generator';
  /** The name of the function, by default `flow`. A registered name takes precedence. */
  readonly name: string;
  /** Starts a run. `ctx` must have the resources that the flow expects. */
  readonly run: FlowDefinition<never>;
}

/** Checks whether a flow is a generator. */
export function isGeneratorFlow(flow: unknown): flow is GeneratorFlow {
  return typeof flow === 'object' && flow !== null && 'kind' in flow && flow.kind === 'generator' && 'run' in flow;
}
