import type { Generated } from 'kysely';
import type { Effect, EffectState, SharedEffectKind } from '../../model/effect.ts';

/** The tables, identical in every database. Times are epoch milliseconds, names column texts, values JSON texts. */
export interface Tables {
  /** An owned session without a commit has no state. One extra row stores the highest token of deleted sessions. */
  roomflow_sessions: {
    id: string;
    /** Grows with each acquisition and never falls. */
    token: number;
    owner: string | null;
    lease_expires_at: number;
    /** Length of the lease; null in rows of older releases. */
    lease_ms: number | null;
    seq: number;
    state: string | null;
    state_version: number;
    graph_hash: string;
    updated_at: number;
    /** Identifies the last commit, to find out whether a commit with a lost response succeeded. */
    last_commit: string;
  };
  /**
   * One row per commit: `place` grows with the commits of one owner, `token` with the owners. `signals`, `events` and
   * `own_effects` are lists, null if empty. `seq` is the session's position after the commit.
   */
  roomflow_steps: {
    session_id: string;
    token: number;
    place: number;
    seq: number;
    signals: string | null;
    events: string | null;
    own_effects: string | null;
  };
  /**
   * Effects that other processes may look for, and other effects written by older releases. `token` and `place`
   * identify the step that created the effect, `item` its position in the step.
   */
  roomflow_effects: {
    session_id: string;
    key: string;
    token: number;
    place: number;
    item: number;
    kind: SharedEffectKind;
    state: EffectState;
    deadline: number | null;
    /** Time from which a dispatcher may claim it; null for never. */
    not_before: number | null;
    effect: string;
    /** Number of failed deliveries and the last reason. */
    attempts: Generated<number>;
    reason: string | null;
  };
  roomflow_inputs: { key: string; session_id: string; consumed_at: number };
  /** Signals from outside that were not taken yet. `place` grows with each post. */
  roomflow_inbox: {
    place: Generated<number>;
    key: string;
    session_id: string;
    due_at: number;
    /** Due time; not earlier than `due_at`. */
    not_before: number;
    /** End of the current claim. */
    claimed_until: number;
    claimed_by: string | null;
    /** Consecutive claims without a reported outcome. */
    claims: Generated<number>;
    state: 'open' | 'dead';
    attempts: number;
    reason: string | null;
    /** The wait of a deadline entry. */
    effect_key: string | null;
    /** Identifies the post, to find out whether a post with a lost response succeeded. */
    post_id: string;
    entry: string;
  };
  roomflow_audit: { seq: number; session_id: string | null; post_id: string; hash: string; record: string };
  roomflow_graphs: { hash: string; document: string };
  /** `not_before`: when the call can be claimed again; `lost_at`: when the loss of the session's owner was detected. */
  roomflow_calls: { session_id: string; place: string; not_before: number; lost_at: number | null };
}

/**
 * Effects that only their session reads, each with its position in the commit. If several name a key, the last one
 * counts.
 */
export type OwnEffects = readonly (readonly [item: number, effect: Effect])[];
