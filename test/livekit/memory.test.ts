import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('250 turns of a flow that resets its context keep no more than LiveKit itself', { timeout: 600_000 }, async () => {
  const child = ['--expose-gc', join(import.meta.dirname, 'memory-child.mjs')];
  const { stdout } = await promisify(execFile)(execPath, child);
  const { bare, flow, status } = JSON.parse(stdout) as { bare: number; flow: number; status: string };
  expect(status).toBe('active');
  // Seven: the call's output, which stays in the model's context, and a second wake-up of LiveKit's main loop, whose
  // queue keeps as much for each turn of a bare session. The texts of the log, which a replay needs, are not objects.
  expect(flow - bare).toBeLessThan(8);
});
