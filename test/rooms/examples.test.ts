import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { describe, expect, test, type TestContext } from 'vitest';
import { openaiServer } from '../providers/openai-server.ts';
import { startLeashed } from './leashed.ts';
import { freePort } from './livekit-server.ts';
import { greetingMs, openVenue } from './stage.ts';

const root = join(import.meta.dirname, '../..');
const venue = openVenue();

test('the flow of the examples is the flow in the README', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const shown = /^```yaml[^\n]*\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? '';
  expect(readFileSync(join(root, 'examples/bike-service.yaml'), 'utf8').replace(/^#.*\n/, '')).toBe(shown);
});

// Sequential, because both agents have the same name.
describe('examples', () => {
  test('existing-agent.ts: ten lines give a LiveKit agent a flow', async (context) => {
    const source = readFileSync(join(root, 'examples/existing-agent.ts'), 'utf8');
    expect(source.match(/\/\/ Roomflow/g)?.length).toBeLessThanOrEqual(10);

    const openai = await openaiServer({
      chat: ({ messages }) =>
        messages.findLast(({ role }) => role !== 'system')?.role === 'user'
          ? { calls: [{ name: 'decline' }] }
          : { text: 'This is not said.' },
    });
    context.onTestFinished(() => openai.close());
    await start(context, ['--import', 'tsx', 'examples/existing-agent.ts', 'start'], {
      OPENAI_API_KEY: 'test',
      OPENAI_BASE_URL: openai.url,
    });
    const caller = await venue.join(context, 'existing');
    await venue.dispatchTo('bike-shop', 'existing', '');
    await caller.until(() => caller.heard().includes('Would you like to book a service?'), 'the greeting', greetingMs);
    await caller.type('I have the wrong number');
    await caller.until(() => caller.heard().includes('Alright. Goodbye.'), 'the last words');
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
    expect(openai.chats.at(-1)?.tools?.map((tool) => tool.function.name)).toContain('decline');
  }, 240_000);

  test('worker.ts and outbound.ts: the shop calls a customer by name', async (context) => {
    await start(context, ['dist/cli/main.js', 'worker', '--config', 'examples/worker.ts'], {
      OPENAI_API_KEY: '',
      DEEPGRAM_API_KEY: '',
      ROOMFLOW_CACHE: join(root, 'test/rooms/no-cache'),
    });

    const outbound = startLeashed(execPath, ['--import', 'tsx', 'examples/outbound.ts', '+15550100', 'Ada Park'], {
      ...venue.server.variables,
      LIVEKIT_SIP_TRUNK: '',
    });
    context.onTestFinished(() => outbound.kill());
    await outbound.hasSaid(/set LIVEKIT_SIP_TRUNK to its id/);
    const room = /in room (\S+) for a participant named "customer"/.exec(outbound.output())?.[1] ?? '';
    const stranger = await venue.join(context, room, 'stranger');
    const customer = await venue.join(context, room, 'customer');
    await customer.until(
      () => customer.heard().includes('Hello Ada Park, this is the bike shop.'),
      'the greeting',
      greetingMs,
    );
    await stranger.type('yes, today');
    await customer.until(() => customer.agentAttributes()['lk.agent.state'] === 'listening', 'the agent to listen');
    await customer.type('another day');
    await customer.until(() => customer.heard().includes('We keep it for you. Goodbye.'), 'the last words');
    await context.expect.poll(() => venue.hasRoom(room), { timeout: 120_000 }).toBe(false);

    const ringing = startLeashed(execPath, ['--import', 'tsx', 'examples/outbound.ts', '+15550100', 'Ada Park'], {
      ...venue.server.variables,
      LIVEKIT_SIP_TRUNK: 'ST_none',
    });
    context.onTestFinished(() => ringing.kill());
    // This server has no telephone line and reports it.
    await ringing.hasSaid(/Nobody was called: .*sip/i);
  }, 240_000);
});

async function start(context: TestContext, args: readonly string[], variables: NodeJS.ProcessEnv): Promise<void> {
  const worker = startLeashed(execPath, args, {
    ...venue.server.variables,
    PORT: String(await freePort()),
    ...variables,
  });
  context.onTestFinished(() => worker.kill());
  await worker.hasSaid(/registered worker/);
}
