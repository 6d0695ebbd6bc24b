import { describe, expect, it } from 'vitest';
import { until } from '../livekit/until.ts';
import { commitWait, kept } from '../people/waiting.ts';
import { type Answer, ask, type Desk, jsonOf, openDesk, secret } from './desk.ts';
import { createLinkSigner } from '../../src/people/links.ts';
import { resolveWait } from '../../src/people/resolve-wait.ts';

const approve = { decision: 'approve', factsHash: 'f1' };
const resolution = { resolution: { decision: 'approve' }, factsHash: 'f1' };
const resolvePath = '/waits/s%2F5%2F1/resolve';

describe('an approval by a link', () => {
  it('shows the facts as text, however often it is fetched, and decides by POST alone', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's', { facts: { reason: '<script>alert(1)</script>' } });
    const before = await kept(desk.store);
    const path = desk.link();
    const page = await ask(desk, 'GET', path, { bearer: null });
    await ask(desk, 'GET', path, { bearer: null });
    await ask(desk, 'HEAD', path, { bearer: null });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Refund 12 to &lt;Ada&gt;?');
    expect(page.text).toContain('&lt;script&gt;');
    expect(page.text).not.toContain('<script');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(await kept(desk.store)).toEqual(before);

    const decided = await ask(desk, 'POST', path, { bearer: null, form: approve });
    expect(decided).toMatchObject({ status: 200, text: expect.stringContaining('Recorded.') });
    expect(await desk.store.inbox.list({ limit: 9 })).toMatchObject([
      {
        entry: {
          sessionId: 's',
          signal: { type: 'wait:resolved', key: 's/5/1', resolution: { decision: 'approve' } },
          correlation: { escalationId: 's/5/1' },
          actor: { id: 'refunds' },
        },
      },
    ]);
    expect(await desk.store.audit.list({ sessionId: 's', limit: 9 })).toMatchObject([
      {
        action: 'wait:resolve',
        outcome: 'allowed',
        actor: { id: 'refunds' },
        details: { key: 's/5/1', decision: 'approve', factsHash: 'f1', link: 'l1' },
      },
    ]);
    expect(desk.log.join('\n')).not.toContain(path.slice(9, 40));
  });

  it('shows facts part by part, until when it may be answered, and to who comes back what was decided', async () => {
    const desk = await openDesk();
    const deadline = Date.parse('2030-01-08T09:30:00Z');
    const facts = { order: { number: 7, items: ['kettle', '<b>lid</b>'] }, isNew: false, notes: [], by: '\u202E21' };
    await commitWait(desk.store, 's', { facts, deadline });
    const path = desk.link();
    const { text } = await ask(desk, 'GET', path, { bearer: null });
    expect(text).toContain(
      '<dt>order</dt><dd><dl><dt>number</dt><dd>7</dd><dt>items</dt><dd><ul><li>kettle</li><li>&lt;b&gt;lid&lt;/b&gt;</li></ul></dd></dl></dd>',
    );
    expect(text).toContain('<dt>isNew</dt><dd>false</dd><dt>notes</dt><dd>–</dd>');
    expect(text).toContain(String.raw`<dt>by</dt><dd>\u202e21</dd>`);
    expect(text).toContain('<p>Please answer by Tuesday, 8 January 2030 at 09:30 (UTC): 1 day left.</p>');
    await ask(desk, 'POST', path, { bearer: null, form: approve });
    await commitWait(desk.store, 's', { facts, deadline, state: 'done' });
    const later = await ask(desk, 'GET', path, { bearer: null });
    expect(later.status).toBe(409);
    expect(later.text).toContain(
      '<dt>Answer</dt><dd>Approve</dd><dt>By</dt><dd>refunds</dd><dt>When</dt><dd>Monday, 7 January 2030 at 09:00 (UTC)</dd>',
    );
    expect(later.text).toContain('The assistant has acted on it. It goes on.');
    const expired = await ask(desk, 'GET', desk.link({ expiresAt: desk.clock.now() }), { bearer: null });
    expect(expired).toMatchObject({ status: 410, text: expect.stringContaining('There is nothing left to decide') });
  });

  it('tells a person of whatever is refused by a page, and a program by JSON', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's');
    const path = desk.link();
    const form = { ...approve, comment: 'a'.repeat(10_001) };
    const page = await ask(desk, 'POST', path, { bearer: null, form });
    expect(page).toMatchObject({
      status: 400,
      text: expect.stringContaining('<h1>Please go back and try again.</h1>'),
    });
    const headers = { accept: 'application/json' };
    expect(jsonOf(await ask(desk, 'POST', path, { bearer: null, form, headers }))).toMatchObject({
      code: 'request-invalid',
    });
    const large = await ask(desk, 'POST', path, { bearer: null, form: { ...approve, comment: 'a'.repeat(1_000_001) } });
    expect(large).toMatchObject({ status: 413, text: expect.stringContaining('<h1>') });
  });

  it('H1: the first valid decision wins, and the same again is answered the same', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's');
    const [first, second] = [desk.link(), desk.link({ id: 'l2' })];
    const decided = await ask(desk, 'POST', first, { bearer: null, form: approve });
    const after = await kept(desk.store);
    const again = await ask(desk, 'POST', first, { bearer: null, form: approve });
    expect([again.status, again.text]).toEqual([200, decided.text]);
    expect((await ask(desk, 'POST', second, { bearer: null, form: approve })).status).toBe(200);
    for (const path of [first, second]) {
      const other = await ask(desk, 'POST', path, { bearer: null, form: { ...approve, decision: 'reject' } });
      expect([other.status, other.text.includes('Too late')]).toEqual([409, true]);
    }
    expect(await kept(desk.store)).toEqual(after);
    // All at one moment, as several processes on one store would.
    const many = await openDesk();
    await commitWait(many.store, 's');
    const raced = ['approve', 'reject', 'approve', 'reject'].map((decision) =>
      resolveWait({ ...many, authority: null }, { key: 's/5/1', resolution: { decision }, actor: { id: decision } }),
    );
    expect((await Promise.all(raced)).map(({ outcome }) => outcome)).toEqual(['posted', 'over', 'same', 'over']);
    expect(await many.store.inbox.list({ limit: 9 })).toHaveLength(1);
    const audit = await many.store.audit.list({ limit: 9 });
    expect(audit.map(({ outcome }) => outcome)).toEqual(['allowed', 'denied', 'denied']);
  });

  it('H1: a link that is forged, swapped, expired, of another wait or of another decision changes nothing', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's');
    await commitWait(desk.store, 't');
    const before = await kept(desk.store);
    const mine = desk.link();
    const stranger = createLinkSigner({ secret: secret.toUpperCase(), previous: null, clock: desk.clock });
    const usual = { id: 'x', sessionId: 's', key: 's/5/1', to: 'refunds', factsHash: 'f1', decisions: ['approve'] };
    const forged = `/approve/${stranger.sign({ ...usual, expiresAt: desk.clock.now() + 1_000 })}`;
    const [payload = ''] = desk.link({ sessionId: 't' }).split('.');
    const swapped = `${payload}.${mine.split('.')[1]}`;
    const post = async (path: string, form = approve) => (await ask(desk, 'POST', path, { bearer: null, form })).status;
    expect(await post(forged)).toBe(401);
    expect(await post(swapped)).toBe(401);
    expect(await post(`${mine.slice(0, -1)}_`)).toBe(401);
    expect(await post('/approve/nonsense')).toBe(401);
    expect(await post(desk.link({ expiresAt: desk.clock.now() }))).toBe(410);
    expect(await post(desk.link({ decisions: ['reject'] }))).toBe(400);
    expect(await post(mine, { ...approve, decision: 'double it' })).toBe(400);
    expect(await kept(desk.store)).toEqual(before);
    const audit = await desk.store.audit.list({ limit: 99 });
    expect(audit.map(({ outcome, details }) => [outcome, details['reason']])).toEqual([
      ...[0, 1, 2, 3].map(() => ['denied', 'link-forged']),
      ['denied', 'link-expired'],
    ]);
  });

  it('H1: a decision that comes before its wait is stored is kept for a minute', async () => {
    const desk = await openDesk();
    const path = desk.link();
    const never = desk.link({ sessionId: 'u', id: 'l3' });
    const [early, lost] = [path, never].map((each) => ask(desk, 'POST', each, { bearer: null, form: approve }));
    await until(() => desk.clock.pending === 2, 'both requests');
    await commitWait(desk.store, 's');
    expect((await answered(desk, early)).status).toBe(200);
    const began = desk.clock.now();
    expect((await answered(desk, lost)).status).toBe(404);
    expect(desk.clock.now() - began).toBeGreaterThan(55_000);
    expect(desk.clock.now() - began).toBeLessThanOrEqual(60_000);
    expect(await desk.store.inbox.list({ limit: 9 })).toHaveLength(1);
    // A program with a wrong key gets its answer at once.
    expect((await ask(desk, 'POST', '/waits/s%2F4%2F9/resolve', { json: resolution })).status).toBe(404);
  });

  it('H3: a decision on facts that have changed is refused, and the old link shows the new ones', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's');
    const path = desk.link();
    await commitWait(desk.store, 's', { state: 'cancelled' });
    await commitWait(desk.store, 's', { key: 's/6/1', facts: { amount: 90 }, factsHash: 'f2' });
    const before = await kept(desk.store);
    const late = await ask(desk, 'POST', path, { bearer: null, form: approve });
    expect(late).toMatchObject({
      status: 409,
      text: expect.stringMatching(/Please look again.*<a href="">Show the facts/),
    });
    const json = { ...resolution, factsHash: 'f1' };
    expect(jsonOf(await ask(desk, 'POST', '/waits/s%2F6%2F1/resolve', { json }))).toMatchObject({
      code: 'facts-changed',
    });
    expect(await kept(desk.store)).toEqual(before);

    const page = await ask(desk, 'GET', path, { bearer: null });
    expect(page.text).toContain('The facts have changed');
    expect(page.text).toContain('<dd>90</dd>');
    const [, action = '', shown = ''] = / action="([^"]+)".*name="factsHash" value="(\w+)"/.exec(page.text) ?? [];
    const again = { decision: 'approve', factsHash: shown };
    const decided = await ask(desk, 'POST', `/approve/${action}`, { bearer: null, form: again });
    expect(decided.status).toBe(200);
    expect(await desk.store.inbox.list({ limit: 9 })).toMatchObject([{ entry: { signal: { key: 's/6/1' } } }]);
  });

  it('takes a comment beside the decision, and words where words are asked for', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's');
    await commitWait(desk.store, 't', { options: [] });
    const words = desk.link({ sessionId: 't', id: 'l2', decisions: [] });
    expect((await ask(desk, 'GET', words, { bearer: null })).text).toContain('<textarea name="text"');
    const post = async (path: string, form: Readonly<Record<string, string>>) =>
      (await ask(desk, 'POST', path, { bearer: null, form })).status;
    expect(await post(words, { factsHash: 'f1' })).toBe(400);
    expect(await post(words, { factsHash: 'f1', text: 'Tell her we call back.' })).toBe(200);
    expect(await post(desk.link(), { ...approve, comment: 'Only this once.' })).toBe(200);
    expect((await desk.store.inbox.list({ limit: 9 })).map(({ entry }) => entry.signal)).toMatchObject([
      { key: 't/5/1', resolution: { text: 'Tell her we call back.' } },
      { key: 's/5/1', resolution: { decision: 'approve', comment: 'Only this once.' } },
    ]);
    const audit = JSON.stringify(await desk.store.audit.list({ limit: 9 }));
    expect(audit).toContain('"decision":"approve"');
    expect(audit).not.toMatch(/call back|this once/);
  });

  it('takes words beside the buttons where they are an answer as well, but not none', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's', { takesWords: true });
    const page = await ask(desk, 'GET', desk.link(), { bearer: null });
    expect(page.text).toContain('value="approve"');
    expect(page.text).toContain('Or in your own words');
    const send = (form: Readonly<Record<string, string>>) => ask(desk, 'POST', desk.link(), { bearer: null, form });
    expect((await send({ factsHash: 'f1', text: ' ', comment: '' })).status).toBe(400);
    expect((await send({ factsHash: 'f1', text: 'Ask again tomorrow.', comment: '' })).status).toBe(200);
    expect(await desk.store.inbox.list({ limit: 9 })).toMatchObject([
      { entry: { signal: { resolution: { text: 'Ask again tomorrow.' } } } },
    ]);
  });

  it('comes too late once the deadline has come, also before anybody has taken it', async () => {
    const desk = await openDesk();
    const path = desk.link();
    await commitWait(desk.store, 's', { deadline: desk.clock.now() + 1_000 });
    await commitWait(desk.store, 't', { deadline: desk.clock.now() + 1_000, atDeadline: 'remind' });
    await desk.clock.advance(1_000);
    expect((await ask(desk, 'POST', path, { bearer: null, form: approve })).status).toBe(409);
    const reminded = desk.link({ sessionId: 't', id: 'l2' });
    expect((await ask(desk, 'POST', reminded, { bearer: null, form: approve })).status).toBe(200);
  });
});

