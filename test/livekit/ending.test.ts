import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { systemClock } from '../../src/system.ts';
import { createGate } from './gate.ts';
import { live } from './live.ts';
import { pacedSink } from './paced-sink.ts';

const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Hello.',
      functions: [
        { name: 'leave', transitionTo: 'bye' },
        { name: 'vanish', transitionTo: 'gone' },
      ],
    },
    bye: { say: 'Goodbye, and thank you for calling.', end: 'done' },
    gone: { end: 'vanished' },
  },
};

describe('a flow ends', () => {
  it('without a word, if its first node is a silent end', async () => {
    const { runner, heard } = await live({ ...desk, initialNode: 'gone' }, {});
    expect(await runner.ended).toBe('vanished');
    expect(heard).toEqual([]);
  });

  it('without a word, if code moves it to such a node', async () => {
    const { runner, heard } = await live(desk, {});
    await runner.enter('gone');
    expect(await runner.ended).toBe('vanished');
    expect(heard).toEqual(['Hello.']);
  });

  it('when the caller speaks after its last node was entered, before its last words', async () => {
    const sink = pacedSink();
    const { runner, heard } = await live(
      desk,
      { desk: [{ text: 'Let me put that down.', calls: [{ name: 'leave' }] }], bye: [{ text: 'It is put down.' }] },
      { sink, waitForGreeting: false },
    );
    await sink.hear(1);
    await runner.idle();
    const first = runner.send('bye');
    await sink.hear(2);
    while (runner.currentNode !== 'bye') await new Promise((resolve) => setImmediate(resolve));
    const second = runner.send('one more thing');
    sink.run();
    expect(await second).toBe('taken');
    await first;
    expect(await runner.ended).toBe('done');
    expect(heard.at(-1)).toBe('It is put down. Goodbye, and thank you for calling.');
  });
});

it('a write that runs while the flow is moved from outside and the caller hangs up is kept', async () => {
  const [begun, finished] = [createGate(), createGate()];
  const pay = flowTool({
    name: 'pay',
    description: 'Pay.',
    execute: async () => {
      begun.open();
      await finished.opened;
      return 'paid';
    },
  });
  const store = createMemoryStore({ clock: systemClock });
  const { runner } = await live(
    {
      initialNode: 'desk',
      nodes: {
        desk: { say: 'Hello.', functions: [{ name: 'pay', effect: 'write' }] },
        aside: {
          taskMessages: [{ role: 'system', content: 'Talk.' }],
          functions: [{ name: 'on', transitionTo: 'desk' }],
        },
      },
    },
    { desk: [{ when: 'pay', calls: [{ name: 'pay' }] }], aside: [{ text: 'One moment.' }] },
    { store, tools: [pay], sessionId: 's' },
  );
  const paying = runner.send('pay');
  await begun.opened;
  await runner.enter('aside');
  const stopping = runner.stop('hung-up');
  finished.open();
  await Promise.all([stopping, paying]);
  const settled = (await store.steps.list('s')).flatMap(({ signal }) =>
    signal.type === 'batch:settled' ? signal.calls : [],
  );
  expect(settled).toMatchObject([{ name: 'pay', state: 'done', result: 'paid' }]);
});

it('a function that stops the runner does not wait for itself, and its work is stored', async () => {
  let stop = (): Promise<void> => Promise.resolve();
  const hangUp = flowTool({
    name: 'hang_up',
    description: 'Hang up.',
    execute: async () => {
      await stop();
      return 'hung up';
    },
  });
  const store = createMemoryStore({ clock: systemClock });
  const { runner } = await live(
    {
      initialNode: 'desk',
      nodes: { desk: { say: 'Hello.', functions: [{ name: 'hang_up', effect: 'write' }] } },
    },
    { desk: [{ when: 'bye', calls: [{ name: 'hang_up' }] }] },
    { store, tools: [hangUp], sessionId: 's' },
  );
  stop = () => runner.stop('hung-up');
  void runner.send('bye');
  expect(await runner.ended).toBe('hung-up');
  const settled = (await store.steps.list('s')).flatMap(({ signal }) =>
    signal.type === 'batch:settled' ? signal.calls : [],
  );
  expect(settled).toMatchObject([{ name: 'hang_up', state: 'done', result: 'hung up' }]);
});
