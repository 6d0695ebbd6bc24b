import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { followFlows } from '../../src/worker/follow-flows.ts';
import { until } from '../livekit/until.ts';

it('a flow whose file has changed is read anew once it can run, and the log says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-follow-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('desk.yaml', 'name: desk\ninitial_node: a\nnodes: { a: { say: "Hello.", end: done } }\n');
  const clock = createVirtualClock();
  const told: unknown[] = [];
  let renewed = 0;
  const log = ({ event, flow }: Readonly<Record<string, unknown>>): void => void told.push([event, flow]);
  const stop = followFlows({
    ...{ config: { flows: { desk: join(folder, 'desk.yaml') } }, file: null, clock },
    renew: () => void (renewed += 1),
    logger: { info: log, warn: log },
  });
  const look = async (): Promise<void> => {
    await until(() => clock.pending === 1, 'the look before to be over');
    await clock.advance(5_000);
    await until(() => clock.pending === 1, 'the look to be over');
  };
  await look();
  write('notes.md', 'Nothing of a flow.');
  await look();
  expect([told, renewed]).toEqual([[], 0]);
  write('desk.yaml', 'name: desk\ninitial_node: b\nnodes: { a: { say: "Hello.", end: done } }\n');
  await look();
  expect([told.splice(0), renewed]).toEqual([[['flow:unsound', 'desk']], 0]);
  write('desk.yaml', 'name: desk\ninitial_node: a\nnodes: { a: { say: "Good day.", end: done } }\n');
  await look();
  expect([told, renewed]).toEqual([[['flow:renewed', 'desk']], 1]);
  stop();
  expect(clock.pending).toBe(0);
});
