import type { EffectKey } from '../../events/effect.ts';
import type { EntryCorrelation } from '../../events/inbox.ts';
import type { Json } from '../../events/json.ts';
import type { SettledCall } from '../../events/signal.ts';
import type { Graph } from '../../graph/graph.ts';
import type { Executor } from '../../ports/executor.ts';
import type { Hub } from '../../ports/hub.ts';
import type { Store } from '../../ports/store.ts';
import type { CivilTime, Clock, Ids } from '../../ports/time.ts';
import type { GeneratorHost } from '../generators/generators.ts';
import type { PolicyGate } from '../policy/policy.ts';
import type { Limits } from './limits.ts';
import type { TaskQuestions } from './task-questions.ts';
import type { TurnSink } from './turn-sink.ts';
import type { TokenPrices } from './token-prices.ts';

/** What the engine of one session is made of. */
export interface EngineOptions {
  readonly graph: Graph;
  /** Compiles the flow that a kept session ran, where that is not `graph`. */
  readonly compile?: (document: Json, hash: string) => Graph;
  /** Where a session goes on that was kept in an older version of a flow; null where it stays in that. */
  readonly moveOf?: (hash: string, node: string) => { readonly graph: Graph; readonly node: string } | null;
  readonly sessionId: string;
  /** Who owns the session; a new name where absent. */
  readonly owner?: string;
  readonly store: Store;
  /** What is under way in a session that has ended is to be settled: else such a session is `session-over`. */
  readonly mayBeOver?: boolean;
  readonly executor: Executor;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly civilTime: CivilTime;
  readonly ids: Ids;
  readonly timeZone: string;
  /** How long a caller's turn waits for a write that is under way, in milliseconds. */
  readonly writeCapMs: number;
  /** The limits of a turn; the defaults where absent. */
  readonly limits?: Limits;
  /** The key of the inbox entry that begins the session: consumed with its first step. */
  readonly begunBy?: string;
  /** What the tokens of models cost; nobody knows where absent. */
  readonly prices?: TokenPrices;
  /** Hears of each turn that is over, besides the hub. */
  readonly turnSink?: TurnSink;
  /** What has begun the session, besides a caller; told with all that happens in it. */
  readonly correlation?: EntryCorrelation;
  /** The conversation is written: what is said is sent there, as messages of the outbox. */
  readonly writesTo?: { readonly channel: string; readonly to: string };
  /** A kept session goes on as it stands: nobody was cut off, and no gap is owned up to. */
  readonly resumesExactly?: boolean;
  /** What generators need of the world, and the flows that they may hand off to. */
  readonly generators?: GeneratorHost;
  /** Decides about a caller's turn before the flow does. */
  readonly policy?: PolicyGate;
  /** What tasks have asked the caller: an answer to that is no turn of the flow. */
  readonly questions?: TaskQuestions;
  /** The flow has left the node whose task this is, or the task has ended. */
  readonly onTaskLeft?: (key: EffectKey) => void;
  /** The store has not taken a step, and takes none after it: whoever is open in the session has to leave it. */
  readonly onBroken?: (error: unknown) => void;
  /** A call has settled that no completion of this process has made, such as one of a node's own. */
  readonly onCallWithoutReply?: (call: SettledCall) => void;
}
