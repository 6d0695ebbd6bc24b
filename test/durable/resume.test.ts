import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/durable/open-store.ts';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { FlowRunner } from '../../src/runner.ts';
import { systemClock as clock } from '../../src/session/system.ts';
import { createTextSession } from '../../src/session/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { expectRefusal } from './refusal.ts';
import { whyNoSqlite } from './sqlite-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'roomflow-resume-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const flow: ConversationFlow = {
  initialNode: 'talk',
  nodes: {
    talk: {
      say: 'Hello.',
      taskMessages: [{ role: 'system', content: 'Talk.' }],
      functions: [{ name: 'book', transitionTo: 'booked' }],
    },
    booked: {
      taskMessages: [{ role: 'system', content: 'Say that it is booked.' }],
      functions: [{ name: 'leave', transitionTo: 'bye' }],
    },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};
const changed: ConversationFlow = { ...flow, nodes: { ...flow.nodes, bye: { say: 'Farewell.', end: 'done' } } };

/** A runner on a store's address, with what is heard and what its model was shown. */
function runnerOn(store: string, running: ConversationFlow = flow) {
  const model = new ScriptedModel(({ userText }) => {
    if (userText === 'book it') return { calls: [{ name: 'book' }] };
    return userText === 'bye' ? { calls: [{ name: 'leave' }] } : { text: 'Gladly.' };
  });
  const session = createTextSession(model);
  const runner = new FlowRunner({ session, flow: running, store, sessionId: 's', timeZone: 'UTC' });
  const heard: string[] = [];
  runner.onSpeech((text) => heard.push(text));
  return { runner, heard, model };
}

const noSqlite = whyNoSqlite();
describe.skipIf(noSqlite !== null)(noSqlite ?? 'a runner on the address of a store', () => {
  const left = async (name: string): Promise<string> => {
    const store = `sqlite:${join(folder, name)}`;
    const { runner } = runnerOn(store);
    await runner.start();
    await runner.idle();
    await runner.send('book it');
    await runner.leave();
    return store;
  };

  test('goes on where another left, and shows the model what was said and done', async () => {
    const store = await left('goes-on.db');
    const { runner, heard, model } = runnerOn(store);
    await runner.start();
    await runner.idle();
    expect(runner.currentNode).toBe('booked');
    expect(heard).toEqual(['Sorry, I was gone for a moment. Gladly.']);
    expect(model.requests[0]?.items).toEqual([
      'assistant: Hello.',
      'user: book it',
      'call: book',
      expect.stringMatching(/^output: book /),
      'assistant: Gladly.',
    ]);
    await runner.stop();
  });

  test('goes on with the flow that the conversation began with, whatever the files say by then', async () => {
    const store = await left('old-flow.db');
    const { runner, heard } = runnerOn(store, changed);
    await runner.start();
    await runner.idle();
    await runner.send('bye');
    expect(await runner.ended).toBe('done');
    expect(heard.at(-1)).toBe('Goodbye.');
  });

  test('does not begin again a conversation that has ended', async () => {
    const store = await left('ended.db');
    const { runner } = runnerOn(store);
    await runner.start();
    await runner.idle();
    await runner.stop();
    expect(await expectRefusal('session-over', runnerOn(store).runner.start())).toMatch(/Begin another one/);
  });

  test('leaves a conversation alone that another process owns', async () => {
    const address = `sqlite:${join(folder, 'owned.db')}`;
    const store = await openStore(address, { clock });
    await store.acquireLease('s', 'another', 60_000);
    await expectRefusal('session-taken', runnerOn(address).runner.start());
    await store.close();
  });

  test('parks a conversation whose flow cannot be had any more, and changes nothing', async () => {
    const address = await left('gone.db');
    const store = await openStore(address, { clock });
    const before = await store.loadSnapshot('s');
    const lease = await store.acquireLease('s', 'me', 60_000);
    if (lease === null || before === null) throw new Error('the session was not left');
    const { seq: baseSeq, state, stateVersion } = before;
    const commit = { lease, baseSeq, inputKeys: [], signals: [], state, stateVersion, effects: [], events: () => [] };
    await store.commit({ ...commit, graphHash: 'unknown' });
    await store.releaseLease(lease);
    await expectRefusal('flow-gone', runnerOn(address).runner.start());
    expect((await store.readLog('s')).length).toBe(baseSeq);
    // The lease is free again, for a release that has the flow.
    expect(await store.acquireLease('s', 'another', 1)).not.toBeNull();
    await store.close();
  });
});
