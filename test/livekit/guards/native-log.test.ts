import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { execPath } from 'node:process';
import { expect, it } from 'vitest';

/** A program in which LiveKit's native part logs an unknown participant and an unread stream, and other loggers log too. */
const program = (guard: string): string => `
import { Room } from '@livekit/rtc-node';
import { pino } from 'pino';
import { withholdNativeContent } from ${JSON.stringify(new URL('../../../src/livekit/guards/native-log.ts', import.meta.url).pathname)};
${guard}
const room = new Room();
Object.assign(room, { localParticipant: { identity: 'agent' }, ffiHandle: { handle: 1n }, info: {} });
const value = { roomHandle: 1n, message: { case: 'trackMuted', value: { participantIdentity: 'zebedee', trackSid: 'TR' } } };
await room.onFfiEvent({ message: { case: 'roomEvent', value } });
try {
  room.handleTextStreamOpened({ info: { topic: 'zebedee' }, handle: { id: 0n } }, 'zebedee');
} catch {
  // The native part knows no such stream.
}
pino({ name: 'other' }).info('zebedee is nobody of a room');
process.stdout.write('plain zebedee\\n');
process.exit(0);
`;

const others = ['plain zebedee', 'zebedee is nobody of a room'];

it('LiveKit’s own: the native part logs participants and all its steps; guarded it logs neither, and other loggers are unchanged', async () => {
  expect(await linesOf(''), 'LiveKit has mended it: src/livekit/guards/native-log.ts can go').toEqual([
    'RoomEvent.TrackMuted: participant zebedee not found',
    'ignoring incoming text stream due to no handler for topic: zebedee',
    ...others,
  ]);
  expect(await linesOf(`withholdNativeContent('debug', {});`)).toEqual([
    'RoomEvent.TrackMuted',
    'ignoring incoming text stream due to no handler for topic',
    ...others,
  ]);
  expect(await linesOf(`withholdNativeContent('info', {});`)).toEqual(['RoomEvent.TrackMuted', ...others]);
});

/** Returns a program's messages, sorted, because loggers write in any order. */
async function linesOf(guard: string): Promise<readonly string[]> {
  // Bundled here into one file, because a process that compiles its sources takes twice the CPU.
  const options = { bundle: true, packages: 'external', format: 'esm', platform: 'node', write: false } as const;
  const { outputFiles } = await build({
    stdin: { contents: program(guard), resolveDir: import.meta.dirname },
    ...options,
  });
  const source = outputFiles[0]?.text ?? '';
  const printed = execFileSync(execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  const lines = printed.trim().split('\n');
  return lines.map((line) => (line.startsWith('{') ? (JSON.parse(line) as { msg: string }).msg : line)).toSorted();
}
