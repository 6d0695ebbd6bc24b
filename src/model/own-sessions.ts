import { FlowError } from './errors.ts';

/** Id prefixes of sessions that are schedules or campaigns. */
export const scheduleIds = 'schedule/';
export const campaignIds = 'campaign/';

/** The session that lists the schedules of the configuration. */
export const schedulesId = 'schedules';

/** Checks whether a session is a schedule, a campaign or the list of schedules. */
export function isPlanSession(sessionId: string): boolean {
  return sessionId === schedulesId || sessionId.startsWith(scheduleIds) || sessionId.startsWith(campaignIds);
}

/** Throws `session-kind-wrong` for an id that is reserved for schedules and campaigns. */
export function assertFreeId(sessionId: string): void {
  if (!isPlanSession(sessionId)) return;
  throw new FlowError('session-kind-wrong', `"${sessionId}" is an id of schedules and campaigns. Take another id.`);
}
