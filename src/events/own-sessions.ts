import { FlowError } from '../errors.ts';

/** How the ids of sessions begin that are schedules, and that are campaigns. */
export const scheduleIds = 'schedule/';
export const campaignIds = 'campaign/';

/** The session that keeps which schedules a configuration has named. */
export const schedulesId = 'schedules';

/** Throws `session-unfit` for an id that only a schedule, a campaign or the list of schedules may have. */
export function assertFreeId(sessionId: string): void {
  if (sessionId !== schedulesId && !sessionId.startsWith(scheduleIds) && !sessionId.startsWith(campaignIds)) return;
  throw new FlowError('session-unfit', `"${sessionId}" is an id of schedules and campaigns. Take another id.`);
}
