import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Event } from '../../src/model/events/event.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock as clock } from '../../src/system.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

const flow: ConversationFlow = {
  initialNode: 'talk',
  nodes: {
    talk: { say: 'Hello.', functions: [{ name: 'book', transitionTo: 'booked' }] },
    booked: {
      taskMessages: [{ role: 'system', content: 'Say that it is booked.' }],
      functions: [{ name: 'leave', transitionTo: 'talk' }],
    },
  },
};

async function running(store: Store) {
  const session = createTextSession(
    new ScriptedModel(({ userText }) => (userText === 'book it' ? { calls: [{ name: 'book' }] } : { text: 'Gladly.' })),
  );
  const runner = createRunner({ session, flow, store, sessionId: 's', timeZone: 'UTC' });
  const told: Event[] = [];
  runner.hub.subscribe('*', (event) => told.push(event));
  await runner.start();
  await runner.idle();
  return { runner, told };
}

describe('the events of a live session', () => {
  test('are stored by the commits of their steps, unchanged, without additional commits', async () => {
    const store = createMemoryStore({ clock });
    const { runner, told } = await running(store);
    const before = store.transactions;
    await runner.send('book it');
    // The caller's turn, and the batch that it led to.
    expect(store.transactions - before).toBe(2);
    await runner.leave();

    const kept = await store.steps.listEvents('s');
    expect(kept).toEqual(told);
    expect(kept.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['flow:started', 'turn:started', 'transition:taken', 'response:persisted']),
    );
    expect(kept.find(({ type }) => type === 'transition:taken')).toMatchObject({
      sessionId: 's',
      requestId: expect.stringMatching(/^req_/),
      flowId: expect.any(String),
      turnId: 's/2',
      data: { from: 'talk', to: 'booked' },
    });
  });

  test('are all stored for a session that has ended, including those about its last words', async () => {
    const store = createMemoryStore({ clock });
    const { runner, told } = await running(store);
    await runner.send('book it');
    await runner.stop('caller-left');
    const kept = await store.steps.listEvents('s');
    expect(kept).toEqual(told);
    expect(kept.findLast(({ type }) => type === 'response:sent')?.data).toMatchObject({ source: 'flow' });
    expect(kept.map(({ type }) => type).filter((type) => type === 'response:sent')).toHaveLength(2);
  });

  test('continue the numbers of the previous process', async () => {
    const store = createMemoryStore({ clock });
    const { runner } = await running(store);
    await runner.leave();
    const before = await store.steps.listEvents('s');
    const next = await running(store);
    expect(next.told[0]?.seq).toBe((before.at(-1)?.seq ?? 0) + 1);
    await next.runner.leave();
    const seqs = (await store.steps.listEvents('s')).map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  test('are stored with their own step and not with an earlier step that is stored late', async () => {
    const store = createMemoryStore({ clock });
    let hold: Promise<void> = Promise.resolve();
    let letGo = (): void => undefined;
    const kept: [signals: string[], events: string[]][] = [];
    const slow: Store = {
      ...store,
      steps: {
        ...store.steps,
        async create(commit) {
          await hold;
          const types = commit.events().map(({ type }) => type);
          kept.push([commit.signals.map(({ signal }) => signal.type), types]);
          await store.steps.create(commit);
        },
      },
    };
    const { runner } = await running(slow);
    hold = new Promise((resolve) => (letGo = resolve));
    const moved = (): Promise<unknown> => new Promise((resolve) => runner.on('transition:taken', resolve));
    const first = [moved(), runner.enter('booked')];
    await first[0];
    const second = [moved(), runner.enter('talk')];
    await second[0];
    letGo();
    await Promise.all([...first, ...second]);
    await runner.stop();
    const moves = kept.filter(([signals]) => signals.includes('node:requested'));
    expect(moves).toHaveLength(2);
    for (const [, events] of moves) expect(events.filter((type) => type === 'transition:taken')).toHaveLength(1);
    for (const [signals, events] of kept) expect(events.includes('flow:ended')).toBe(signals.includes('session:ended'));
  });
});
