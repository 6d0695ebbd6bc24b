import type { Effect } from '../../events/effect.ts';
import type { Event, FlowFact } from '../../events/event.ts';
import type { Json, JsonObject } from '../../events/json.ts';
import type { Signal } from '../../events/signal.ts';
import type { FlowShown } from '../../picture/flow-shown.ts';
import type { TurnShown } from './turn-shown.ts';

/** A session as a line of a list. */
export interface SessionShown {
  readonly sessionId: string;
  /** For people: the flow, and from which session it was forked. */
  readonly title: string;
  readonly flow: string;
  /** The hash of the flow that it is in. */
  readonly flowHash: string;
  readonly node: string;
  readonly status: 'new' | 'active' | 'parked' | 'ending' | 'ended';
  /**
   * `typed` and `voice`: somebody is connected; `away`: hung up, and can be called back; `elsewhere`: another process has it;
   * `over`: nothing can follow.
   */
  readonly live: 'typed' | 'voice' | 'away' | 'elsewhere' | 'over';
  /** The seq of its last signal. */
  readonly seq: number;
  readonly updatedAt: number;
  /** Where it was forked. */
  readonly from?: { readonly sessionId: string; readonly seq: number };
  /** Open waits for somebody outside of the call. */
  readonly waits: readonly WaitShown[];
}

/** A wait that the page can decide. */
export interface WaitShown {
  readonly key: string;
  readonly wait: 'confirm' | 'admin_resolution' | 'proxy_input' | 'timeout' | 'scheduler';
  readonly to: string | null;
  readonly question: string;
  readonly facts: JsonObject;
  /** Goes back with the decision: it is refused where the facts have changed. */
  readonly factsHash: string;
  /** A button for each; none where words or a form are asked for. */
  readonly options: readonly string[];
  /** Words may be given (`Decision.text`). */
  readonly takesWords: boolean;
  /** JSON Schema of what resolves it. */
  readonly schema: JsonObject;
  readonly deadline: number | null;
}

/** What was posted to a session and is not taken yet; what it holds stays on the server. */
export interface InboxEntryShown {
  readonly key: string;
  /** The type of the signal that it becomes. */
  readonly signal: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
  /** `dead`: nobody takes it any more. */
  readonly state: 'open' | 'dead';
  readonly attempts: number;
  /** Why it could not be taken the last time. */
  readonly reason: string | null;
  /** Who has posted it; null for schedules and the store itself. */
  readonly actor: string | null;
}

/** All of a session so far, as of `at` of the stream: what comes later has a greater seq there. */
export interface SessionDetail {
  readonly session: SessionShown;
  readonly at: number;
  /**
   * `page`: `steps` hold raw signals, and the page can fold them over `flows`; states are sent where `states=yes` asks for
   * them. `server`: the page cannot (masked, or the flow is code), and every step has its state.
   */
  readonly folds: 'page' | 'server';
  readonly isMasked: boolean;
  readonly steps: readonly StepShown[];
  /** Flows that it ran, by hash. */
  readonly flows: Readonly<Record<string, FlowShown>>;
  readonly events: readonly Event[];
  readonly lines: readonly TalkLine[];
  readonly turns: readonly TurnShown[];
  readonly swaps: readonly SwapOutcome[];
}

/** One signal of a log and what it made of the session. */
export interface StepShown {
  readonly seq: number;
  /** Raw, or with `[personal]` in place of what is personal. */
  readonly signal: Signal;
  /** After the step, as `kernel/state.ts` has it; null where the page folds. */
  readonly state: JsonObject | null;
  /** Effects intended or changed; null where the page folds. */
  readonly effects: readonly Effect[] | null;
  /** What the step reports: edges taken (`transition:taken`), slots filled and so on. Holds no speech. */
  readonly facts: readonly FlowFact[];
  /** After the step. */
  readonly node: string;
  readonly flowHash: string;
}

/** A line of the talk. */
export interface TalkLine {
  readonly id: string;
  /** When it began. */
  readonly at: number;
  /** `tool`: a call with `call`; `wait`: a wait for people; `note`: what the flow does besides. */
  readonly who: 'caller' | 'agent' | 'operator' | 'tool' | 'wait' | 'note';
  /** What was said, or is being said, as far as known; text, never markup. */
  readonly text: string;
  /** The part of `text`, from its start, that was heard; null while it is open. The rest is greyed. */
  readonly heard: string | null;
  /** `open`: more may come; `cut`: broken off. */
  readonly state: 'open' | 'done' | 'cut';
  readonly via?: 'typed' | 'voice' | 'dtmf' | 'message' | 'proxy' | 'scheduled';
  readonly node?: string;
  readonly turnId?: string;
  /** The signal that settled it. */
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

/** What saving the flow did to a live session. */
export interface SwapOutcome {
  readonly at: number;
  /** `swapped`: it goes on at `node` of the new version; `kept`: it stays in the version that it is in, and `why` tells. */
  readonly outcome: 'swapped' | 'kept';
  readonly node: string;
  /** The hash that it is in now. */
  readonly flowHash: string;
  /** For people. */
  readonly why: string;
}
