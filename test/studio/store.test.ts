import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { Event } from '../../src/model/events/event.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { OfflineBrain } from '../../src/offline/brain/offline-brain.ts';
import { createAuditBook } from '../../src/people/audit.ts';
import { createAuthority } from '../../src/people/authority.ts';
import type { Store } from '../../src/model/ports/store.ts';
import { createRunner, type FlowRunner } from '../../src/runner/flow-runner.ts';
import { revealsOf, type StudioAccess } from '../../src/studio/access.ts';
import type { SessionDetail, SessionShown } from '../../src/studio/protocol/session-shown.ts';
import type { StudioEvent } from '../../src/studio/protocol.ts';
import { serveStudio } from '../../src/studio/serve-studio.ts';
import { createStoreDesk } from '../../src/studio/sessions/store-desk.ts';
import { systemClock } from '../../src/system.ts';
import { silenceLivekit } from '../livekit/call-record.ts';

silenceLivekit();

const flow: ConversationFlow = {
  name: 'visit',
  initialNode: 'ask',
  slots: {
    name: { type: 'name', ask: 'What is your name?', pii: true },
    colour: { type: 'enum', ask: 'Red or blue?', values: { red: [], blue: [] } },
  },
  nodes: { ask: { collect: ['name', 'colour'], defaultTransition: 'done' }, done: { say: 'Bye.', end: 'done' } },
};

/** A running call in another process on the same store. */
async function liveCall(store: Store, words = 'My name is Maria Delgado.'): Promise<FlowRunner> {
  const session = createTextSession(new OfflineBrain());
  const runner = createRunner({ session, flow, store, sessionId: 'call' });
  await runner.start();
  await runner.idle();
  await runner.send(words);
  await runner.keep();
  onTestFinished(async () => {
    await runner.leave();
    await session.close();
  });
  return runner;
}

