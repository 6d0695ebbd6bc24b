import type { RealtimeScript } from './openai-realtime-server.ts';

/** Greets, calls the offered function when the caller speaks, and says its node when a call has been answered. */
export const walks: RealtimeScript = {
  hears: () => 'go on',
  answer: ({ items, tools, instructions }) =>
    (items.at(-1) ?? '').startsWith('user:')
      ? { calls: [{ name: tools[0] ?? '' }] }
      : { text: `Here is ${instructions}` },
};

/** Calls the offered function for `go on`, and answers everything else with its node. */
export const walksOn: NonNullable<RealtimeScript['answer']> = ({ items, tools, instructions }) =>
  items.at(-1) === 'user:go on' ? { calls: [{ name: tools[0] ?? '' }] } : { text: `Here is ${instructions}` };
