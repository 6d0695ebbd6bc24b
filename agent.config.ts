import { defineConfig, flowTool } from 'roomflow';
import { createTools, toolArguments } from './flows/clinic-intake/tools.ts';

// The clinic's calendar, in memory; a real one would be called here.
const clinic = createTools({ today: () => new Date().toISOString().slice(0, 10) });

/** What `npm start` talks to. */
export default defineConfig({
  initialFlow: 'clinic-intake',
  flows: { 'clinic-intake': 'flows/clinic-intake/flow.yaml' },
  tools: [
    flowTool({
      name: 'find_openings',
      description: 'Look up the open times of a day.',
      parameters: toolArguments.find_openings,
      execute: clinic.find_openings,
    }),
    flowTool({
      name: 'find_first_day',
      description: 'Look up the first day that has an opening.',
      parameters: toolArguments.find_first_day,
      execute: clinic.find_first_day,
    }),
    flowTool({
      name: 'book_visit',
      description: 'Book the visit.',
      parameters: toolArguments.book_visit,
      execute: clinic.book_visit,
    }),
  ],
  handlers: { ring: clinic.ring, note_consent: clinic.note_consent },
});