/** A studio on a store: Ada may reveal, Bob may look, Eve may do nothing. */
async function openStudio(store: Store) {
  const authority = createAuthority({
    resolveActor: ({ bearer }) => (bearer === null ? null : { id: bearer }),
    can: ({ id }, action) => id === 'ada' || (id === 'bob' && action !== 'session:reveal'),
    clock: systemClock,
  });
  const access: Omit<StudioAccess, 'token' | 'cookie'> = {
    local: { id: 'os:bob' },
    others: authority,
    authority,
    audit: createAuditBook({ store, clock: systemClock }),
  };
  const folder = mkdtempSync(join(tmpdir(), 'roomflow-studio-'));
  const studio = await serveStudio({
    ...{ access, host: undefined, port: 0, hosts: [], publicUrl: null, clock: systemClock, version: '0' },
    ...{ desk: createStoreDesk({ store, clock: systemClock }), reveals: revealsOf(access, store, systemClock) },
    ...{ assets: new Map(), tokenFolder: folder, log: { info: () => undefined, error: () => undefined } },
  });
  onTestFinished(async () => {
    await studio.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const ask = async (who: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${who}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${studio.url}${path}`, init);
    return { status: response.status, text: await response.text() };
  };
  return { ask, url: studio.url };
}

test('sessions of a store are shown masked, and an authorized reveal is recorded', async () => {
  const store = createMemoryStore({ clock: systemClock });
  await liveCall(store);
  const { ask } = await openStudio(store);
  const [listed] = JSON.parse((await ask('bob', '/api/sessions')).text) as SessionShown[];
  expect(listed).toMatchObject({ sessionId: 'call', flow: 'visit', node: 'ask', live: 'elsewhere', status: 'active' });
  const masked = await ask('bob', '/api/sessions/call');
  expect(masked.text).not.toMatch(/maria|delgado/i);
  const detail = JSON.parse(masked.text) as SessionDetail;
  expect(detail).toMatchObject({ folds: 'server', isMasked: true });
  // Each step has its state: the node is visible, the words are not.
  expect(detail.steps.map(({ node }) => node)).toEqual(detail.steps.map(() => 'ask'));
  expect(detail.steps.at(-1)?.state).toMatchObject({ knowledge: { slots: { name: { value: '[personal]' } } } });
  expect(detail.lines.map(({ who, text }) => [who, text])).toEqual([
    ['agent', 'What is your name?'],
    ['caller', '[personal]'],
    ['agent', 'Red or blue?'],
  ]);

  // An entry for the session shows its kind without its content.
  const signal = { type: 'takeover:said' as const, text: 'Maria, are you there?' };
  const entry = { sessionId: 'call', dueAt: systemClock.now() + 60_000, signal, reach: 'wait' as const };
  await store.inbox.post([{ ...entry, key: 'one', correlation: {}, actor: { id: 'u1', name: 'Ann' } }]);
  const inbox = await ask('bob', '/api/sessions/call/inbox');
  expect(JSON.parse(inbox.text)).toMatchObject([{ key: 'one', signal: 'takeover:said', state: 'open', actor: 'Ann' }]);
  expect(inbox.text).not.toMatch(/maria/i);
  expect((await ask('eve', '/api/sessions/call/inbox')).status).toBe(403);
  expect((await ask('eve', '/api/sessions/call')).status).toBe(403);
  expect((await ask('bob', '/api/sessions/call/reveal', { reason: 'curious' })).status).toBe(403);
  const { key } = JSON.parse((await ask('ada', '/api/sessions/call/reveal', { reason: 'a complaint' })).text) as {
    key: string;
  };
  const revealed = JSON.parse((await ask('ada', `/api/sessions/call?reveal=${key}`)).text) as SessionDetail;
  expect(revealed.isMasked).toBe(false);
  expect(revealed.lines.find(({ who }) => who === 'caller')?.text).toBe('My name is Maria Delgado.');
  // It is valid only for this session and this key.
  expect((await ask('bob', '/api/sessions/call?reveal=guess')).text).not.toMatch(/delgado/i);
  const acts = (await store.audit.list({ limit: 20 })).map(({ actor, action, outcome }) => [
    actor?.id,
    action,
    outcome,
  ]);
  expect(acts).toEqual([
    ['eve', 'session:read', 'denied'],
    ['eve', 'session:read', 'denied'],
    ['bob', 'session:reveal', 'denied'],
    ['ada', 'session:reveal', 'allowed'],
  ]);
  // This studio is read-only.
  for (const path of ['/api/sessions', '/api/sessions/call/words', '/api/sessions/call/fork'])
    expect((await ask('ada', path, { text: 'x' })).status).toBe(403);
});

test('a live session of another process is followed', async () => {
  const store = createMemoryStore({ clock: systemClock });
  const runner = await liveCall(store);
  const { ask, url } = await openStudio(store);
  const { at, steps } = JSON.parse((await ask('bob', '/api/sessions/call')).text) as SessionDetail;
  const stream = await fetch(`${url}/api/events?session=call&after=${at}`, {
    headers: { authorization: 'Bearer bob' },
  });
  await runner.send('Red.');
  await runner.keep();
  const told: StudioEvent['type'][] = [];
  let text = '';
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    told.splice(
      0,
      told.length,
      ...[...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type as StudioEvent['type']),
    );
    // The last turn has its trace, which the store has only once all of the turn was heard.
    if (/event: turn\ndata: .*"nodes":\["ask","done"\]/.test(text)) break;
  }
  expect(told.filter((type) => type === 'step').length).toBeGreaterThan(0);
  expect(text).toContain('"status":"end');
  expect(text).not.toMatch(/delgado/i);
  const first = /event: step\ndata: (.*)/.exec(text)?.[1] ?? '{}';
  expect((JSON.parse(first) as { seq: number }).seq).toBe(steps.length + 1);
});

test('a poll reads only new records, and none of an idle session', async () => {
  const kept = createMemoryStore({ clock: systemClock });
  const first = await liveCall(kept);
  await first.leave();
  const lease = await kept.leases.acquire({ sessionId: 'call', owner: 'history', ttlMs: 1_000 });
  const { seq: baseSeq = 0, state = {}, stateVersion = 0, graphHash = '' } = (await kept.sessions.get('call')) ?? {};
  const past = Array.from({ length: 5_000 }, (_, index): Event => {
    const named = { id: `past-${index}`, seq: 1_000 + index, time: 1, sessionId: 'call', requestId: 'r' };
    return { ...named, type: 'slot:confirmed', data: { slot: 'name' } };
  });
  const effects = { signals: [], effects: [], inputKeys: [], events: () => past };
  await kept.steps.create({ lease: lease!, baseSeq, state, stateVersion, graphHash, ...effects });
  await kept.leases.release(lease!);
  const second = await liveCall(kept, 'I am back.');

  const read: string[] = [];
  const store: Store = {
    ...kept,
    steps: {
      ...kept.steps,
      async listEvents(...given) {
        const found = await kept.steps.listEvents(...given);
        read.push(...found.map(({ id }) => id));
        return found;
      },
    },
  };
  const desk = createStoreDesk({ store, clock: systemClock });
  const before = await desk.detail('call', false);
  expect(before?.events.length).toBeGreaterThan(past.length);
  expect(read.splice(0)).toHaveLength(before!.events.length);

  await second.send('Red.');
  await second.keep();
  const after = await desk.detail('call', false);
  const more = after!.events.slice(before!.events.length).map(({ id }) => id);
  expect(more.length).toBeGreaterThan(0);
  expect(read).toEqual(expect.arrayContaining(more));
  expect(read.splice(0).filter((id) => id.startsWith('past-'))).toEqual([]);
  expect(JSON.stringify(after)).not.toMatch(/maria|delgado/i);

  // The trace of the last turn may still be pending.
  await expect.poll(async () => (await desk.detail('call', false))?.turns.at(-1)?.trace).not.toBeNull();
  read.length = 0;
  await desk.detail('call', false);
  expect(read).toEqual([]);
});
