import { FlowError } from '../errors.ts';

/** How the ids of sessions begin that are schedules, and that are campaigns. */
export const scheduleIds = 'schedule/';
export const campaignIds = 'campaign/';

/** The session that keeps which schedules a configuration has named. */
export const schedulesId = 'schedules';

/** Whether a session is a schedule, a campaign or the list of schedules. */
export function isPlanSession(sessionId: string): boolean {
  return sessionId === schedulesId || sessionId.startsWith(scheduleIds) || sessionId.startsWith(campaignIds);
}

/** Throws `session-unfit` for an id that only a schedule, a campaign or the list of schedules may have. */
export function assertFreeId(sessionId: string): void {
  if (!isPlanSession(sessionId)) return;
  throw new FlowError('session-unfit', `"${sessionId}" is an id of schedules and campaigns. Take another id.`);
}
