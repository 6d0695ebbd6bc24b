import { afterEach, expect, test, vi } from 'vitest';
import { withoutTables } from '../kernel/session.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { replay } from '../../src/store/replay.ts';
import type { Signal } from '../../src/model/signals/signal.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { readOldSignal } from '../../src/runner/read-old-signal.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { systemClock } from '../../src/system.ts';
import { z } from 'zod';

afterEach(() => void vi.restoreAllMocks());

/** Noon of Saturday in UTC, and the first hour of Sunday in Auckland. */
const noon = Date.UTC(2026, 10, 21, 12);

const text = { type: 'string' };
const taken = { properties: { day: text, hour: text, phone: text }, required: ['day', 'hour', 'phone'] };

const flow: ConversationFlow = {
  initialNode: 'gate',
  state: { opens: '2026-11-22' },
  slots: {
    day: { type: 'date', after: 'today', ask: 'For which day?', confirm: 'readback' },
    hour: { type: 'time', ask: 'At what time on {{ day }}?' },
    phone: { type: 'phone', ask: 'Your number?', confirm: 'readback' },
  },
  nodes: {
    gate: { type: 'control.noop', defaultTransition: 'closed' },
    closed: { say: 'We are closed.', end: 'closed' },
    desk: { collect: ['day', 'hour', 'phone'] },
    book: {
      call: 'book',
      functions: [{ name: 'book', handler: 'book', effect: 'write', confirm: true, ...taken, transitionTo: 'done' }],
    },
    done: { say: 'See you on {{ day }} at {{ hour }}.', end: 'done' },
  },
  edges: [
    {
      from: 'gate',
      to: 'desk',
      when: {
        all: [
          { equals: { weekday: 'now', value: 'sunday' } },
          { equals: { daysBetween: ['today', 'opens'], value: 0 } },
        ],
      },
    },
    { from: 'desk', to: 'book' },
  ],
};

/** Plays a whole call in Auckland and returns its store. */
async function kept() {
  const clock = { ...systemClock, now: () => noon };
  const store = createMemoryStore({ clock });
  const book = flowTool({
    name: 'book',
    description: 'Books.',
    parameters: z.object({ day: z.string(), hour: z.string(), phone: z.string() }),
    execute: () => ({ ok: true }),
  });
  const runner = createRunner({
    session: createTextSession(new ScriptedModel(() => ({}))),
    ...{ flow, store, clock, sessionId: 's', timeZone: 'Pacific/Auckland', tools: [book] },
  });
  await runner.start();
  await runner.idle();
  for (const words of ['today', 'tomorrow', 'yes', '2:30 pm', '415 555 0123', 'yes', 'yes']) await runner.send(words);
  expect(await runner.ended).toBe('done');
  return store;
}

test('a log folds to its state without time zones and language rules', async () => {
  const store = await kept();
  const log = (await store.steps.list('s')).map(({ signal }) => signal);
  expect(log.map(({ civil }) => civil?.slice(0, 13))).toEqual(log.map(() => '2026-11-22T01'));
  expect((await store.sessions.get('s'))?.state).toMatchObject({
    knowledge: { slots: { day: { value: '2026-11-23' }, hour: { value: '14:30' }, phone: { value: '+14155550123' } } },
  });
  const compile = (document: object | null): Promise<Graph> => {
    const { graph } = checkFlow(document ?? {}, { catalog: builtinCatalog, functions: new Set(['book']) });
    return graph === null
      ? Promise.reject(new Error('The flow does not compile.'))
      : Promise.resolve(withoutTables(graph));
  };
  const read = (_: unknown, signal: Signal): Signal => signal;
  const zones = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(() => {
    throw new Error('A replay has asked for a time zone.');
  });
  expect(await replay(store, 's', { compile: compile as never, read })).toMatchObject({ isKept: true });
  expect(zones).not.toHaveBeenCalled();
});

test('a log whose signals lack local times is read with the zone of its session', async () => {
  const store = await kept();
  const log = await store.steps.list('s');
  const list = (): ReturnType<typeof store.steps.list> =>
    Promise.resolve(log.map((one) => ({ ...one, signal: { ...one.signal, civil: undefined } as never })));
  const compile = (document: object | null): Promise<Graph> =>
    Promise.resolve(
      checkFlow(document ?? {}, { catalog: builtinCatalog, functions: new Set(['book']) }).graph as Graph,
    );
  const older = { ...store, steps: { ...store.steps, list } };
  expect(await replay(older, 's', { compile: compile as never, read: readOldSignal })).toMatchObject({ isKept: true });
  const unread = await replay(older, 's', { compile: compile as never, read: (_, signal) => signal });
  expect(unread.state.position.node).toBe('closed');
});
