import type { RealtimeScript } from './openai-realtime-server.ts';

/** Greets, calls what it is offered when the caller speaks, and tells where it is when a call has been answered. */
export const walks: RealtimeScript = {
  hears: () => 'go on',
  answer: ({ items, tools, instructions }) =>
    (items.at(-1) ?? '').startsWith('user:')
      ? { calls: [{ name: tools[0] ?? '' }] }
      : { text: `Here is ${instructions}` },
};

/** Calls what it is offered when it hears `go on`, and tells where it is in all else. */
export const walksOn: NonNullable<RealtimeScript['answer']> = ({ items, tools, instructions }) =>
  items.at(-1) === 'user:go on' ? { calls: [{ name: tools[0] ?? '' }] } : { text: `Here is ${instructions}` };
