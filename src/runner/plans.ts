import { type AgentConfig, zoneOf } from '../config/config.ts';
import type { CampaignParts } from '../people/campaigns/keep-campaigns.ts';
import { syncSchedules } from '../people/schedules/keep-schedules.ts';
import { readSchedule } from '../people/schedules/read-schedule.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock, Ids } from '../model/ports/time.ts';
import { systemCivilTime } from '../system.ts';

/** Returns the dependencies of a configuration's schedules and campaigns. */
export function planParts(
  config: AgentConfig,
  world: { readonly store: Store; readonly clock: Clock; readonly ids: Ids },
): CampaignParts {
  const { campaigns = {} } = config;
  return { ...world, civil: systemCivilTime, zone: zoneOf(config), campaigns };
}

/** Updates the schedules in a store to those of the configuration. Throws `session-taken` if another process holds one of them for long. */
export async function syncPlans(config: AgentConfig, parts: CampaignParts): Promise<void> {
  const { civil, zone, clock } = parts;
  const reading = { zone, civil, now: clock.now() };
  const schedules = Object.entries(config.schedules ?? {}).map(([id, given]) => readSchedule(id, given, reading));
  await syncSchedules(parts, schedules);
}
