import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { MeasuredCall } from '../../src/livekit/traces/call-metrics.ts';
import type { MeasuredTurn } from '../../src/livekit/traces/turn-metrics.ts';
import { hearTurns } from '../../src/worker/jobs/job-turns.ts';
import { folderOf } from '../cli/run-cli.ts';

it('a worker hears of the turns of its jobs, each in a process of its own, and passes over other messages', async () => {
  const turns: MeasuredTurn[] = [];
  const calls: MeasuredCall[] = [];
  onTestFinished(
    hearTurns(
      (turn) => void turns.push(turn),
      (call) => void calls.push(call),
    ),
  );
  const folder = folderOf({});
  const file = join(folder, 'job.mjs');
  const module = new URL('../../dist/worker/jobs/job-turns.js', import.meta.url).href;
  writeFileSync(
    file,
    `import { sendCall, sendTurn } from ${JSON.stringify(module)};
     process.send({ case: 'initializeResponse' });
     sendTurn({ flow: 'clinic', trace: { ms: 1200, spans: [] } });
     process.send({ case: 'roomflow:turn', flow: 'clinic', trace: { ms: 1 } });
     process.send({ case: 'roomflow:turn', flow: 7, trace: null });
     sendCall({ event: 'started', flow: 'clinic' });
     process.disconnect();
     // The parent no longer listens.
     sendTurn({ flow: 'clinic', trace: { ms: 1300, spans: [] } });`,
  );
  const job = fork(file);
  const others: unknown[] = [];
  job.on('message', (message) => void others.push(message));
  const [code] = (await once(job, 'exit')) as [number];
  expect(code).toBe(0);
  expect(turns).toEqual([{ flow: 'clinic', trace: { ms: 1200, spans: [] } }]);
  expect(calls).toEqual([{ event: 'started', flow: 'clinic' }]);
  expect(others).toHaveLength(5);
});
