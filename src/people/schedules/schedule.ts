import type { Reach } from '../../model/inbox.ts';
import type { JsonObject } from '../../model/json.ts';
import type { QuietHours } from './quiet-hours.ts';

/** The time rule of a schedule. Times are epoch milliseconds. */
export type ScheduleTime =
  | { readonly type: 'at'; readonly at: number }
  /** An interval of real time since `from`, independent of clock changes. `isAnchored`: the author set `from`. */
  | { readonly type: 'every'; readonly everyMs: number; readonly from: number; readonly isAnchored: boolean }
  | { readonly type: 'cron'; readonly cron: string };

/** Handling of missed ticks: one run for all, none, or one for each. */
export type CatchUp = 'run_once' | 'skip' | 'all';

/** The work of a run: a new session of a flow, a turn of a stored session, or a round of a campaign. */
export type ScheduledRun =
  | { readonly type: 'flow'; readonly flow: string; readonly input: JsonObject; readonly reach: Reach }
  | { readonly type: 'turn'; readonly sessionId: string; readonly text: string; readonly reach: Reach }
  | { readonly type: 'campaign'; readonly campaignId: string };

/** A stored schedule: JSON with all defaults applied. */
export interface Schedule {
  readonly id: string;
  readonly when: ScheduleTime;
  /** IANA time zone of cron patterns and quiet hours. */
  readonly zone: string;
  /** Maximum delay of a run after its tick. The delay of one tick is always the same. */
  readonly jitterMs: number;
  readonly quiet: QuietHours | null;
  readonly catchUp: CatchUp;
  readonly run: ScheduledRun;
}
