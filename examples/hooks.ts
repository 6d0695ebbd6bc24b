import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { z } from 'zod';

/** The answers with caller and topic, as a file or a CRM would store them. */
export const journal: { caller: string; reply: string; topic: unknown; source: string | undefined }[] = [];

const isOpen = (hour: number): boolean => hour >= 9 && hour < 17;
export const clock = { hour: (): number => new Date().getHours() };

/** `roomflow chat --config examples/hooks.ts` */
export default defineConfig({
  prompt: 'You answer the telephone of {{ shop }}, which repairs bicycles. Be brief.',
  context: { shop: 'Wheel Works' },
  tools: [
    flowTool({
      name: 'price_of',
      description: 'What a repair costs.',
      parameters: z.object({ repair: z.string() }),
      execute: ({ repair }) => (/tyre|tube/i.test(repair) ? '15 euros' : 'to be seen in the shop'),
    }),
  ],
  // Only `reply` is spoken, as it streams in. The other fields are for the hooks.
  output: z.object({ reply: z.string(), topic: z.enum(['repair', 'order', 'other']) }),
  flows: {
    callback: {
      initialNode: 'number',
      slots: { phone: { type: 'phone', ask: 'Under which number can we call you back?' } },
      nodes: {
        number: { collect: ['phone'], defaultTransition: 'done' },
        done: { say: 'We will call you back.', end: 'callback' },
      },
    },
  },
  hooks: {
    // Before the model is asked. A turn that needs no model costs nothing.
    async beforeLLM({ text, activeFlow }) {
      if (activeFlow !== null) return { action: 'continue' };
      if (/\b(?:call|ring) me back\b/i.test(text)) return { action: 'route_flow', flowId: 'callback' };
      if (!isOpen(clock.hour()))
        return { action: 'skip_llm', draftReply: 'We are open from nine to five.', reason: 'closed' };
      return { action: 'continue' };
    },
    // Before the caller hears any part of the reply.
    async beforeResponse({ reply }) {
      if (/\bfor free\b/i.test(reply))
        return { action: 'replace', reply: 'I will ask the workshop what that costs.', reason: 'no-promises' };
      return { action: 'continue' };
    },
    // After the reply was heard and stored: once a turn, even if the same message arrives twice.
    async onResponse({ reply, topic }, { session }, meta) {
      journal.push({ caller: session.id, reply, topic, source: meta?.source });
    },
  },
});
