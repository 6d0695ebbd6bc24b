import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { z } from 'zod';
import { patients } from './patients.ts';

export default defineConfig({
  initialFlow: 'recall',
  flows: { recall: 'recall.yaml' },
  store: process.env['ROOMFLOW_STORE'] ?? 'sqlite:recall.db',
  timeZone: 'Europe/Berlin',
  tools: [
    flowTool({
      name: 'book_visit',
      description: 'Books the day of the check-up.',
      effect: 'write',
      parameters: z.object({ day: z.string() }),
      // The database receives the key, so that a repeated request books once.
      execute({ day }, { key }) {
        // It begins with the session, recipient/CAMPAIGN/SCHEDULE/PATIENT/TICK: no argument of the model names a patient.
        const found = patients.find(({ id }) => id === key.split('/')[3]);
        if (found !== undefined) found.visit = day;
        return { booked: found !== undefined, reference: key };
      },
    }),
  ],
  // Each Monday the campaign calls the patients with a due check-up and without a visit.
  schedules: { mondays: { cron: '0 9 * * MON', campaign: 'recall' } },
  campaigns: {
    recall: {
      flow: 'recall',
      reach: 'call',
      // The practice has two lines.
      pace: { perSecond: 1, atOnce: 2 },
      quiet: { from: '19:00', to: '09:00' },
      // Checked right before each call: skips patients who have booked meanwhile, or want no calls.
      mayContact: ({ id }) => patients.some((one) => one.id === id && !one.doNotCall && one.visit === null),
      async *segment(after, { scheduledFor }) {
        const today = new Date(scheduledFor).toISOString().slice(0, 10);
        for (const { id, name, phone, zone, due, visit } of patients)
          if ((after === null || id > after) && due <= today && visit === null)
            yield { id, cursor: id, to: phone, zone, input: { name } };
      },
    },
  },
  // A patient who does not answer is called twice more, a day later each time.
  calls: {
    attempts: 3,
    every: '1d',
    ring: ({ room }) => process.stderr.write(`Somebody is called in room ${room}.\n`),
  },
  worker: { agentName: 'recall' },
});
