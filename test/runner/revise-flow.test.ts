import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { OfflineBrain } from '../../src/offline/brain/offline-brain.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import type { RunnerOptions } from '../../src/runner/options/runner-options.ts';
import { replaySession } from '../../src/runner/replay-session.ts';
import { systemClock } from '../../src/system.ts';
import { silenceLivekit } from '../livekit/call-record.ts';

silenceLivekit();

const shop: ConversationFlow = {
  name: 'shop',
  initialNode: 'ask',
  slots: {
    colour: { type: 'enum', ask: 'Red or blue?', values: { red: [], blue: [] } },
    size: { type: 'integer', ask: 'Which size?' },
  },
  nodes: {
    ask: { say: 'Welcome.', collect: ['colour'] },
    warm: { say: 'Warm it is.', collect: ['size'], defaultTransition: 'done' },
    cold: { say: 'Cold it is.', collect: ['size'], defaultTransition: 'done' },
    done: { say: 'Good bye.', end: 'sold' },
  },
  edges: [
    { from: 'ask', to: 'warm', when: { equals: { var: 'colour', value: 'red' } } },
    { from: 'ask', to: 'cold' },
  ],
};

/** The same, but red leads to the cold node. */
const moved: ConversationFlow = {
  ...shop,
  edges: [
    { from: 'ask', to: 'cold', when: { equals: { var: 'colour', value: 'red' } } },
    { from: 'ask', to: 'cold' },
  ],
};

async function openShop(store: Store, more: Partial<RunnerOptions> = {}) {
  const session = createTextSession(new OfflineBrain());
  const runner = createRunner({ session, flow: shop, store, sessionId: 'call', ...more });
  const heard: string[] = [];
  runner.onSpeech((text) => void (text.trim() === '' || heard.push(text.trim())));
  onTestFinished(async () => {
    await runner.leave().catch(() => undefined); // The runner may have ended already.
    await session.close();
  });
  await runner.start();
  await runner.idle();
  return { runner, heard };
}

const memory = (): Store => createMemoryStore({ clock: systemClock });

test('at a node that is the same in the new version nothing is said again, and the next answer goes its way', async () => {
  const store = memory();
  const { runner, heard } = await openShop(store);
  const before = [...heard];
  expect(await runner.reviseFlow(shop)).toBe('same');
  expect(await runner.reviseFlow(moved)).toBe('revised');
  await runner.idle();
  expect(heard).toEqual(before);
  await runner.send('red');
  expect(runner.currentNode).toBe('cold');
  expect(heard.join(' ')).toMatch(/Cold it is\. Which size\?$/);
  await runner.keep();
  const log = await store.steps.list('call');
  expect(log.find(({ signal }) => signal.type === 'flow:swapped')?.signal).toMatchObject({ stays: true });
  // The log folds to the stored state, over both versions.
  expect(await replaySession(store, 'call')).toMatchObject({ isKept: true });
});

test('a node that has changed is entered again, with what is known', async () => {
  const { runner, heard } = await openShop(memory());
  const louder: ConversationFlow = {
    ...shop,
    nodes: { ...shop.nodes, ask: { say: 'Hello again.', collect: ['colour'] } },
  };
  expect(await runner.reviseFlow(louder)).toBe('revised');
  await runner.idle();
  expect(heard.join(' ')).toMatch(/Hello again\..* Red or blue\?$/);
});

test('a version without the node, and one that wants what was never given, change nothing and say why', async () => {
  const store = memory();
  const { runner } = await openShop(store);
  const { hash } = runner.state.position.flow;
  const { ask: _ask, ...rest } = shop.nodes as Record<string, object>;
  const renamed = {
    ...shop,
    initialNode: 'begin',
    nodes: { begin: { say: 'Welcome.', collect: ['colour'] }, ...rest },
    edges: [{ from: 'begin', to: 'cold' }],
  } as ConversationFlow;
  expect(await runner.reviseFlow(renamed)).toBe('gone');
  const asking: ConversationFlow = { ...moved, input: { branch: { type: 'string', description: 'Where it is.' } } };
  await expect(runner.reviseFlow(asking)).rejects.toMatchObject({
    code: 'input-missing',
    message: expect.stringContaining('branch') as string,
  });
  const broken = { ...shop, edges: [{ from: 'ask', to: 'nowhere' }] } as ConversationFlow;
  await expect(runner.reviseFlow(broken)).rejects.toMatchObject({ code: 'flow-invalid' });
  expect(runner.state.position.flow.hash).toBe(hash);
  await runner.send('red');
  expect(runner.currentNode).toBe('warm');
});

test('who takes up a kept conversation exactly says nothing of a gap, and goes on with the open question', async () => {
  const store = memory();
  const first = await openShop(store);
  await first.runner.send('red');
  await first.runner.leave();
  const exact = await openShop(store, { resume: 'exact' });
  expect(exact.heard).toEqual([]);
  expect(exact.runner.currentNode).toBe('warm');
  await exact.runner.leave();
  const recapped = await openShop(store);
  expect(recapped.heard.join(' ')).toMatch(/Which size\?$/);
  await recapped.runner.send('seven');
  expect(await recapped.runner.ended).toBe('sold');
});
