import type { JsonObject } from './json.ts';
import type { SignalOf } from './signal-of.ts';

/**
 * A schedule or a campaign has changed. Its log is these alone: what was decided is in the signal, so that a replay needs no
 * time zone data, no configuration and no segment.
 */
export interface PlanChanged extends SignalOf<'plan:changed'> {
  /** The kind of the change, such as `put`, `due`, `pause`, `page`, `stop`. */
  readonly change: string;
  /** The entry that asked for it; null if a person or the configuration did. */
  readonly entry: string | null;
  /** The members of its state that are other than before. */
  readonly set: JsonObject;
  /** The members that its state no longer has. */
  readonly unset: readonly string[];
}
