import type { Generated } from 'kysely';
import type { Effect, EffectState, SharedEffectKind } from '../events/effect.ts';

/** What is kept, the same in each database. Times are epoch milliseconds, names are column texts, values JSON texts. */
export interface Tables {
  /** A session that is only owned has no state. One row, of no session, keeps the highest token of those that were deleted. */
  roomflow_sessions: {
    id: string;
    /** Grows with each taking and never falls. */
    token: number;
    owner: string | null;
    lease_expires_at: number;
    /** For how long the lease was taken; null in rows of older releases. */
    lease_ms: number | null;
    seq: number;
    state: string | null;
    state_version: number;
    graph_hash: string;
    updated_at: number;
    /** Tells a commit that was done from one that was not, where the answer was lost. */
    last_commit: string;
  };
  /**
   * One row for each commit: `place` grows with the commits of one owner, `token` with the owners. `signals`,
   * `events` and `own_effects` are lists, null where there are none; `seq` is where the commit left the session.
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
  /** What others may look for, and what an older release kept of the rest. `token` and `place` are those of the step that intended it, `item` the place within that. */
  roomflow_effects: {
    session_id: string;
    key: string;
    token: number;
    place: number;
    item: number;
    kind: SharedEffectKind;
    state: EffectState;
    deadline: number | null;
    /** When a dispatcher may claim it; null: never again. */
    not_before: number | null;
    effect: string;
    /** How often a dispatcher could not deliver it, and why it could not the last time. */
    attempts: Generated<number>;
    reason: string | null;
  };
  roomflow_inputs: { key: string; session_id: string; consumed_at: number };
  /** What has come to sessions from outside and was not taken yet. `place` grows with posting. */
  roomflow_inbox: {
    place: Generated<number>;
    key: string;
    session_id: string;
    due_at: number;
    /** From when on it is due: no earlier than `due_at`. */
    not_before: number;
    /** Until when a clerk has taken it. */
    claimed_until: number;
    claimed_by: string | null;
    /** How often in a row it was claimed, and nobody told what came of it. */
    claims: Generated<number>;
    state: 'open' | 'dead';
    attempts: number;
    reason: string | null;
    /** The wait whose deadline it is. */
    effect_key: string | null;
    /** Tells a post that was done from one that was not, where the answer was lost. */
    post_id: string;
    entry: string;
  };
  roomflow_audit: { seq: number; session_id: string | null; post_id: string; hash: string; record: string };
  roomflow_graphs: { hash: string; document: string };
  /** `not_before`: when a call may be taken (again); `lost_at`: when it was first found that nobody owns its session. */
  roomflow_calls: { session_id: string; place: string; not_before: number; lost_at: number | null };
}

/** What nobody but the session looks for: each with its place among all effects of its commit. The last one that names a key counts. */
export type OwnEffects = readonly (readonly [item: number, effect: Effect])[];
