import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findLiveKit } from '../../src/studio/dev/livekit-door.ts';
import { isEcho } from '../../src/studio/page/voice/echo.ts';
import { systemClock } from '../../src/system.ts';

describe('which voice is at hand', () => {
  test('without a LiveKit server it is that of the browser, and it is told how to get the other', async () => {
    const door = findLiveKit({ PATH: newFolder() }, newFolder(), systemClock, () => null);
    expect(door.offer).toEqual({
      by: 'browser',
      how: expect.stringMatching(
        /^Speech of the browser.*For the real voice put livekit-server on the PATH, or set LIVEKIT_URL/,
      ),
    });
    expect(door.connects).toEqual([]);
    await expect(door.open('call')).rejects.toMatchObject({ code: 'server-missing' });
  });

  test('a server that is named, on the PATH, or built by the tests of a checkout is one, in this order', () => {
    const [path, root] = [newFolder(), newFolder()];
    const how = (variables: NodeJS.ProcessEnv): string =>
      findLiveKit({ PATH: path, ...variables }, root, systemClock, () => null).offer.how;
    mkdirSync(join(root, '.cache'));
    writeFileSync(join(root, '.cache/livekit-server-0123456789abcdef'), '');
    expect(how({})).toContain('a livekit-server of this machine');
    const named = { LIVEKIT_URL: 'wss://calls.example', LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: 'secret' };
    expect(how(named)).toContain('the server of LIVEKIT_URL');
    // Without its keys nobody gets in.
    expect(how({ ...named, LIVEKIT_API_SECRET: '' })).toContain('a livekit-server of this machine');
  });

  test('what offline speech lacks is told where a server would be at hand', () => {
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

test('words that the page itself is saying are no words of the caller', () => {
  expect(isEcho('shall we start', 'Hi, this is Harbour Clinic. Shall we start?')).toBe(true);
  expect(isEcho('yes please', 'Hi, this is Harbour Clinic. Shall we start?')).toBe(false);
  expect(isEcho('hi', 'This is it.')).toBe(false);
  expect(isEcho('shall we start', '')).toBe(false);
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-voice-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
