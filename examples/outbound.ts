// Calls a customer with the worker of examples/worker.ts: npx tsx examples/outbound.ts +15551234567 "Ada Park"
import { AgentDispatchClient, RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { randomUUID } from 'node:crypto';
import { argv, env, exit } from 'node:process';

const [phone, name] = argv.slice(2);
const { LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET, LIVEKIT_SIP_TRUNK } = env;
if (phone === undefined || name === undefined || !LIVEKIT_URL || !LIVEKIT_API_KEY || !LIVEKIT_API_SECRET) {
  console.error('Set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET, and give a phone number and a name.');
  exit(2);
}
const server = [LIVEKIT_URL.replace(/^ws/, 'http'), LIVEKIT_API_KEY, LIVEKIT_API_SECRET] as const;
const rooms = new RoomServiceClient(...server);
const room = `bike-ready-${randomUUID()}`;

try {
  await rooms.createRoom({ name: room, emptyTimeout: 60 });
  // The agent joins before the telephone rings, and waits for this participant.
  const call = { flow: 'bike-ready', sessionId: room, input: { name }, participant: 'customer' };
  await new AgentDispatchClient(...server).createDispatch(room, 'bike-shop', { metadata: JSON.stringify(call) });

  if (LIVEKIT_SIP_TRUNK) {
    await new SipClient(...server).createSipParticipant(LIVEKIT_SIP_TRUNK, phone, room, {
      participantIdentity: 'customer',
      waitUntilAnswered: true,
    });
    console.log(`Answered, in room ${room}.`);
  } else {
    console.log(`The agent waits in room ${room} for a participant named "customer".`);
    console.log('For it to ring, LiveKit needs a telephone line:');
    console.log('  1. run livekit-sip beside the server (both on one Redis), or use LiveKit Cloud;');
    console.log('  2. create an outbound trunk with the address and the login of your SIP provider;');
    console.log('  3. set LIVEKIT_SIP_TRUNK to its id, ST_…, and run this again.');
  }
} catch (error) {
  console.error(`Nobody was called: ${error instanceof Error ? error.message : String(error)}`);
  await rooms.deleteRoom(room).catch(() => undefined);
  exit(1);
}
