import type { Effect } from '../../model/effect.ts';
import type { Event, FlowFact } from '../../model/events/event.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type { FlowShown } from '../../flow/picture/flow-shown.ts';
import type { TurnShown } from './turn-shown.ts';

/** A session in the list. */
export interface SessionShown {
  readonly sessionId: string;
  /** For the user: the flow, and the session it was forked from. */
  readonly title: string;
  readonly flow: string;
  /** The hash of the current flow. */
  readonly flowHash: string;
  readonly node: string;
  readonly status: 'new' | 'active' | 'parked' | 'ending' | 'ended';
  /**
   * `typed`, `voice`: a caller is connected. `away`: hung up, can be called back. `elsewhere`: owned by another
   * process. `over`: ended.
   */
  readonly live: 'typed' | 'voice' | 'away' | 'elsewhere' | 'over';
  /** The number of its last signal. */
  readonly seq: number;
  readonly updatedAt: number;
  /** The step it was forked from. */
  readonly from?: { readonly sessionId: string; readonly seq: number };
  /** Open waits for people outside the call. */
  readonly waits: readonly WaitShown[];
}

/** A wait that the page can decide. */
export interface WaitShown {
  readonly key: string;
  readonly wait: 'confirm' | 'admin_resolution' | 'proxy_input' | 'timeout' | 'scheduler' | 'transfer';
  readonly to: string | null;
  readonly question: string;
  readonly facts: JsonObject;
  /** Sent back with the decision, which is refused if the facts have changed. */
  readonly factsHash: string;
  /** One button per option; empty if words or a form are needed. */
  readonly options: readonly string[];
  /** Whether words are accepted (`Decision.text`). */
  readonly takesWords: boolean;
  /** The JSON Schema of the resolution. */
  readonly schema: JsonObject;
  readonly deadline: number | null;
}

/** A posted entry that is not taken yet, without its content. */
export interface InboxEntryShown {
  readonly key: string;
  /** The type of its signal. */
  readonly signal: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
  /** `dead`: a dead letter. */
  readonly state: 'open' | 'dead';
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly reason: string | null;
  /** The sender; null for schedules and the store. */
  readonly actor: string | null;
}

/** A session up to `at`; later changes are events after `at`. */
export interface SessionDetail {
  readonly session: SessionShown;
  readonly at: number;
  /**
   * `page`: `steps` hold raw signals, and the page folds them over `flows`; `states=yes` adds the states. `server`: the
   * page cannot fold (masked values, or a flow in code), so each step has its state.
   */
  readonly folds: 'page' | 'server';
  readonly isMasked: boolean;
  readonly steps: readonly StepShown[];
  /** The flow versions of the session, by hash. */
  readonly flows: Readonly<Record<string, FlowShown>>;
  readonly events: readonly Event[];
  readonly lines: readonly TalkLine[];
  readonly turns: readonly TurnShown[];
  readonly swaps: readonly SwapOutcome[];
}

/** A signal of a log and its result. */
export interface StepShown {
  readonly seq: number;
  /** Raw, or with `[personal]` instead of personal values. */
  readonly signal: Signal;
  /** The state after the step, as in `kernel/state.ts`; null if the page folds. */
  readonly state: JsonObject | null;
  /** Effects that were intended or changed; null if the page folds. */
  readonly effects: readonly Effect[] | null;
  /** Facts of the step, such as taken edges (`transition:taken`) and filled slots. No speech. */
  readonly facts: readonly FlowFact[];
  /** The node after the step. */
  readonly node: string;
  readonly flowHash: string;
}

/** A line of the talk. */
export interface TalkLine {
  readonly id: string;
  /** The start time. */
  readonly at: number;
  /** `tool`: a function call in `call`. `wait`: a wait for people. `note`: other events of the flow. */
  readonly who: 'caller' | 'agent' | 'operator' | 'tool' | 'wait' | 'note';
  /** The spoken text, as far as known. Text, never markup. */
  readonly text: string;
  /** The part of `text` from its start that was heard; null while open. The rest is greyed out. */
  readonly heard: string | null;
  /** `open`: the text may grow. `cut`: interrupted. */
  readonly state: 'open' | 'done' | 'cut';
  readonly via?: 'typed' | 'voice' | 'dtmf' | 'message' | 'proxy' | 'scheduled';
  readonly node?: string;
  readonly turnId?: string;
  /** The number of the signal that settled it. */
  readonly seq?: number;
  readonly call?: {
    readonly name: string;
    readonly arguments: JsonObject;
    readonly write: boolean;
    readonly state: 'running' | 'done' | 'failed' | 'waiting' | 'cancelled' | 'blocked' | 'unknown';
    readonly result?: Json;
    readonly error?: string;
  };
  readonly waitKey?: string;
}

/** The effect of a saved flow on a live session. */
export interface SwapOutcome {
  readonly at: number;
  /** `swapped`: continues at `node` of the new version. `kept`: stays in its version; `why` has the reason. */
  readonly outcome: 'swapped' | 'kept';
  readonly node: string;
  /** The current hash. */
  readonly flowHash: string;
  /** For the user. */
  readonly why: string;
}
