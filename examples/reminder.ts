import { ask, defineFlow, end, say, tool } from 'roomflow';
import { z } from 'zod';

const given = z.object({ name: z.string().default('you') });

/** Asks for the subject and the time of a reminder, and schedules it. */
export default defineFlow(async function* reminder(ctx) {
  const { name } = given.parse(ctx.input);
  const task = yield* ask({ key: 'task', text: `What should I remind you about, ${name}?` });
  const minutes = yield* ask({
    key: 'minutes',
    text: 'In how many minutes?',
    schema: z.number().int().min(1).max(600),
  });
  // ctx.now() is journaled: after a crash it returns the same moment, so the reminder is the same.
  const at = ctx.now() + minutes * 60_000;
  const scheduled = yield* tool({ name: 'schedule_reminder', args: { task, at } });
  if (!scheduled.ok) yield* end('reminder_failed');
  yield* say(`I will remind you in ${minutes} minutes.`);
  yield* end('reminder_scheduled');
});
