import { type AgentConfig, zoneOf } from '../config.ts';
import type { CampaignParts } from '../people/campaigns/keep-campaigns.ts';
import { syncSchedules } from '../people/schedules/keep-schedules.ts';
import { readSchedule } from '../people/schedules/read-schedule.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids } from '../ports/time.ts';
import { systemCivilTime } from '../system.ts';

/** What the schedules and campaigns of a configuration need of the world. */
export function planParts(
  config: AgentConfig,
  world: { readonly store: Store; readonly clock: Clock; readonly ids: Ids },
): CampaignParts {
  const { campaigns = {} } = config;
  return { ...world, civil: systemCivilTime, zone: zoneOf(config), campaigns };
}

/** Makes the schedules of a store those of the configuration. Throws `session-taken` where another process has one of them for long. */
export async function syncPlans(config: AgentConfig, parts: CampaignParts): Promise<void> {
  const { civil, zone, clock } = parts;
  const reading = { zone, civil, now: clock.now() };
  const schedules = Object.entries(config.schedules ?? {}).map(([id, given]) => readSchedule(id, given, reading));
  await syncSchedules(parts, schedules);
}
