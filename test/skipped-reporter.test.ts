import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, onTestFinished, test } from 'vitest';

const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');

test('a test run ends with how many tests were skipped for each reason, and their names', () => {
  expect(skippedIn([])).toBe(
    [
      '2 skipped: no server here',
      '  one.test.js > rooms > a call',
      '  one.test.js > rooms > another call',
      '',
      '1 skipped: no reason given',
      '  one.test.js > later',
    ].join('\n'),
  );
});

test('tests left out by their names are not listed', () => {
  expect(skippedIn(['-t', 'works'])).toBe('');
});

function skippedIn(options: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-skipped-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'one.test.js'),
    `describe('rooms', () => {
       beforeEach((context) => context.skip('no server here'));
       test('a call', () => {});
       test('another call', () => {});
     });
     test.skip('later', () => {});
     test('works', () => {});`,
  );
  const reporter = `--reporter=${join(import.meta.dirname, 'skipped-reporter.ts')}`;
  const run = spawnSync(execPath, [vitest, 'run', '--root', folder, '--globals', reporter, ...options], {
    encoding: 'utf8',
  });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  return run.stdout.trim();
}
