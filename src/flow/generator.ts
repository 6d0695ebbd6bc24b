import type { z } from 'zod';
import type { SlotDocument } from './slot.ts';

/** A simple kind of value, and the rules that its values follow: those of slots. */
export interface AnswerKind extends Partial<
  Readonly<Pick<SlotDocument, 'before' | 'after' | 'minimum' | 'maximum' | 'pattern' | 'region'>>
> {
  readonly type: SlotDocument['type'];
  /** For `enum`: the values, or each value with the words that mean it. */
  readonly values?: readonly string[] | Readonly<Record<string, readonly string[]>>;
}

interface Question {
  /** What the answer is called: by it a journal knows the question again. */
  readonly key: string;
  /** The question, spoken word for word. */
  readonly text: string;
  /** Spoken where an answer was not understood; an apology with the question where absent. */
  readonly again?: string;
}

/** A question to the caller. Without a type or schema its answer is the caller's own words. */
export type AskOptions =
  | (Question & { readonly type?: undefined; readonly schema?: undefined })
  | (Question & AnswerKind & { readonly schema?: undefined })
  | (Question & { readonly schema: z.ZodType; readonly type?: undefined });

/** What the answer to a question is. */
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

/** A call of a registered function, by the way that the model's own calls take. */
export interface ToolOptions {
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** A `write` (where absent) is committed before it runs, and run again under the same key after a crash. */
  readonly effect?: 'read' | 'write';
  /** How long one attempt may take. */
  readonly timeoutMs?: number;
  readonly retry?: { readonly maxAttempts: number; readonly backoffMs?: number };
}

/** What the input of a node of the same name says: `to`, `question`, `facts`, `options`, `deadline` and so on. */
export type InterruptInput = Readonly<Record<string, unknown>>;

interface Interrupt {
  /** What it is called: by it a journal knows it again. */
  readonly key: string;
  /** What whoever is asked is shown; the question where absent. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Said to the caller when the wait begins. */
  readonly say?: string;
  /** What a caller hears who is silent meanwhile, in turn. */
  readonly meanwhile?: { readonly every?: string; readonly say?: string | readonly string[] };
  /** What happens where nobody answers in time; several come one after the other. */
  readonly deadline?: DeadlineOptions | readonly DeadlineOptions[];
  /** What is done with the news where the caller has hung up: kept for their next call where absent. */
  readonly reach?: 'wait' | 'message' | 'call';
}

/** When nobody has answered, and what is done then: `answer` resolves it by a default. */
export type DeadlineOptions = ({ readonly after: string } | { readonly at: string }) &
  (
    | { readonly then: 'remind' }
    | { readonly then: 'escalate'; readonly to: string }
    | { readonly then: 'answer'; readonly answer: string | Readonly<Record<string, unknown>> }
    | { readonly then: 'end'; readonly reason?: string }
  );

/** A question to somebody with authority. `options` are the decisions to choose from, `approve` and `reject` where absent. */
export interface EscalateOptions extends Interrupt {
  readonly to: string;
  readonly question: string;
  readonly options?: readonly string[];
}

/** A yes or no: of the one whom `of` names, and of the caller where it is absent. */
export type ConfirmOptions =
  | (Interrupt & { readonly of: string; readonly question: string })
  | { readonly key: string; readonly question: string; readonly of?: undefined };

/** What is waited for besides people's decisions: a time, an event from outside, or a person's words in the caller's stead. */
export type WaitOptions = Interrupt &
  (
    | { readonly for: string }
    | { readonly until: string }
    | { readonly event: string }
    | { readonly proxy: string; readonly question?: string }
  );

/** How a call ended. Refused arguments, failures and time limits are outcomes as well: the flow decides what follows. */
export type ToolOutcome<Result = unknown> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: string };

/** What a generator flow yields. */
export type FlowYield =
  | { readonly type: 'say'; readonly text: string }
  // The kind of answer has a field of its own: `type` says that it is a question.
  | (Question & {
      readonly type: 'ask';
      readonly expects?: AnswerKind | z.ZodType;
      /** Something is done after a yes: one with a condition is none. */
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

/** What a flow may return: why it ended. */
export type FlowReturn = { readonly reason?: string } | void;

/** What a yield is answered with: a caller's answer, a tool's outcome, or nothing. */
export type FlowResumeInput = unknown;

/** Where a flow is: for the flow itself and for whoever looks on. */
export interface ActiveFlowState {
  readonly flowId: string;
  /** How many yields there were. */
  readonly step: number;
  readonly lastYield: FlowYield | null;
  /** The key of the question that is open. */
  readonly pendingAskKey: string | null;
}

/**
 * What a flow is given. All that could differ when the flow runs again after a crash is journaled: use `now`, `random`
 * and `uuid` instead of the machine's own, and reach the world by tools.
 */
export interface FlowContext<Resources = Readonly<Record<string, unknown>>> {
  /** What the host knows of the caller. */
  readonly user: Readonly<Record<string, unknown>>;
  readonly session: { readonly id: string; readonly timeZone: string };
  /** The language that is spoken, by its BCP 47 tag, journaled: it changes where a call goes on in another one. */
  readonly language: string;
  /** What the caller said last, at the beginning the words that led here; null where nobody has said anything. */
  readonly inbound: { readonly eventId: string; readonly text: string; readonly via: string } | null;
  /** Where answers go, such as a room or a number; null where the host does not say. */
  readonly replyTarget: string | null;
  /** What the host hands to its flows. Not journaled: what it answers must be the same when the flow runs again. */
  readonly resources: Resources;
  /** What the flow was handed: the session's input, or that of a handoff. */
  readonly input: unknown;
  /**
   * Ends the conversation after what was said so far, at the next yield or return: called as it is, or yielded to
   * (`yield* ctx.endSession('enough')`).
   */
  endSession(reason?: string): Generator<FlowYield, never, FlowResumeInput>;
  /**
   * Ends this flow and begins another one, at the next yield or return: called as it is, or as another name of `handoff`
   * (`yield* ctx.startFlow('reminder')`).
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

/** A flow as an async generator: it yields what is to happen, and is resumed with what came of it. */
export type FlowDefinition<Resources = Readonly<Record<string, unknown>>> = (
  ctx: FlowContext<Resources>,
) => AsyncGenerator<FlowYield, FlowReturn, FlowResumeInput>;

/** A generator flow as `defineFlow` makes it. */
export interface GeneratorFlow {
  readonly kind: 'generator';
  /** The name of the function, `flow` where it has none; a name under which it is registered counts more. */
  readonly name: string;
  /** Begins a run; `ctx` must hold the resources that the flow was written for. */
  readonly run: FlowDefinition<never>;
}

/** Whether a flow is a generator. */
export function isGeneratorFlow(flow: unknown): flow is GeneratorFlow {
  return typeof flow === 'object' && flow !== null && 'kind' in flow && flow.kind === 'generator' && 'run' in flow;
}
