import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createMessenger } from '../../src/people/messages/messenger.ts';
import { noticeSender, type Notice } from '../../src/people/messages/notify.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import type { Hooks } from '../../src/engine/policy/hooks.ts';
import { ask, jsonOf, openDesk } from '../http/desk.ts';
import { until } from '../livekit/until.ts';
import { clerkOf } from './clerk-of.ts';

const flow = 'examples/refund-approval/flow.yaml';

/** Logs each write of a store as a text. */
function told(store: Store, log: string[]): Store {
  return {
    ...store,
    steps: {
      ...store.steps,
      async create(commit) {
        // Heard speech is stored with the next transaction, or by an uncounted transaction.
        const signals = commit.signals.map(({ signal }) => signal.type).filter((type) => type !== 'speech:settled');
        const effects = commit.effects.flatMap(({ kind, state }) =>
          state === 'done' && kind === 'say' ? [] : `${kind} ${state}`,
        );
        if (signals.length > 0) log.push(`${signals.join('+')}: ${effects.toSorted().join(', ')}`);
        await store.steps.create(commit);
      },
    },
    inbox: {
      ...store.inbox,
      async post(entries, audit, once) {
        const posted = entries.map(({ signal }) => signal.type).join('+');
        log.push(`post ${posted} audit ${audit?.length ?? 0} once ${once?.length ?? 0}`);
        return await store.inbox.post(entries, audit, once);
      },
    },
    effects: {
      ...store.effects,
      async claim(query) {
        const claimed = await store.effects.claim(query);
        if (claimed.length > 0) log.push(`claim ${query.kind}`);
        return claimed;
      },
    },
  };
}

