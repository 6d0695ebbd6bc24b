import type { JsonObject } from '../json.ts';
import type { SignalOf } from './signal-of.ts';

/**
 * A schedule or a campaign changed. Its log contains only these signals. Each contains the decision, so a replay needs
 * no time zone data, configuration or segment.
 */
export interface PlanChanged extends SignalOf<'plan:changed'> {
  /** The kind of change, such as `put`, `due`, `pause`, `page`, `stop`. */
  readonly change: string;
  /** The entry that requested the change; null for a person or the configuration. */
  readonly entry: string | null;
  /** State members with new values. */
  readonly set: JsonObject;
  /** State members that were removed. */
  readonly unset: readonly string[];
}
