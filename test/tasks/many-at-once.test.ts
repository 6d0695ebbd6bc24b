import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createFlowRunner } from '../../src/runner/create-flow-run.ts';
import type { TaskPartDocument } from '../../src/flow/document/task-node.ts';
import { catalog } from './task-rig.ts';

test('as many tasks at once as a flow allows make Node warn of nothing', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const list = Array.from({ length: 30 }, (_, index) => index);
  const each = (body: TaskPartDocument) => ({ type: 'control.foreach', input: { list, concurrency: 15 }, body });
  const wait = { type: 'control.wait', input: { ms: 1 } };
  const many = Object.fromEntries(list.map((index) => [`own${index}`, wait]));
  const flow = {
    flow: { policy: { concurrency: 40 } },
    nodes: { ...many, outer: each({ nodes: { inner: each({ nodes: { last: wait } }) } }) },
  };
  expect((await createFlowRunner(flow, catalog).run()).status).toBe('complete');
  await nextRound();
  expect(warnings).toEqual([]);
});
