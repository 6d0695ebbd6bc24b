import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../src/model/ports/time.ts';
import { type StageProcess, startStage } from '../../src/studio/dev/stage-process.ts';
import type { StudioHandlers } from '../../src/studio/dev/stage-calls.ts';

/** Starts a process that answers all calls except one, and moves the clock to the studio's next check. */
async function begun(unanswered = ''): Promise<{ stage: StageProcess; lookAfter(ms: number): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-stage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'stage.mjs');
  const answer = `({ call, id }) => call === '${unanswered}' || process.send({ answer: id, value: 1 })`;
  writeFileSync(program, `process.on('message', ${answer});`);
  let now = 0;
  let look: (() => void) | null = null;
  const clock: Clock = {
    now: () => now,
    schedule(_delayMs, task) {
      look = task;
      return () => (look = null);
    },
  };
  const stage = startStage(program, {} as StudioHandlers, clock); // This process makes no calls.
  onTestFinished(() => stage.stop());
  await stage.call('begin', { config: null, flow: null, wordMs: 0 } as never); // It does not read the argument.
  return {
    stage,
    lookAfter(ms) {
      now += ms;
      look?.();
    },
  };
}

test('a process that answers survives an hour’s sleep of the machine', async () => {
  const { stage, lookAfter } = await begun();
  for (let night = 0; night < 3; night += 1) {
    lookAfter(3_600_000);
    expect(await stage.call('ping')).toBe(1);
  }
});

test('a process that misses four answers in a row is ended', async () => {
  const { stage, lookAfter } = await begun('ping');
  for (let looks = 0; looks < 5; looks += 1) lookAfter(5_000);
  expect(await stage.gone).toBe('it did not answer for 20 seconds');
});
