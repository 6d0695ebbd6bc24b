import { execFileSync } from 'node:child_process';
import { execPath } from 'node:process';
import { expect, it } from 'vitest';

const program = `
import { createRequire } from 'node:module';
import { withholdNativeContent } from ${JSON.stringify(new URL('../../src/worker/native-log.ts', import.meta.url).pathname)};
const { pino } = createRequire(${JSON.stringify(import.meta.url)})('pino');
withholdNativeContent({});
const native = pino({ name: 'lk-rtc' });
native.warn('RoomEvent.TrackMuted: participant zebedee is not found');
native.info('Connected');
pino({ name: 'other' }).info('zebedee is nobody of a room');
process.stdout.write('plain zebedee\\n');
`;

it('LiveKit’s native part names no participant in the process of a job; what others write is left as it is', () => {
  const out = execFileSync(execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { encoding: 'utf8' });
  const lines = out.trim().split('\n');
  expect(lines).toHaveLength(4);
  const messages = lines.flatMap((line) => (line.startsWith('{') ? [(JSON.parse(line) as { msg: string }).msg] : []));
  expect(messages.toSorted()).toEqual(['Connected', 'RoomEvent.TrackMuted', 'zebedee is nobody of a room']);
  expect(lines).toContain('plain zebedee');
});