/** A refund by telephone, a server for the decision, and a messenger that notifies the deciders. */
async function shop() {
  const log: string[] = [];
  const desk = await openDesk(undefined, (store) => told(store, log));
  const { store, clock } = desk;
  const paid: string[] = [];
  const tool = flowTool({
    name: 'refund_order',
    description: 'Pays the amount back.',
    parameters: z.object({ order: z.number(), amount: z.number() }),
    execute: (_given, { key }) => {
      paid.push(key);
      return { paid: true };
    },
  });
  const notices: Notice[] = [];
  const messenger = createMessenger({
    ...{ store, clock },
    senderOf: () =>
      noticeSender(
        (notice) => notices.push(notice),
        (wait, to) => Promise.resolve(desk.link({ id: 'first', key: wait, sessionId: 's', to, factsHash: '' })),
      ),
    onFailed: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  const heard: string[] = [];
  const states: (string | undefined)[] = [];
  const hooks: Hooks = {
    onResponse: (_structured, _context, meta) =>
      Promise.resolve(void states.push(`${meta?.hitlState} ${meta?.escalationId ?? '-'}`)),
  };
  const call = async () => {
    const model = new ScriptedModel(({ userText }) =>
      userText.startsWith('Order')
        ? { calls: [{ name: 'record', arguments: { order: 4711, amount: 20, reason: 'broken' } }] }
        : userText.includes('thirty')
          ? { calls: [{ name: 'record', arguments: { amount: 30 } }] }
          : { text: 'A few minutes at most. Would you like to wait?' },
    );
    const session = createTextSession(model);
    const runner = createRunner({
      session,
      flow,
      tools: [tool],
      hooks,
      store,
      sessionId: 's',
      clock,
      timeZone: 'UTC',
    });
    runner.onSpeech((text) => heard.push(text));
    await runner.start();
    await runner.idle();
    return runner;
  };
  const clerk = clerkOf({ config: { tools: [tool] }, flow, store, clock });
  const link = async () => {
    const { waits } = jsonOf(await ask(desk, 'GET', '/waits')) as { waits: { key: string; factsHash: string }[] };
    const [wait = { key: '', factsHash: '' }] = waits;
    const made = await ask(desk, 'POST', `/waits/${encodeURIComponent(wait.key)}/link`, { json: {} });
    return { ...wait, path: new URL((jsonOf(made) as { url: string }).url).pathname };
  };
  const press = (path: string, factsHash: string, decision: string) =>
    ask(desk, 'POST', path, { bearer: null, form: { decision, factsHash } });
  return { desk, store, clock, log, paid, notices, messenger, heard, states, call, clerk, link, press };
}

const request = 'Order 4711, twenty euros, it came broken.';

test('an approval takes the documented transactions, and waiting takes none', async () => {
  const { desk, clock, log, paid, notices, messenger, heard, states, call, link, press, store } = await shop();
  const runner = await call();
  log.length = 0;
  await runner.send(request);
  expect(heard.at(-1)).toBe('Let me check that with my colleague. One moment, please.');
  // T1, after the caller's own turn: the wait with its deadline, the message and the line.
  expect(log).toEqual([
    'user:turn: reply intended',
    'batch:settled: message intended, reply done, say intended, wait intended',
  ]);
  const [wait] = await store.effects.listOpen({ kind: 'wait', limit: 9 });
  const deadline = wait?.effect.deadline ?? 0;
  expect(deadline - clock.now()).toBeLessThanOrEqual(180_000);
  expect(await store.inbox.list({ limit: 9 })).toMatchObject([
    { notBefore: deadline, entry: { signal: { type: 'wait:expired', key: wait?.effect.key } } },
  ]);

  log.length = 0;
  messenger.start();
  await until(() => log.some((line) => line.startsWith('effect:settled')), 'the notice is folded');
  await messenger.stop();
  expect(notices).toMatchObject([{ to: 'refunds', facts: { order: 4711, amount: 20, reason: 'broken' } }]);
  // T2 and T3, and between them the entry with the result of the message.
  expect(log).toEqual(['claim message', 'post effect:settled audit 0 once 0', 'effect:settled: message done']);

  log.length = 0;
  for (let second = 0; second < 30; second += 1) await clock.advance(1_000);
  expect(log).toEqual([]);
  await runner.send('How long will it take?');
  expect(heard.at(-1)).toContain('Would you like to wait?');
  expect(states.at(-1)).toBe(`pending_admin_resolution ${wait?.effect.key}`);
  // T4. The end of the answer changes nothing and is stored with what was heard.
  expect(log).toEqual(['user:turn: reply intended', 'batch:settled: reply done']);

  const { path, factsHash } = await link();
  log.length = 0;
  const before = log.length;
  for (let times = 0; times < 3; times += 1) expect((await ask(desk, 'GET', path, { bearer: null })).status).toBe(200);
  expect(log).toHaveLength(before);
  const pressedAt = clock.now();
  expect((await press(path, factsHash, 'approve')).text).toContain('Recorded.');
  expect(await runner.ended).toBe('refunded');
  // The call takes it within 50 ms.
  expect(clock.now() - pressedAt).toBeLessThanOrEqual(50);
  expect(paid).toHaveLength(1);
  expect(heard.at(-1)).toMatch(/^It is approved: 20 euros/);
  // T5, T6 with the intent of the write, T7.
  expect(log.slice(0, 3)).toEqual([
    'post wait:resolved audit 1 once 2',
    'wait:resolved: tool intended, wait done',
    'batch:settled: end intended, say intended, tool done',
  ]);
  expect(await store.inbox.list({ limit: 9 })).toEqual([]);
  const kept = await store.sessions.get('s');
  expect(kept?.state).toMatchObject({ status: 'ended' });
  // A later press gets the same answer and changes nothing.
  expect((await press(path, factsHash, 'approve')).status).toBe(200);
  expect((await press(path, factsHash, 'reject')).status).toBe(409);
  expect(paid).toHaveLength(1);
});

test('an approval just before the deadline counts, even if both are due when a clerk looks', async () => {
  const { clock, paid, call, clerk, link, press, heard } = await shop();
  const runner = await call();
  await runner.send(request);
  await runner.leave();
  const { path, factsHash } = await link();
  for (let second = 0; second < 179; second += 1) await clock.advance(1_000);
  expect((await press(path, factsHash, 'approve')).status).toBe(200);
  await clock.advance(20_000);
  await clerk.start();
  for (let second = 0; second < 5; second += 1) await clock.advance(1_000);
  await clerk.stop();
  expect(paid).toHaveLength(1);
  heard.length = 0;
  expect(await (await call()).ended).toBe('refunded');
  expect(heard.join(' ')).toContain('It is approved: 20 euros');
});

test('a corrected amount needs a new approval, and the decision on the old amount does not count', async () => {
  const { desk, call, link, press, paid, store } = await shop();
  const runner = await call();
  await runner.send(request);
  const old = await link();
  await runner.send('It was thirty, sorry.');
  expect(await store.effects.listOpen({ kind: 'wait', limit: 9 })).toMatchObject([
    { effect: { payload: { facts: { amount: 30 } } } },
  ]);
  expect((await press(old.path, old.factsHash, 'approve')).status).toBe(409);
  const shown = await ask(desk, 'GET', old.path, { bearer: null });
  expect(shown.text).toContain('The facts have changed');
  expect(shown.text).toContain('<dd>30</dd>');
  const { path, factsHash } = await link();
  expect(factsHash).not.toBe(old.factsHash);
  expect((await press(path, factsHash, 'approve')).status).toBe(200);
  expect(await runner.ended).toBe('refunded');
  expect(paid).toHaveLength(1);
});
