import { expect, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { resolveWait } from '../../src/people/resolve-wait.ts';
import { createRun } from '../../src/runner/create-flow-run.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { replaySession } from '../../src/runner/replay-session.ts';
import { systemClock as clock } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

const flow: ConversationFlow = {
  initialNode: 'book',
  nodes: {
    book: { call: 'book', functions: [{ name: 'book', handler: 'book', effect: 'write', transitionTo: 'approve' }] },
    approve: { type: 'interrupt.escalate', input: { to: 'desk', question: 'May they?', say: 'One moment.' } },
    done: { say: 'You may.', end: 'done' },
  },
  edges: [{ from: 'approve', to: 'done' }],
};

test('a session with the id of a deleted session shares no key of a write or a wait with it', async () => {
  const store = createMemoryStore({ clock });
  const keys: string[] = [];
  const book = flowTool({
    name: 'book',
    description: 'Books.',
    effect: 'write',
    parameters: z.object({}),
    execute: (_given, { key }) => {
      keys.push(key);
      return { ok: true };
    },
  });
  const talk = async (): Promise<string> => {
    const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
    const runner = createRunner({ session, flow, tools: [book], store, sessionId: 's', clock });
    await runner.start();
    await runner.idle();
    await runner.leave();
    expect(await replaySession(store, 's')).toMatchObject({ isKept: true });
    const [open] = await store.effects.listOpen({ kind: 'wait', limit: 1 });
    return open?.effect.key ?? 'none';
  };
  const forget = async (sessionId: string): Promise<void> => {
    const lease = await store.leases.acquire({ sessionId, owner: 'forget', ttlMs: 1_000 });
    if (lease !== null) await store.sessions.delete(lease);
  };
  const first = await talk();
  expect(first).toMatch(/^s\/\d+\/\d+$/);
  const decide = (key: string) =>
    resolveWait({ store, clock, authority: null }, { key, resolution: { decision: 'approve' }, actor: { id: 'ada' } });
  await forget('s');
  const second = await talk();
  expect(new Set([first, second, ...keys]).size).toBe(4);
  expect((await decide(first)).outcome).not.toBe('posted');
  expect((await decide(second)).outcome).toBe('posted');
  // A second deletion has no further effect.
  await forget('s');
  const third = await talk();
  expect(new Set([first, second, third, ...keys]).size).toBe(6);
});

test('a run with the id of a deleted run shares no key with it', async () => {
  const store = createMemoryStore({ clock });
  const tasks = {
    flow: { name: 'tasks' },
    nodes: [{ id: 'ask', type: 'interrupt.escalate', input: { to: 'desk', question: 'May they?' } }],
    edges: [],
  };
  const waitOf = async (): Promise<string> => {
    await createRun(tasks, { sessionId: 'r-1', store, clock }).run();
    const [open] = await store.effects.listOpen({ kind: 'wait', limit: 1 });
    return open?.effect.key ?? 'none';
  };
  const first = await waitOf();
  const lease = await store.leases.acquire({ sessionId: 'r-1', owner: 'forget', ttlMs: 1_000 });
  if (lease !== null) await store.sessions.delete(lease);
  const second = await waitOf();
  expect(second).not.toBe(first);
  const decided = { key: second, resolution: { decision: 'approve' }, actor: { id: 'ada' } };
  expect((await resolveWait({ store, clock, authority: null }, decided)).outcome).toBe('posted');
  expect(await createRun(tasks, { sessionId: 'r-1', store, clock }).run()).toMatchObject({ status: 'complete' });
});
