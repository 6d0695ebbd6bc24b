import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { z } from 'zod';
import reminder from './reminder.ts';
import tutor from './tutor.ts';

/** Reminders by the key of their call, so that a repeated call after a crash creates no second one. */
export const reminders = new Map<string, { task: string; at: number }>();

/** `roomflow chat --config examples/tutor.config.ts` */
export default defineConfig({
  initialFlow: 'tutor',
  flows: { tutor, reminder },
  tools: [
    flowTool({
      name: 'correct_sentence',
      description: 'Correct a sentence in English.',
      parameters: z.object({ sentence: z.string().min(1) }),
      // A real tutor would ask a model here.
      execute: ({ sentence }) => sentence.replace(/\b(I|you|we|they) goes\b/gi, '$1 go').replace(/[^.!?]$/, '$&.'),
    }),
    flowTool({
      name: 'schedule_reminder',
      description: 'Schedule a reminder.',
      parameters: z.object({ task: z.string(), at: z.number().int() }),
      execute: (reminder, { key }) => void reminders.set(key, reminder),
    }),
  ],
});
