import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findLiveKit } from '../../src/studio/dev/livekit-door.ts';
import { isEcho } from '../../src/studio/page/voice/echo.ts';
import { systemClock } from '../../src/system.ts';
import { until } from '../livekit/until.ts';
import { isAlive } from '../rooms/processes.ts';

describe('the available voice', () => {
  test('without a LiveKit server it is the browser’s, with a hint how to get the other', async () => {
    const door = findLiveKit({ PATH: newFolder() }, newFolder(), systemClock, () => null);
    expect(door.offer).toEqual({
      by: 'browser',
      how: expect.stringMatching(
        /^Speech of the browser.*For LiveKit voice put livekit-server on the PATH, or set LIVEKIT_URL/,
      ),
    });
    expect(door.connects).toEqual([]);
    await expect(door.open('call')).rejects.toMatchObject({ code: 'server-missing' });
  });

  test('finds a server by its name, on the PATH, or in a checkout’s test build, in this order', () => {
    const [path, root] = [newFolder(), newFolder()];
    const how = (variables: NodeJS.ProcessEnv): string =>
      findLiveKit({ PATH: path, ...variables }, root, systemClock, () => null).offer.how;
    mkdirSync(join(root, '.cache'));
    writeFileSync(join(root, '.cache/livekit-server-0123456789abcdef'), '');
    expect(how({})).toContain('a local livekit-server');
    const named = { LIVEKIT_URL: 'wss://calls.example', LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'secret' };
    expect(how(named)).toContain('the server of LIVEKIT_URL');
    // The server refuses clients without its keys.
    expect(how({ ...named, LIVEKIT_API_SECRET: '' })).toContain('a local livekit-server');
  });

  test('missing parts of offline speech are reported if a server is available', () => {
    const root = newFolder();
    mkdirSync(join(root, '.cache'));
    writeFileSync(join(root, '.cache/livekit-server-0123456789abcdef'), '');
    const { offer } = findLiveKit({ PATH: '' }, root, systemClock, () => 'It needs its weights: run setup-speech.');
    expect(offer).toMatchObject({ by: 'browser', how: expect.stringContaining('It needs its weights') });
  });

  test.skipIf(process.platform === 'win32')(
    'a server that does not start is told in words, and tried again',
    async () => {
      const folder = newFolder();
      const program = join(folder, 'livekit-server');
      writeFileSync(program, '#!/bin/sh\necho >> "$0.runs"\nexit 1\n', { mode: 0o755 });
      const door = findLiveKit(
        { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
        newFolder(),
        systemClock,
        () => null,
      );
      for (const attempt of [1, 2]) {
        await expect(door.open('call'), String(attempt)).rejects.toMatchObject({
          code: 'server-missing',
          message: expect.stringContaining('livekit-server does not start'),
        });
      }
      await door.stop();
    },
  );
});

test.skipIf(process.platform === 'win32')('a studio that is killed outright leaves no server behind', async () => {
  const folder = newFolder();
  const pids = join(folder, 'pid');
  const server = `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs');
const config = process.argv.at(-1);
const { port } = JSON.parse(readFileSync(config, 'utf8'));
require('node:http').createServer((_, answer) => answer.end()).listen(port, '127.0.0.1');
writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + config);
`;
  writeFileSync(join(folder, 'livekit-server'), server, { mode: 0o755 });
  const source = (path: string): string => JSON.stringify(join(import.meta.dirname, '../../src', path));
  const studio = `import { findLiveKit } from ${source('studio/dev/livekit-door.ts')};
import { systemClock } from ${source('system.ts')};
await findLiveKit({ PATH: ${JSON.stringify(folder)} }, ${JSON.stringify(folder)}, systemClock, () => null).open('call');
console.log('open');
setInterval(() => undefined, 1_000);
`;
  writeFileSync(join(folder, 'studio.mts'), studio);
  const child = spawn(process.execPath, ['--import', tsx, join(folder, 'studio.mts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const [pid = '', config = ''] = readFileSync(pids, 'utf8').split(' ');
  onTestFinished(() => void (isAlive(Number(pid)) && process.kill(Number(pid), 'SIGKILL')));
  expect([isAlive(Number(pid)), existsSync(config)]).toEqual([true, true]);
  child.kill('SIGKILL');
  await until(() => !isAlive(Number(pid)) && !existsSync(config), 'the end of the server and of its folder');
});

test('the page’s own speech does not count as the caller’s', () => {
  expect(isEcho('shall we start', 'Hi, this is Harbour Clinic. Shall we start?')).toBe(true);
  expect(isEcho('yes please', 'Hi, this is Harbour Clinic. Shall we start?')).toBe(false);
  expect(isEcho('hi', 'This is it.')).toBe(false);
  expect(isEcho('shall we start', '')).toBe(false);
});

const tsx = import.meta.resolve('tsx');

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-voice-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
