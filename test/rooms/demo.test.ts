import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, test, type TestContext } from 'vitest';
import { fromWav } from '../demo/wav.ts';
import { lastWords, quickVoice, visit, visitsIn } from './intake.ts';
import { ledgerVariables } from './ledger.ts';
import { hasEars, noEars } from './stage.ts';

const root = join(import.meta.dirname, '../..');

test('npm run demo:call: a spoken call is understood, answered by voice, printed line by line, and recorded with both sides in step', async (context) => {
  context.skip(!hasEars, noEars);
  const folder = newFolder(context);
  const file = join(folder, 'call.wav');
  const { code, out, errors } = await demo(['--out', file], { ...ledgerVariables({ folder }), ...quickVoice });
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  const lines = out.trim().split('\n');
  expect(lines[0]).toMatch(/^0:\d\d {2}agent {3}Hi, this is Harbour Clinic\./);
  expect(lines[1]).toMatch(/^0:\d\d {2}caller {2}Yes, please\.$/);
  expect(lines.at(-1)).toBe(`Written: ${file}`);
  const heard = lines.flatMap((line) => /^\d+:\d\d {2}agent {3}(.*)$/.exec(line)?.[1] ?? []).join(' ');
  expect(heard).toMatch(/Robert Miller, is that right\?.*4 1 5, 5 5 5, 0 1 2 3\. Is that right\?/s);
  expect(heard).toMatch(lastWords);
  expect(visitsIn(folder, null)).toEqual([visit]);

  const { sampleRate, left, right } = fromWav(readFileSync(file));
  const [caller, agent] = [loudTenths(left, sampleRate), loudTenths(right, sampleRate)];
  expect(caller.size).toBeGreaterThan(100);
  expect(agent.size).toBeGreaterThan(200);
  // Neither speaker begins before the other has ended, except for a repeated word.
  const both = [...caller].filter((tenth) => agent.has(tenth)).length;
  expect(both / caller.size).toBeLessThan(0.15);
  expect(Math.min(...agent)).toBeLessThan(Math.min(...caller));
}, 300_000);

test('the demo reports missing requirements before it begins', async (context) => {
  const wanting = await demo([]);
  expect(wanting).toMatchObject({
    code: 1,
    out: '',
    errors: expect.stringMatching(/^npm run demo:call -- --out FILE/),
  });
  const nowhere = await demo(['--out', '/nowhere/call.wav']);
  expect(nowhere).toMatchObject({ code: 1, errors: expect.stringMatching(/^\/nowhere is no folder that can be/) });
  const deaf = await demo(['--out', join(newFolder(context), 'call.wav')], {
    ROOMFLOW_CACHE: newFolder(context),
    CI: '',
  });
  expect(deaf.code).toBe(1);
  expect(deaf.errors).toMatch(
    /weights of offline speech recognition are missing|needs a LiveKit server: no livekit-server/,
  );
});

/** Returns the tenths of a second that contain a voice. */
function loudTenths(samples: Int16Array, sampleRate: number): Set<number> {
  const size = sampleRate / 10;
  const tenths = Array.from({ length: Math.floor(samples.length / size) }, (_, tenth) => tenth);
  const isLoud = (tenth: number): boolean =>
    samples.subarray(tenth * size, (tenth + 1) * size).reduce((sum, sample) => sum + Math.abs(sample), 0) / size > 200;
  return new Set(tenths.filter(isLoud));
}

function newFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-demo-'));
  context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function demo(args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const program = ['--import', 'tsx', join(root, 'test/demo/call.ts'), ...args];
  return new Promise<{ code: number; out: string; errors: string }>((resolve) => {
    execFile(
      execPath,
      program,
      { cwd: root, env: { ...process.env, INIT_CWD: '', NODE_ENV: undefined, ...variables } },
      (error, out, errors) =>
        resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, errors }),
    );
  });
}
