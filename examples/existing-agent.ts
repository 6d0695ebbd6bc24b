// A LiveKit agent with a flow. Lines of Roomflow are marked. Run it with
//   npx tsx examples/existing-agent.ts start
import { cli, defineAgent, type JobContext, ServerOptions, voice } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { FlowRunner, flowTool } from 'roomflow/livekit'; // Roomflow
import { z } from 'zod'; // Roomflow

const bookService = flowTool({
  name: 'book_service', // Roomflow
  description: 'Book the service.', // Roomflow
  parameters: z.object({ day: z.string() }), // Roomflow
  execute: ({ day }, { key }) => ({ booked: day, key }), // Roomflow
});

export default defineAgent({
  async entry(ctx: JobContext) {
    await ctx.connect();
    const session = new voice.AgentSession({ llm: new openai.LLM(), tts: new openai.TTS() });
    const flow = new URL('bike-service.yaml', import.meta.url); // Roomflow
    const runner = new FlowRunner({ session, flow, tools: [bookService] }); // Roomflow
    await runner.start({ room: ctx.room }); // Roomflow, instead of session.start({ agent, room: ctx.room })
    void runner.ended.then((reason) => ctx.shutdown(reason)); // Roomflow
  },
});

cli.runApp(
  new ServerOptions({
    agent: fileURLToPath(import.meta.url),
    agentName: 'bike-shop',
    host: '127.0.0.1',
    port: Number(env['PORT'] ?? 8081),
    // By default LiveKit measures the load of the whole machine, so a busy machine gets no calls. Neither does a machine where a
    // process takes longer than ten seconds to start.
    initializeProcessTimeout: 60_000,
    loadFunc: ({ activeJobs }) => Promise.resolve(activeJobs.length / 20),
  }),
);
