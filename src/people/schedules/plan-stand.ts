import type { Json } from '../../model/json.ts';
import { campaignStateOf } from '../campaigns/keep-campaigns.ts';
import { scheduleStateOf } from './keep-schedules.ts';
import { counted } from '../../model/ports/counted.ts';

/** Describes the progress of a stored schedule or campaign; null for any other state. */
export function planStand(state: Json): string | null {
  const schedule = scheduleStateOf(state);
  if (schedule !== null) return `${schedule.status}  schedule, ${counted(schedule.runs, 'run')}`;
  const campaign = campaignStateOf(state);
  if (campaign !== null) return `${campaign.status}  campaign, ${counted(campaign.posted, 'recipient')}`;
  const isList = typeof state === 'object' && state !== null && 'kind' in state && state['kind'] === 'schedules';
  return isList ? 'the schedules of the configuration' : null;
}
