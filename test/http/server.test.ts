import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startHttpServer } from '../../src/http/server.ts';
import { createAuthority } from '../../src/people/authority.ts';
import { changeSchedule } from '../../src/people/schedules/keep-schedules.ts';
import { readSchedule } from '../../src/people/schedules/read-schedule.ts';
import { systemCivilTime } from '../../src/system.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { until } from '../livekit/until.ts';
import { commitTalk, commitWait, kept } from '../people/waiting.ts';
import { ask, jsonOf, openDesk, metricsToken } from './desk.ts';

const resolution = { resolution: { decision: 'approve' }, factsHash: 'f1' };
const resolvePath = '/waits/s%2F5%2F1/resolve';

/** Posts to a session. Returns the status of the answer, and the outcome of the post or the reason for its refusal. */
function poster(desk: Parameters<typeof ask>[0], id: string) {
  return async (path: string, json: unknown): Promise<string> => {
    const { status, text } = await ask(desk, 'POST', `/sessions/${id}/${path}`, { json });
    const told = JSON.parse(text) as { readonly status?: string; readonly code?: string };
    return `${status} ${told.status ?? told.code}`;
  };
}

interface Listed {
  readonly waits: readonly { readonly sessionId: string }[];
  readonly next: string | null;
}

describe('the server', () => {
  it('X6: refuses foreign hosts, foreign pages, forms of other sites and whom it does not know', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's');
    const before = await kept(desk.store);
    const own = new URL(desk.server.url);
    const refused = async (headers: Record<string, string>, sent: Parameters<typeof ask>[3] = { json: resolution }) => {
      const { status, text } = await ask(desk, 'POST', resolvePath, { ...sent, headers });
      return `${status} ${(JSON.parse(text) as { code: string }).code}`;
    };
    // DNS rebinding: the name is the attacker's, the address is ours.
    expect(await refused({ host: 'evil.example' })).toBe('421 host-foreign');
    expect(await refused({ host: `127.0.0.1.evil.example:${own.port}` })).toBe('421 host-foreign');
    expect(await refused({ host: 'desk.example.evil.example' })).toBe('421 host-foreign');
    expect(await refused({ origin: 'http://evil.example' })).toBe('403 origin-foreign');
    expect(await refused({ origin: 'null' })).toBe('403 origin-foreign');
    expect(await refused({ origin: `http://localhost:${Number(own.port) + 1}` })).toBe('403 origin-foreign');
    // A form of another site can send this without a preflight request.
    expect(await refused({ 'content-type': 'text/plain' }, { raw: JSON.stringify(resolution) })).toBe(
      '415 request-invalid',
    );
    expect(await refused({}, { form: { decision: 'approve' } })).toBe('415 request-invalid');
    expect(await refused({}, { json: resolution, bearer: null })).toBe('401 actor-unknown');
    expect(await refused({ authorization: 'Basic YWRhOmFkYQ==' })).toBe('401 actor-unknown');
    expect(await kept(desk.store)).toEqual(before);
    const audit = await desk.store.audit.list({ limit: 99 });
    expect(new Set(audit.map(({ details }) => details['reason']))).toEqual(
      new Set(['host-foreign', 'origin-foreign', 'actor-unknown']),
    );
    for (const headers of [{ host: `localhost:${own.port}` }, { host: 'desk.example' }, { origin: desk.server.url }])
      expect((await ask(desk, 'GET', '/waits', { headers })).status).toBe(200);
    const { headers } = await ask(desk, 'GET', '/healthz');
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('refuses bodies over 1 MB, broken ones and hosts that are none, and goes on', async () => {
    const desk = await openDesk();
    const post = (raw: string | Buffer, headers: Record<string, string>) =>
      ask(desk, 'POST', '/sessions/s/messages', { raw, headers: { 'content-type': 'application/json', ...headers } });
    expect((await post(Buffer.alloc(1_000_001, 32), {})).status).toBe(413);
    expect((await post(Buffer.alloc(1_100_000, 32), { 'transfer-encoding': 'chunked' })).status).toBe(413);
    expect(jsonOf(await post('{"id":', {}))).toMatchObject({ code: 'request-invalid' });
    const long = { raw: '{"resolution":{"id":90071992547409931}}', headers: { 'content-type': 'application/json' } };
    expect(jsonOf(await ask(desk, 'POST', resolvePath, long))).toEqual({
      code: 'request-invalid',
      message: 'The body holds a number that would lose digits. Write it as a text, in quotes.',
    });
    expect((await post(`{"id":"1","text":${'['.repeat(200_000)}`, {})).status).toBe(400);
    const deep = `{"factsHash":"f1","resolution":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    const headers = { 'content-type': 'application/json' };
    expect((await ask(desk, 'POST', resolvePath, { raw: deep, headers })).status).toBe(400);
    const { port } = new URL(desk.server.url);
    const raw = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.end('GET /healthz HTTP/1.1\r\nHost: a b@c\r\n\r\n'),
      );
      socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text));
    });
    expect(raw).toMatch(/^HTTP\/1.1 4\d\d /);
    expect((await ask(desk, 'GET', '/readyz', { bearer: null })).status).toBe(200);
    expect((await ask(desk, 'GET', '/nowhere')).status).toBe(404);
  });

  it('writes no path, token or word into its log', async () => {
    const desk = await openDesk();
    await ask(desk, 'POST', '/sessions/%2B4915112345678/messages', { json: { id: 'm1', text: 'My name is Delgado.' } });
    await ask(desk, 'GET', '/sessions/%2B4915112345678?x=Delgado');
    const log = desk.log.join('\n');
    expect(log).toContain('/sessions/:id/messages');
    for (const word of ['Delgado', '15112345678', 'ada']) expect(log).not.toContain(word);
  });

  it('takes messages, words in the stead of a caller and takeovers as entries of the inbox, once each', async () => {
    const desk = await openDesk();
    await commitTalk(desk.store, 's');
    const post = poster(desk, 's');
    expect(await post('messages', { id: 'm1', text: 'Hello.' })).toBe('202 posted');
    expect(await post('messages', { id: 'm1', text: 'Hello.' })).toBe('202 duplicate');
    expect(await post('proxy', { id: 'p1', text: 'Yes, on Monday.' })).toBe('202 posted');
    expect(await post('takeover', { do: 'start', id: 't1' })).toBe('202 posted');
    expect(await post('takeover', { do: 'start', id: 't1' })).toBe('202 duplicate');
    expect(await post('takeover', { do: 'say', text: 'This is Ada.' })).toBe('202 posted');
    expect(await post('takeover', { do: 'end', node: 'done' })).toBe('202 posted');
    expect((await ask(desk, 'POST', '/sessions/nobody/proxy', { json: { text: 'Hello.' } })).status).toBe(404);
    const entries = await desk.store.inbox.list({ limit: 9 });
    expect(entries.map(({ entry }) => entry.signal)).toMatchObject([
      { type: 'user:turn', via: 'message', text: 'Hello.' },
      { type: 'user:turn', via: 'proxy', text: 'Yes, on Monday.' },
      { type: 'takeover:started' },
      { type: 'takeover:said', text: 'This is Ada.' },
      { type: 'takeover:ended', node: 'done' },
    ]);
    const audit = await desk.store.audit.list({ sessionId: 's', limit: 9 });
    expect(audit.map(({ action }) => action)).toEqual(['proxy:say', 'takeover:start', 'takeover:say', 'takeover:end']);
    expect(JSON.stringify(audit)).not.toMatch(/Monday|Ada/);
  });

  it('refuses words and takeovers that could come to nothing, and says why', async () => {
    const desk = await openDesk();
    await commitTalk(desk.store, 's');
    await commitTalk(desk.store, 'over', 'ended');
    await commitWait(desk.store, 'run');
    const { store, clock } = desk;
    await changeSchedule({ store, clock, ids: createCountingIds(), civil: systemCivilTime }, 'daily', {
      ...{ type: 'put', origin: 'added' },
      schedule: readSchedule(
        'daily',
        { every: '1d', flow: 'f', reach: 'wait' },
        { zone: 'UTC', civil: systemCivilTime, now: 0 },
      ),
    });
    const before = await kept(store);
    const words = { text: 'Hello.' };
    const message = { id: 'm1', ...words };
    expect(await poster(desk, 's')('proxy', { ...words, proxyId: 'no-such' })).toBe('404 wait-unknown');
    expect(await poster(desk, 's')('takeover', { do: 'say', ...words })).toBe('409 takeover-missing');
    expect(await poster(desk, 's')('takeover', { do: 'end' })).toBe('409 takeover-missing');
    for (const path of ['proxy', 'takeover', 'messages']) {
      const sent = path === 'takeover' ? { do: 'start' } : path === 'messages' ? message : words;
      expect(await poster(desk, 'over')(path, sent)).toBe('409 session-over');
      expect(await poster(desk, 'run')(path, sent)).toBe('409 session-kind-wrong');
      expect(await poster(desk, 'schedule%2Fdaily')(path, sent)).toBe('409 session-kind-wrong');
    }
    expect(await kept(store)).toEqual(before);

    const post = poster(desk, 's');
    expect(await post('takeover', { do: 'start', id: 't1' })).toBe('202 posted');
    expect(await post('takeover', { do: 'end', node: 'nowhere' })).toBe('409 node-unknown');
    expect(await post('messages', message)).toBe('202 posted');
    await commitTalk(store, 's', 'ending');
    // Its last words are still to be heard, so nothing more is accepted.
    expect(await post('messages', { ...message, id: 'm2' })).toBe('409 session-over');
    await commitTalk(store, 's', 'ended');
    // A repetition of an accepted request is not refused.
    expect(await post('takeover', { do: 'start', id: 't1' })).toBe('202 duplicate');
    expect(await post('messages', { ...message, id: 'm2' })).toBe('409 session-over');
  });

  it('tells what of a request is not as it should be, without its words', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's');
    const facts = await Promise.all(
      [
        {},
        { resolution: 'Delgado' },
        { ...resolution, Delgado: 1 },
        { ...resolution, factsHash: 7 },
        { resolution: {} },
      ].map(
        async (json) =>
          (JSON.parse((await ask(desk, 'POST', resolvePath, { json })).text) as { message: string }).message,
      ),
    );
    expect(facts).toEqual([
      '"resolution" is not as it should be: expected a JSON object of at most 64 levels. See /openapi.json.',
      '"resolution" is not as it should be: expected a JSON object of at most 64 levels. See /openapi.json.',
      'the request is not as it should be: it holds a key that is not known here. See /openapi.json.',
      '"factsHash" is not as it should be: expected string, received number. See /openapi.json.',
      '"factsHash" is not as it should be: it is missing. See /openapi.json.',
    ]);
    // An unknown filter would otherwise return everything.
    for (const path of ['/audit?session=s', '/inbox?dead=1', '/waits?session=s', '/sessions?first=9']) {
      const answer = await ask(desk, 'GET', path);
      expect([path, answer.status, answer.text.includes('it holds a key that is not known here')]).toEqual([
        path,
        400,
        true,
      ]);
    }
    const { text } = await ask(desk, 'POST', '/sessions/s/takeover', { json: { do: 'dance' } });
    expect(text).toContain('it is not one of the known kinds: \\"start\\", \\"say\\", \\"end\\".');
  });

  it('shows sessions, waits, the inbox and the audit, and opens dead letters again', async () => {
    const desk = await openDesk(
      ({ id }, action, { to }) => id !== 'eve' || (action === 'wait:read' && to === 'refunds'),
    );
    await commitWait(desk.store, 's');
    const signal = { type: 'user:turn', eventId: 'm1', text: 'Hello.', via: 'message' } as const;
    const rest = { dueAt: desk.clock.now(), reach: 'message', correlation: {}, actor: { id: 'ada' } } as const;
    await desk.store.inbox.post([{ key: 'm1', sessionId: 's', signal, ...rest }]);
    const get = async (path: string, bearer?: string) =>
      jsonOf(await ask(desk, 'GET', path, bearer === undefined ? {} : { bearer }));
    expect(await get('/sessions')).toMatchObject({ sessions: [{ sessionId: 's', stand: 'waiting  refunds' }] });
    expect(await get('/sessions/s')).toMatchObject({
      ...{ sessionId: 's', open: [{ key: 's/5/1', kind: 'wait' }] },
      ...{ hitlState: 'pending_admin_resolution', escalationId: 's/5/1' },
    });
    expect(await get('/sessions/t')).toMatchObject({ code: 'session-unknown' });
    expect(await get('/waits', 'eve')).toMatchObject({
      waits: [{ key: 's/5/1', facts: { amount: 12 }, isOpen: true }],
    });
    for (const session of ['t', 'u']) await commitWait(desk.store, session, { event: 'paid' });
    const first = await get('/waits?event=paid&limit=1');
    expect(first).toMatchObject({ waits: [{ event: 'paid' }], next: expect.any(String) });
    const page = await get(`/waits?event=paid&after=${String(first['next'])}`);
    expect(page).toMatchObject({ waits: [{ event: 'paid' }], next: null });
    expect(page['waits']).not.toEqual(first['waits']);
    expect(await get('/waits?after=elsewhere')).toMatchObject({ code: 'request-invalid' });
    expect(await get('/inbox', 'eve')).toMatchObject({ code: 'not-allowed' });
    const { entries } = (await get('/inbox')) as { entries: { key: string }[] };
    expect(entries).toMatchObject([{ sessionId: 's', type: 'user:turn', state: 'open', actor: 'ada' }]);
    expect(JSON.stringify(entries)).not.toContain('Hello');
    const [{ key }] = entries as [{ key: string }];
    const repost = () => ask(desk, 'POST', `/inbox/${encodeURIComponent(key)}/repost`);
    expect((await repost()).status).toBe(404);
    await desk.store.inbox.claim({ ttlMs: 1_000, limit: 1, owner: 'a clerk that dies' });
    expect(await get('/inbox')).toMatchObject({ entries: [{ key, attempts: 0, claims: 1 }] });
    await desk.store.inbox.defer(key, { until: null, reason: 'nobody can' });
    expect(await get('/inbox?state=dead')).toMatchObject({ entries: [{ key, claims: 0, reason: 'nobody can' }] });
    expect((await repost()).status).toBe(200);
    const { records } = (await get('/audit')) as { records: { action: string; outcome: string }[] };
    expect(records.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'inbox:list denied',
      'inbox:repost allowed',
    ]);
  });

  it('names no wait in `next` that the actor may not see', async () => {
    const desk = await openDesk(
      ({ id }, _action, { sessionId }) => id === 'ada' || sessionId === 'b' || sessionId === 'd',
    );
    for (const session of ['a', 'b', 'c', 'd', 'e']) await commitWait(desk.store, session);
    const read = async (path: string) => {
      const { waits, next } = jsonOf(await ask(desk, 'GET', path, { bearer: 'eve' })) as unknown as Listed;
      const place = next === null ? null : Buffer.from(next, 'base64url').toString();
      return { sessions: waits.map(({ sessionId }) => sessionId), place, next };
    };
    const first = await read('/waits?limit=1');
    expect(first).toMatchObject({ sessions: ['b'], place: expect.stringContaining('"b"') });
    expect(await read(`/waits?limit=1&after=${first.next}`)).toMatchObject({ sessions: ['d'], next: null });
  });

  it('looks for no session for an actor who may read none', async () => {
    const read: string[] = [];
    const desk = await openDesk(undefined, (store) => ({
      ...store,
      sessions: {
        ...store.sessions,
        get: (id) => {
          read.push(id);
          return store.sessions.get(id);
        },
        list: (query) => {
          read.push('all');
          return store.sessions.list(query);
        },
      },
    }));
    await commitWait(desk.store, 's');
    read.length = 0;
    for (const id of ['s', 'nothing', 'tel-0123456789ab'])
      expect((await ask(desk, 'GET', `/sessions/${id}`, { bearer: 'eve' })).status).toBe(403);
    expect(read).toEqual([]);
  });

  it('keeps places for links and for stored waits, however many early decisions an actor sends', async () => {
    const desk = await openDesk();
    await commitTalk(desk.store, 's');
    await commitWait(desk.store, 'stored');
    const answers: number[] = [];
    const early = Array.from({ length: 13 }, async () => {
      const { status } = await ask(desk, 'POST', resolvePath, { json: resolution, bearer: 'eve' });
      answers.push(status);
    });
    await until(() => answers.length === 3, 'the refusals');
    expect(answers).toEqual([503, 503, 503]);
    const decide = (path: string) =>
      ask(desk, 'POST', path, { bearer: null, form: { decision: 'approve', factsHash: 'f1' } });
    expect(await decide(desk.link({ sessionId: 'stored', id: 'l2' }))).toMatchObject({ status: 200 });
    const byLink = decide(desk.link());
    await until(() => desk.clock.pending > 10, 'the decision by the link');
    await desk.server.stop();
    expect((await byLink).text).toContain('Please try again in a minute.');
    await Promise.all(early);
  });

  it('tells Prometheus what it has done and what waits', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's');
    await ask(desk, 'GET', '/waits');
    expect((await ask(desk, 'GET', '/metrics', { bearer: null })).status).toBe(401);
    expect((await ask(desk, 'GET', '/metrics', { bearer: 'eve' })).status).toBe(403);
    expect((await ask(desk, 'GET', '/metrics', { bearer: metricsToken })).status).toBe(200);
    expect((await ask(desk, 'GET', '/metrics', { bearer: `${metricsToken}x` })).status).toBe(401);
    expect((await ask(desk, 'GET', '/waits', { bearer: metricsToken })).status).toBe(401);
    const { text, headers } = await ask(desk, 'GET', '/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toMatch(/^roomflow_http_requests_total\{.*method="GET",route="\/waits",status="200".*\} 1$/m);
    expect(text).toMatch(/^roomflow_waits_open\{.*\} 1$/m);
  });

  it('tells Prometheus whose metrics these are: the product’s, unless the environment names a service', async () => {
    const serviceOf = async (): Promise<string | undefined> => {
      const { text } = await ask(await openDesk(), 'GET', '/metrics');
      return /^target_info\{.*service_name="([^"]*)"/m.exec(text)?.[1];
    };
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('OTEL_SERVICE_NAME', '');
    expect(await serviceOf()).toBe('roomflow');
    vi.stubEnv('OTEL_SERVICE_NAME', 'refunds');
    expect(await serviceOf()).toBe('refunds');
  });

  it('lets requests that wait go when it stops, and then answers no more', async () => {
    const desk = await openDesk();
    const early = ask(desk, 'POST', desk.link(), { bearer: null, form: { decision: 'approve', factsHash: 'f1' } });
    await until(() => desk.clock.pending > 0, 'the request');
    await desk.server.stop();
    expect(await early).toMatchObject({
      status: 503,
      text: expect.stringContaining('<h1>Please try again in a minute.</h1>'),
    });
    await expect(ask(desk, 'GET', '/healthz')).rejects.toThrow('ECONNREFUSED');
  });

  it('takes no message for a session for which 200 wait', async () => {
    const desk = await openDesk();
    const send = (id: string) => ask(desk, 'POST', '/sessions/full/messages', { json: { id, text: 'Hello.' } });
    const rest = { dueAt: 1, reach: 'message', correlation: {}, actor: null } as const;
    await desk.store.inbox.post(
      Array.from({ length: 200 }, (_, index) => ({
        ...{ key: `message/full/m${index}`, sessionId: 'full', ...rest },
        signal: { type: 'user:turn', eventId: `m${index}`, text: 'Hello.', via: 'message' } as const,
      })),
    );
    expect(await send('more')).toMatchObject({ status: 429, text: expect.stringContaining('session-full') });
    expect((await ask(desk, 'POST', '/sessions/other/messages', { json: { id: 'a', text: 'Hello.' } })).status).toBe(
      202,
    );
  });

  it('answers others while a client holds 600 half requests', async () => {
    const desk = await openDesk();
    const port = Number(new URL(desk.server.url).port);
    let ended = 0;
    const half = Array.from({ length: 600 }, () => {
      const socket = connect(port, '127.0.0.1', () => void socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n'));
      return socket.on('error', () => undefined).once('close', () => (ended += 1));
    });
    onTestFinished(() => half.forEach((socket) => socket.destroy()));
    await until(() => ended >= 100, 'the oldest to be dropped');
    expect((await ask(desk, 'GET', '/healthz')).status).toBe(200);
  });

  it('says which port is taken', async () => {
    const desk = await openDesk();
    const port = Number(new URL(desk.server.url).port);
    const { store, clock } = desk;
    const rest = { links: null, logger: { info: () => undefined, error: () => undefined } };
    const ids = { create: () => 'x' };
    const plans = { store, clock, ids, civil: systemCivilTime, zone: 'UTC', campaigns: {} };
    const again = startHttpServer({ ...rest, plans, store, clock, ids, port, authority: createAuthority({ clock }) });
    await expect(again).rejects.toMatchObject({ code: 'port-taken' });
  });
});

it('shows and changes schedules and campaigns for who may, and writes down who did', async () => {
  const desk = await openDesk(({ id }, action) => id === 'ada' && action !== 'campaign:change');
  const { store, clock } = desk;
  const parts = { store, clock, ids: createCountingIds(), civil: systemCivilTime };
  const schedule = readSchedule('daily', { cron: '0 9 * * *', flow: 'f' }, { ...parts, zone: 'UTC', now: clock.now() });
  await changeSchedule(parts, 'daily', { type: 'put', schedule, origin: 'added' });
  expect(jsonOf(await ask(desk, 'GET', '/schedules'))).toMatchObject({
    schedules: [{ id: 'daily', status: 'active', next: '2030-01-08T09:00:00.000Z' }],
  });
  expect(jsonOf(await ask(desk, 'POST', '/schedules/daily/pause'))).toMatchObject({ status: 'paused', next: null });
  expect((await ask(desk, 'POST', '/schedules/nobody/pause')).status).toBe(404);
  expect((await ask(desk, 'POST', '/schedules/daily/resume', { bearer: 'eve' })).status).toBe(403);
  expect((await ask(desk, 'POST', '/campaigns/recall/start')).status).toBe(403);
  expect(jsonOf(await ask(desk, 'GET', '/campaigns'))).toEqual({ campaigns: [] });
  const audit = await store.audit.list({ limit: 9 });
  expect(audit.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'schedule:change allowed',
    // A schedule that does not exist.
    'schedule:change allowed',
    'schedule:change denied',
    'schedule:change denied',
    'campaign:change denied',
  ]);
});
