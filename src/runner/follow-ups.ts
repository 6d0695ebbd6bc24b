import { z } from 'zod';
import { FlowError } from '../errors.ts';
import type { Reach } from '../events/inbox.ts';
import { hashOf } from '../graph/hash.ts';
import { flowTool } from '../livekit/tools/flow-tool.ts';
import type { FunctionTool } from '../livekit/tools/function-tool.ts';
import { toolError } from '../livekit/tools/tool-error.ts';
import { durationMs, durationSchema } from '../people/duration.ts';
import { scheduleSession } from '../people/schedules/fold-schedule.ts';
import { changeSchedule, type ScheduleParts } from '../people/schedules/keep-schedules.ts';
import { readSchedule } from '../people/schedules/read-schedule.ts';

/** The name of the tool by which an agent comes back to a conversation. */
export const followUpName = 'schedule_followup';

interface FollowUpParts extends ScheduleParts {
  /** The zone in which the model says dates. */
  readonly zone: string;
  readonly reach: Reach;
}

/**
 * The tool by which an agent comes back to the session that it runs in, and to no other, whatever its arguments say: at
 * that time the session has a turn with the given words. One call makes one schedule, however often it is tried. `parts`
 * gives null where the session is kept nowhere.
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
      const id = `followup-${hashOf(key).slice(0, 16)}`;
      const now = clock.now();
      const at = durationSchema.safeParse(when).success ? new Date(now + durationMs(when)).toISOString() : when;
      const schedule = read(id, { at, session: sessionId, say: about, reach }, { zone, civil, now });
      const due = schedule.when.type === 'at' ? schedule.when.at : now;
      if (due <= now) throw toolError('That time is past. Choose a later one.');
      // A call that is tried again after a crash has made it already.
      if ((await store.loadSnapshot(scheduleSession(id))) === null)
        await changeSchedule(given, id, { type: 'put', schedule, origin: 'followup' });
      return { scheduled_for: civil(due, zone) };
    },
  });
}

/** Throws a ToolError, which the model reads, for what is no time. */
function read(...given: Parameters<typeof readSchedule>): ReturnType<typeof readSchedule> {
  try {
    return readSchedule(...given);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    throw toolError('That is no such time. Say 15m, 2h or 3d, or a local date and time, as 2026-12-01T09:00.');
  }
}
