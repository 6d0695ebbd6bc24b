import type { EffectKey } from '../model/effect.ts';
import type { EntryCorrelation } from '../model/inbox.ts';
import type { Json } from '../model/json.ts';
import type { SettledCall } from '../model/signals/signal.ts';
import type { Graph } from '../flow/graph/graph.ts';
import type { Executor } from '../model/ports/executor.ts';
import type { Hub } from '../model/ports/hub.ts';
import type { Seals } from '../model/ports/seals.ts';
import type { Store } from '../model/ports/store.ts';
import type { CivilTime, Clock, Ids } from '../model/ports/time.ts';
import type { GeneratorHost } from './generators/generators.ts';
import type { PolicyGate } from './policy/policy.ts';
import type { Limits } from './limits.ts';
import type { TaskQuestions } from './task-questions.ts';
import type { TurnSink } from './commit/turn-sink.ts';
import type { AfterCallRule } from './session/after-call.ts';
import type { TokenPrices } from './token-prices.ts';

/** Options of one session's engine. */
export interface EngineOptions {
  readonly graph: Graph;
  /** Compiles the flow that a stored session ran, if it is not `graph`. */
  readonly compile?: (document: Json, hash: string) => Graph;
  /** Returns the new graph and node for a session stored with an older version of a flow. Null keeps the stored version. */
  readonly moveOf?: (hash: string, node: string) => { readonly graph: Graph; readonly node: string } | null;
  readonly sessionId: string;
  /** Owner of the session; a generated name by default. */
  readonly owner?: string;
  readonly store: Store;
  /** Allows opening an ended session to settle its open effects. Otherwise an ended session throws `session-over`. */
  readonly mayBeOver?: boolean;
  readonly executor: Executor;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly civilTime: CivilTime;
  readonly ids: Ids;
  readonly timeZone: string;
  /** How long a caller's turn waits for a running write, in milliseconds. */
  readonly writeCapMs: number;
  /** Limits of a turn; default limits if absent. */
  readonly limits?: Limits;
  /** Key of the inbox entry that starts the session. It is consumed with the first step. */
  readonly begunBy?: string;
  /** Token prices of models; without them a turn has no cost. */
  readonly prices?: TokenPrices;
  /** Rules for the inbox entries that follow the conversation. If absent, there are none. */
  readonly afterCall?: AfterCallRule;
  /** Receives each completed turn, in addition to the hub. */
  readonly turnSink?: TurnSink;
  /** Ids of the run that started the session, added to all its events. */
  readonly correlation?: EntryCorrelation;
  /** The agent's side placed the call. `flow` is the name by which a later attempt begins. */
  readonly called?: { readonly flow: string };
  /** Set for a text conversation: each line is sent to this address as an outbox message. */
  readonly writesTo?: { readonly channel: string; readonly to: string };
  /** Resumes a stored session without mentioning an interruption to the caller. */
  readonly resumesExactly?: boolean;
  /** Ports of generators, and the flows they may hand off to. */
  readonly generators?: GeneratorHost;
  /** Decides about a caller's turn before the flow does. */
  readonly policy?: PolicyGate;
  /** Questions that tasks ask the caller. An answer to one is not a turn of the flow. */
  readonly questions?: TaskQuestions;
  /** Encrypts the digits of personal slots; without it, they cannot be entered by keys. */
  readonly seals?: Seals;
  /** Called when the flow leaves the node of this task, or the task has ended. */
  readonly onTaskLeft?: (key: EffectKey) => void;
  /** Called when the store fails to commit a step. Nothing can be stored after it, so the session must be left. */
  readonly onBroken?: (error: unknown) => void;
  /** Called when a call settles without a completion of this process, such as a node's own call. */
  readonly onCallWithoutReply?: (call: SettledCall) => void;
}
