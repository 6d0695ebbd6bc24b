import { z } from 'zod';
import { FlowError } from '../model/errors.ts';
import type { EffectKey } from '../model/effect.ts';
import type { Reach } from '../model/inbox.ts';
import { isJsonObject } from '../model/json.ts';
import type { Signal } from '../model/signals/signal.ts';
import { hashOf } from '../flow/graph/hash.ts';
import { flowTool } from '../livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../livekit/tools/function-tool.ts';
import { toolError } from '../livekit/tools/tool-error.ts';
import { durationMs, durationSchema } from '../people/duration.ts';
import { scheduleSession } from '../people/schedules/fold-schedule.ts';
import { changeSchedule, type ScheduleParts, scheduleStateOf } from '../people/schedules/keep-schedules.ts';
import { readSchedule } from '../people/schedules/read-schedule.ts';
import type { SessionSnapshot, Store } from '../model/ports/store.ts';
import { followUpName } from './follow-up-name.ts';

/** Key of the scheduled local time in the tool's result. */
const outputKey = 'scheduled_for';

interface FollowUpParts extends ScheduleParts {
  /** Time zone of the model's dates. */
  readonly zone: string;
  readonly reach: Reach;
}

/**
 * Creates the tool by which an agent schedules a turn in its own session, whatever its arguments say: at the given time the session has
 * a turn with the given words. One call creates one schedule, even if it is retried. `parts` returns null if the session is not stored.
 */
export function followUpTool(parts: () => FollowUpParts | null): FunctionTool {
  return flowTool({
    name: followUpName,
    description: 'Come back to this conversation at a later time.',
    effect: 'write',
    parameters: z.object({
      when: z.string().describe('How long from now, as 15m, 2h or 3d, or a local date and time, as 2026-12-01T09:00.'),
      about: z.string().min(1).max(1_000).describe('What to come back to, for yourself to read then.'),
    }),
    async execute({ when, about }, { key, sessionId }) {
      const given = parts();
      if (given === null || sessionId === '') throw toolError('Nothing is kept here to come back to.');
      const { store, clock, civil, zone, reach } = given;
      const id = followUpId(key);
      // A call that is retried after a crash has created it already.
      const made = scheduleStateOf((await store.sessions.get(scheduleSession(id)))?.state ?? null)?.schedule;
      if (made?.when.type === 'at') return { [outputKey]: civil(made.when.at, zone) };
      const now = clock.now();
      const at = durationSchema.safeParse(when).success ? new Date(now + durationMs(when)).toISOString() : when;
      const schedule = read(id, { at, session: sessionId, say: about, reach }, { zone, civil, now });
      const due = schedule.when.type === 'at' ? schedule.when.at : now;
      if (due <= now) throw toolError('That time is past. Choose a later one.');
      await changeSchedule(given, id, { type: 'put', schedule, origin: 'followup' });
      return { [outputKey]: civil(due, zone) };
    },
  });
}

/** Returns the id of the schedule that a call creates. */
function followUpId(key: EffectKey): string {
  return `followup-${hashOf(key).slice(0, 16)}`;
}

/**
 * Checks whether a scheduled turn of a session is still due: an active schedule, or a turn in the inbox. They are read in
 * this order, because a tick moves the turn from the schedule to the inbox in one transaction. Rejects if the store fails.
 */
export async function isFollowUpDue(store: Store, sessionId: string): Promise<boolean> {
  const schedules = await keptFollowUps(store, sessionId);
  if (schedules.length === 0) return false;
  const statuses = schedules.map(({ state }) => scheduleStateOf(state)?.status);
  if (statuses.some((status) => status === 'active' || status === 'paused')) return true;
  const open = await store.inbox.list({ state: 'open', sessionId, limit: mostOpen });
  return open.some(({ entry: { signal } }) => signal.type === 'user:turn' && signal.via === 'scheduled');
}

/** Returns the schedule sessions that the agent created in a session, if still stored. */
export async function followUpsOf(store: Store, sessionId: string): Promise<readonly string[]> {
  return (await keptFollowUps(store, sessionId)).map((kept) => kept.sessionId);
}

async function keptFollowUps(store: Store, sessionId: string): Promise<readonly SessionSnapshot[]> {
  const log = await store.steps.list(sessionId);
  const keys = new Set(log.flatMap(({ signal }) => followUpKeys(signal)));
  const schedules: SessionSnapshot[] = [];
  for (const key of keys) {
    const kept = await store.sessions.get(scheduleSession(followUpId(key)));
    if (kept !== null) schedules.push(kept);
  }
  return schedules;
}

/** Returns the keys of calls that have or may have created a schedule. A function of any name may use this handler, so its result decides. */
function followUpKeys(signal: Signal): readonly EffectKey[] {
  if (signal.type === 'tool:called') return signal.name === followUpName ? [signal.key] : [];
  if (signal.type !== 'batch:settled') return [];
  return signal.calls.filter(({ result = null }) => isJsonObject(result) && outputKey in result).map(({ key }) => key);
}

/** More entries than one session has open. */
const mostOpen = 1_000;

/** Throws a ToolError for the model if the time is invalid. */
function read(...given: Parameters<typeof readSchedule>): ReturnType<typeof readSchedule> {
  try {
    return readSchedule(...given);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    throw toolError('That is no such time. Say 15m, 2h or 3d, or a local date and time, as 2026-12-01T09:00.');
  }
}
