import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { createHub } from '../../src/engine/hub/create-hub.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { systemCivilTime } from '../../src/system.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { graphOf } from '../kernel/session.ts';

it('a view is the same object while nothing happens, follows each step, and knows the new day within a minute', async () => {
  const clock = createVirtualClock(Date.UTC(2030, 0, 7, 23, 59, 30));
  const ids = createCountingIds();
  const engine = await createEngine({
    graph: graphOf({
      initialNode: 'a',
      slots: { day: { type: 'date', optional: true } },
      nodes: {
        a: { taskMessages: [{ role: 'system', content: 'Node A.' }], functions: [{ name: 'on', transitionTo: 'b' }] },
        b: { taskMessages: [{ role: 'system', content: 'Node B.' }], functions: [{ name: 'back', transitionTo: 'a' }] },
      },
    }),
    sessionId: 's',
    store: createMemoryStore({ clock }),
    executor: { execute: () => Promise.reject(new Error('Nothing is called.')) },
    hub: createHub({ clock, ids }),
    clock,
    civilTime: systemCivilTime,
    ids,
    timeZone: 'UTC',
    writeCapMs: 10_000,
  });
  await engine.start({});
  const first = engine.view();
  expect(first.instructions).toContain('Node A.');
  expect(first.knowledge).toContain('2030-01-07');
  expect(engine.view()).toBe(first);
  await clock.advance(61_000);
  expect(engine.view().knowledge).toContain('2030-01-08');
  engine.dispatch({ signal: { type: 'node:requested', at: clock.now(), to: 'b' } });
  expect(engine.view().instructions).toContain('Node B.');
  await engine.close('done');
});
