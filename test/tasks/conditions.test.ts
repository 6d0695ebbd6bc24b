import { expect, test } from 'vitest';
import { finished, rig } from './task-rig.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

/** Returns the tasks that have run if the flow begins at an hour of 2026-11-21. */
async function ran(when: string, hour = 12): Promise<readonly string[]> {
  const flow = `
flow: { input: { list: array, day: { type: string, optional: true } } }
nodes:
  look: { type: control.noop }
  then: { type: control.noop }
edges:
  - { from: look, to: then, when: ${when} }
`;
  const clock = createVirtualClock(Date.UTC(2026, 10, 21, hour));
  const { instance } = rig(flow, { clock, input: { list: [1, 2] } });
  const { result } = await finished({ instance, clock, lines: () => [] });
  return Object.keys(result.outputs);
}

test('an edge between tasks does not fire by what is unknown', async () => {
  expect(await ran('{ not_equals: { var: flow.input.day, value: monday } }')).toEqual(['look']);
  expect(await ran('{ not: { exists: { var: flow.input.day } } }')).toEqual(['look', 'then']);
});

test('an edge between tasks counts lists and knows what time it is', async () => {
  expect(await ran('{ at_least: { count: flow.input.list, value: 2 } }')).toEqual(['look', 'then']);
  const open = '{ all: [{ at_least: { var: now, value: "09:00" } }, { equals: { weekday: now, value: saturday } }] }';
  expect(await ran(open, 12)).toEqual(['look', 'then']);
  expect(await ran(open, 8)).toEqual(['look']);
});
