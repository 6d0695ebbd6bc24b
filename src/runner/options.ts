import type { EntryCorrelation, Reach } from '../events/inbox.ts';
import type { JsonObject } from '../events/json.ts';
import type { FlowMove } from '../flow/move.ts';
import type { Catalog } from '../graph/catalog.ts';
import type { FlowSource } from '../load/flow-library.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids, Random } from '../ports/time.ts';
import type { AgentPolicy } from '../livekit/agent/agent-policy.ts';
import type { FunctionTool } from '../livekit/tools/function-tool.ts';
import type { LimitChoices } from '../turn/engine/limits.ts';
import type { TokenPrices } from '../turn/engine/token-prices.ts';
import type { LiveSession } from '../livekit/agent/live-session.ts';
import type { Handler } from '../livekit/tools/run-function.ts';
import type { SharedFlows } from './shared-flows.ts';
import type { TroubleLineChoices } from '../livekit/speech/trouble-lines.ts';

/** The options of a `FlowRunner`: a session, a flow or a prompt, and what they use. */
export interface FlowRunnerOptions extends AgentPolicy {
  /** An unmodified LiveKit session, with its own model; running or not. */
  readonly session: LiveSession;
  /** A flow file, its text, a flow written in TypeScript, or a generator. Without one the agent is its `prompt`. */
  readonly flow?: FlowSource;
  /** The classic path: what the model is told where no flow has the conversation. Its functions are `tools`. */
  readonly prompt?: string;
  /** Values that the prompt names by `{{ name }}`. */
  readonly context?: JsonObject;
  /** The flows that callers are routed to and generators may hand off to, and the task flows that functions `run`, by name. */
  readonly flows?: Readonly<Record<string, FlowSource>>;
  /**
   * The name of the flow that goes on where a generator cannot; the classic path where there is a prompt, else the
   * conversation ends then.
   */
  readonly fallback?: string;
  /** How conversations go on that the store has kept in older versions of these flows; they stay in those where absent. */
  readonly moves?: readonly FlowMove[];
  /** The functions that the flow may name, besides those that `flowTool` has registered. */
  readonly tools?: readonly FunctionTool[];
  /** Handlers of actions and of `transition_callback`, by name. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** The node types that flows may name, with packs of more; the built-in ones where absent. */
  readonly catalog?: Catalog;
  /** Values for the flow's `input`. */
  readonly input?: JsonObject;
  /** The conversation's id, the same across rooms and crashes; a new one where absent. */
  readonly sessionId?: string;
  /**
   * The name under which the conversation is owned; a new one where absent. Code that knows that the process is dead may
   * let go of the conversation by it.
   */
  readonly owner?: string;
  /** The language of the conversation, as a BCP 47 tag; the one that each flow names where absent. */
  readonly language?: string;
  /**
   * How a conversation goes on that the store has kept: `recap` (default) owns up to the gap and asks the open question anew;
   * `exact` says and does what is still intended as it stands, for one that nobody was cut off in, such as a copy.
   */
  readonly resume?: 'recap' | 'exact';
  /** IANA time zone in which dates are meant; the machine's where absent. */
  readonly timeZone?: string;
  /** Where the conversation is kept: a store, or the address of one, such as `sqlite:./calls.db`; in memory where absent. */
  readonly store?: Store | string;
  /**
   * Gives the agent the tool `schedule_followup`, by which it comes back to its own session at a later time; `reach` says how
   * the caller hears of it then. It needs `store` to be a store.
   */
  readonly followUps?: { readonly reach?: Reach | undefined };
  /** The key of the inbox entry that begins the conversation: consumed with its first step. */
  readonly begunBy?: string;
  /** The schedule or the campaign that begins the conversation; hooks and events are told it. */
  readonly correlation?: EntryCorrelation;
  /** What is shared with other conversations of the same flows, functions and node types: they are read once. */
  readonly shared?: SharedFlows;
  /** The conversation is written: what the agent says becomes messages of the outbox to this address, by this channel. */
  readonly writesTo?: { readonly channel: string; readonly to: string };
  /** `close` (default) closes the LiveKit session once the flow has ended and its last words were heard. */
  readonly onEnd?: 'close' | 'keep';
  /**
   * Whether the caller's client may use LiveKit's `RemoteSession` (the topic `lk.agent.session`), by which it reads the
   * prompt, the tools and the history, hears every event, and injects turns past the hooks. Nobody may where absent.
   */
  readonly remoteSession?: boolean;
  /** The lines for failures of ears, store or model; those of the flow's language where absent. */
  readonly lines?: TroubleLineChoices;
  /** The limits of each turn, such as how many functions one reply may call; see `Limits` for the defaults. */
  readonly limits?: LimitChoices;
  /** What the tokens of models cost, by the names of the models; `turn:completed` tells what each turn did. */
  readonly prices?: TokenPrices;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly random?: Random;
  /** Given to generators as `ctx.user`, `ctx.replyTarget` and `ctx.resources`. */
  readonly user?: Readonly<Record<string, unknown>>;
  readonly replyTarget?: string;
  readonly resources?: Readonly<Record<string, unknown>>;
  /**
   * Hears what an author's own code threw: a generator, a function, a handler. Events tell only its kind (`flow:failed`,
   * `tool:failed`), since its text may quote the caller.
   */
  readonly onFlowError?: (error: unknown) => void;
}
