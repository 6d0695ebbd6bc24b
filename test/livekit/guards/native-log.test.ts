import { execFileSync } from 'node:child_process';
import { execPath } from 'node:process';
import { expect, it } from 'vitest';

/** What LiveKit's native part tells of a participant whom it does not know, before and after the guard is set up. */
const program = `
import { Room } from '@livekit/rtc-node';
import { pino } from 'pino';
import { withholdNativeContent } from ${JSON.stringify(new URL('../../../src/livekit/guards/native-log.ts', import.meta.url).pathname)};
const room = new Room();
Object.assign(room, { localParticipant: { identity: 'agent' }, ffiHandle: { handle: 1n }, info: {} });
const value = { roomHandle: 1n, message: { case: 'trackMuted', value: { participantIdentity: 'zebedee', trackSid: 'TR' } } };
const mute = () => room.onFfiEvent({ message: { case: 'roomEvent', value } });
await mute();
withholdNativeContent({});
await mute();
pino({ name: 'other' }).info('zebedee is nobody of a room');
process.stdout.write('plain zebedee\\n');
process.exit(0);
`;

const named = 'RoomEvent.TrackMuted: participant zebedee not found';

it('LiveKit’s own: a line of the native part names a participant; guarded, it does not, and others write what they want', () => {
  const out = execFileSync(execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { encoding: 'utf8' });
  const lines = out.trim().split('\n');
  const messages = lines.map((line) => (line.startsWith('{') ? (JSON.parse(line) as { msg: string }).msg : line));
  // Loggers write in an order of their own.
  expect(messages, 'LiveKit has mended it: src/livekit/guards/native-log.ts can go').toContain(named);
  expect(messages.toSorted()).toEqual(['RoomEvent.TrackMuted', named, 'plain zebedee', 'zebedee is nobody of a room']);
});