describe('an approval by a program', () => {
  it('finds what waits for an event by the name of that', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's', { event: 'paid' });
    await commitWait(desk.store, 't', { event: 'shipped' });
    await commitWait(desk.store, 'u');
    const found = async (query: string) =>
      jsonOf(await ask(desk, 'GET', `/waits${query}`)) as { waits: { sessionId: string; event: string | null }[] };
    expect((await found('')).waits.map(({ event }) => event)).toEqual(['paid', 'shipped', null]);
    expect((await found('?event=shipped')).waits).toMatchObject([{ sessionId: 't', event: 'shipped' }]);
    expect((await found('?event=paid&sessionId=t')).waits).toEqual([]);
  });

  it('is refused to nobody, to whom it is not allowed, and where it does not fit', async () => {
    const desk = await openDesk();
    await commitWait(desk.store, 's');
    const before = await kept(desk.store);
    const status = async (sent: Parameters<typeof ask>[3]) => (await ask(desk, 'POST', resolvePath, sent)).status;
    expect(await ask(desk, 'GET', '/waits', { bearer: null })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
    });
    expect(await status({ json: resolution, bearer: null })).toBe(401);
    expect(await status({ json: resolution, bearer: 'mallory' })).toBe(401);
    expect(await status({ json: resolution, bearer: 'eve' })).toBe(403);
    expect(await status({ json: { ...resolution, resolution: { decision: 'steal' } } })).toBe(400);
    expect(await status({ json: { ...resolution, resolution: [] } })).toBe(400);
    expect(await kept(desk.store)).toEqual(before);
    const audit = await desk.store.audit.list({ sessionId: 's', limit: 9 });
    expect(audit).toMatchObject([
      { actor: { id: 'eve' }, outcome: 'denied', details: { reason: 'not-allowed' } },
      { actor: { id: 'ada' }, outcome: 'denied', details: { reason: 'resolution-invalid' } },
    ]);
    expect(await status({ json: resolution })).toBe(200);
  });

  it('can have a link made, which is written down', async () => {
    // The recipient of a link is part of the permission check.
    const desk = await openDesk((_actor, action, { to }) => action !== 'wait:link' || to === 'refunds');
    await commitWait(desk.store, 's');
    const forAnother = { json: { to: 'board' } };
    expect((await ask(desk, 'POST', '/waits/s%2F5%2F1/link', forAnother)).status).toBe(403);
    const made = await ask(desk, 'POST', '/waits/s%2F5%2F1/link', { json: {} });
    const { url } = jsonOf(made) as { url: string };
    expect(url).toMatch(/^https:\/\/desk\.example\/approve\//);
    const headers = { host: 'desk.example', origin: 'https://desk.example' };
    const sent = { bearer: null, form: approve, headers };
    expect((await ask(desk, 'POST', new URL(url).pathname, sent)).status).toBe(200);
    const audit = await desk.store.audit.list({ sessionId: 's', limit: 9 });
    expect(audit.map(({ action, outcome, actor }) => [action, outcome, actor?.id])).toEqual([
      ['wait:link', 'denied', 'ada'],
      ['wait:link', 'allowed', 'ada'],
      ['wait:resolve', 'allowed', 'refunds'],
    ]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['says neither yes nor no', () => 'yes'],
    ['hangs', () => new Promise(() => undefined)],
  ])('is refused where can %s', async (_what, can) => {
    const desk: Desk = await openDesk(can as () => boolean);
    const began = desk.clock.now();
    await commitWait(desk.store, 's');
    const asked = ask(desk, 'POST', resolvePath, { json: resolution });
    expect((await answered(desk, asked)).status).toBe(403);
    expect(desk.clock.now() - began).toBeLessThanOrEqual(2_000);
    expect(await desk.store.inbox.list({ limit: 9 })).toEqual([]);
  });
});

/** Returns the answer to a request, and advances time while a part of it waits. */
async function answered(desk: Desk, asked: Promise<Answer> | undefined): Promise<Answer> {
  const answers: Answer[] = [];
  void asked?.then((answer) => answers.push(answer));
  for (;;) {
    await until(() => answers.length > 0 || desk.clock.pending > 0, 'an answer');
    const [answer] = answers;
    if (answer !== undefined) return answer;
    await desk.clock.advance(250);
  }
}
