// A caller in a separate process, to be killed without a goodbye: `lost-caller.ts ROOM`, with the server in the
// environment.
import { argv, env } from 'node:process';
import { joinRoom } from '../../src/testing/caller.ts';

const server = {
  url: env['LIVEKIT_URL'] ?? '',
  apiKey: env['LIVEKIT_API_KEY'] ?? '',
  apiSecret: env['LIVEKIT_API_SECRET'] ?? '',
};
const caller = await joinRoom(server, argv[2] ?? '');
process.stdout.write('joined\n');
await caller.until(() => caller.heard().includes('Welcome'), 'the greeting', 120_000);
await caller.type('save it');
await caller.until(() => caller.heard().includes('Anything else?'), 'the answer', 120_000);
process.stdout.write('answered\n');
