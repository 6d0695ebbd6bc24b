import type { Reach } from '../../events/inbox.ts';
import type { JsonObject } from '../../events/json.ts';
import type { QuietHours } from './quiet-hours.ts';

/** When a schedule comes. Moments are epoch milliseconds. */
export type ScheduleTime =
  | { readonly type: 'at'; readonly at: number }
  /** Every so many milliseconds since `from`, whatever clocks on the wall do. `isAnchored`: the author has named that moment. */
  | { readonly type: 'every'; readonly everyMs: number; readonly from: number; readonly isAnchored: boolean }
  | { readonly type: 'cron'; readonly cron: string };

/** What is done with ticks that nobody was there for: one run for all of them, none, or a run for each. */
export type CatchUp = 'run_once' | 'skip' | 'all';

/** What a run of a schedule is: a new session of a flow, a turn of a session that is kept, or a round of a campaign. */
export type ScheduledRun =
  | { readonly type: 'flow'; readonly flow: string; readonly input: JsonObject; readonly reach: Reach }
  | { readonly type: 'turn'; readonly sessionId: string; readonly text: string; readonly reach: Reach }
  | { readonly type: 'campaign'; readonly campaignId: string };

/** A schedule as it is kept: JSON, with all defaults filled in. */
export interface Schedule {
  readonly id: string;
  readonly when: ScheduleTime;
  /** IANA time zone of cron patterns and quiet hours. */
  readonly zone: string;
  /** A run comes up to this much later than its tick, always the same for one tick. */
  readonly jitterMs: number;
  readonly quiet: QuietHours | null;
  readonly catchUp: CatchUp;
  readonly run: ScheduledRun;
}
