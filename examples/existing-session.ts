import type { voice } from '@livekit/agents';
import { FlowRunner, flowTool } from 'roomflow/livekit';
import { z } from 'zod';

export const bookService = flowTool({
  name: 'book_service',
  description: 'Book the service.',
  parameters: z.object({ day: z.string() }),
  execute: async ({ day }, { key }) => ({ booked: day, key }), // key: the same for every attempt of this very booking
});

export async function talk(session: voice.AgentSession, flow: string): Promise<string> {
  const runner = new FlowRunner({ session, flow, tools: [bookService] });
  runner.on('transition:taken', ({ data }) => console.log(`${data.from} -> ${data.to}`));
  await runner.start(); // or start({ room: ctx.room }) in a worker's entry
  return await runner.ended;
}
