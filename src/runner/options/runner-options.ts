import type { EntryCorrelation, Reach } from '../../model/inbox.ts';
import type { JsonObject } from '../../model/json.ts';
import type { FlowMove } from '../../flow/document/move.ts';
import type { Catalog } from '../../flow/graph/nodes/catalog.ts';
import type { AllowedHosts } from '../../flow/graph/http-tool.ts';
import type { FlowSource } from '../../flow/load/files/flow-library.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock, Ids, Random } from '../../model/ports/time.ts';
import type { Transfers } from '../../model/ports/transfers.ts';
import type { AgentPolicy } from '../../livekit/agent/agent-policy.ts';
import type { FunctionTool } from '../../livekit/tools/function-tool.ts';
import type { AfterCallRule } from '../../engine/session/after-call.ts';
import type { LimitChoices } from '../../engine/limits.ts';
import type { TokenPrices } from '../../engine/token-prices.ts';
import type { LiveSession } from '../../livekit/agent/live-session.ts';
import type { Handler } from '../../livekit/tools/run-function.ts';
import type { SharedFlows } from '../shared-flows.ts';
import type { TroubleLineChoices } from '../../livekit/speech/failure-lines.ts';

/** All options of a runner, flat: for code of this package, which also sets what a caller of `FlowRunner` cannot. */
export interface RunnerOptions extends AgentPolicy {
  /** An unmodified LiveKit session with its own model, running or not. */
  readonly session: LiveSession;
  /** A flow file, its text, a flow written in TypeScript, or a generator. Without one, the agent uses its `prompt`. */
  readonly flow?: FlowSource;
  /** Prompt of the classic path, used while no flow is active. Its functions are `tools`. */
  readonly prompt?: string;
  /** Values for `{{ name }}` in the prompt. */
  readonly context?: JsonObject;
  /** Flows for routing and handoffs, and task flows that functions `run`, by name. */
  readonly flows?: Readonly<Record<string, FlowSource>>;
  /** Name of the flow that takes over when a generator fails. Default: the classic path if there is a prompt, else the conversation ends. */
  readonly fallback?: string;
  /** Moves of conversations that were stored with older versions of these flows. Without a move they stay in their version. */
  readonly moves?: readonly FlowMove[];
  /** Functions that the flow may name, besides those registered by `flowTool`. */
  readonly tools?: readonly FunctionTool[];
  /** Hosts that requests in flows (`tools`) may reach, by origin. Default: none. */
  readonly httpTools?: AllowedHosts;
  /** Handlers of actions and of `transition_callback`, by name. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** Node types that flows may name, with packs of more. Default: the built-in ones. */
  readonly catalog?: Catalog;
  /** Values for the flow's `input`. */
  readonly input?: JsonObject;
  /** Id of the conversation, the same across rooms and crashes. Default: a new one. */
  readonly sessionId?: string;
  /** Owner name of the conversation. Default: a new one. Code that knows the process is dead can release the conversation by this name. */
  readonly owner?: string;
  /** Language of the conversation as a BCP 47 tag. Default: the language of each flow. */
  readonly language?: string;
  /**
   * How a stored conversation resumes: `recap` (default) mentions the gap and repeats the open question;
   * `exact` performs the open effects unchanged, for a conversation that was not interrupted, such as a copy.
   */
  readonly resume?: 'recap' | 'exact';
  /** IANA time zone of dates. Default: the machine's. */
  readonly timeZone?: string;
  /** A store, or its address such as `sqlite:./calls.db`. Default: in memory. */
  readonly store?: Store | string;
  /**
   * Gives the agent the tool `schedule_followup`, which schedules a later turn in its own
   * session. `reach`: how the caller is then reached. Requires `store` to be a store.
   */
  readonly followUps?: { readonly reach?: Reach | undefined };
  /** Key of the inbox entry that starts the conversation. It is consumed with the first step. */
  readonly begunBy?: string;
  /** Ids of the schedule or campaign that starts the conversation, for hooks and events. */
  readonly correlation?: EntryCorrelation;
  /**
   * Your side has placed the call, so that a machine may answer; see `callee` of the flow. `flow` is the name by which a
   * later attempt begins.
   */
  readonly called?: { readonly flow: string };
  /** Shared with conversations of the same flows, functions and node types, so that flows are compiled once. */
  readonly shared?: SharedFlows;
  /** Rules for the inbox entries that follow the conversation. Set by processes whose store a clerk reads. */
  readonly afterCall?: AfterCallRule;
  /** Set for a text conversation: the agent's lines become outbox messages to this address and channel. */
  readonly writesTo?: { readonly channel: string; readonly to: string };
  /** `close` (default) closes the LiveKit session when the flow has ended and its last words were heard. */
  readonly onEnd?: 'close' | 'keep';
  /**
   * Allows LiveKit's `RemoteSession` (topic `lk.agent.session`) for the caller's client, which can then read
   * the prompt, tools and history, receive every event, and inject turns past the hooks. Default: not allowed.
   */
  readonly remoteSession?: boolean;
  /** Lines for failures of recogniser, store or model. Default: those of the flow's language. */
  readonly lines?: TroubleLineChoices;
  /** Limits of each turn, such as the number of functions per reply; see `Limits` for the defaults. */
  readonly limits?: LimitChoices;
  /** Token prices by model name; `turn:completed` contains the cost of each turn. */
  readonly prices?: TokenPrices;
  /** Puts callers through. Default: no line, so each transfer fails. A worker has those of its LiveKit server. */
  readonly transfers?: Transfers;
  /** The clock, for tests. Default: the clock of the machine. */
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly random?: Random;
  /** Passed to generators as `ctx.user`, `ctx.replyTarget` and `ctx.resources`. */
  readonly user?: Readonly<Record<string, unknown>>;
  readonly replyTarget?: string;
  readonly resources?: Readonly<Record<string, unknown>>;
  /**
   * Receives exceptions of an author's code: a generator, a function, a handler. Events contain
   * only their kind (`flow:failed`, `tool:failed`), because their text may quote the caller.
   */
  readonly onFlowError?: (error: unknown) => void;
}
