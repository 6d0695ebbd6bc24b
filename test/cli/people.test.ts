import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock } from '../../src/system.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { type AskedWait, commitWait } from '../people/waiting.ts';
import { folderOf, projectFolder, roomflowHere } from './run-cli.ts';

const authority = `
  resolveActor: ({ bearer, link }) => (link !== null ? { id: link.to } : bearer === 'ada' ? { id: 'ada' } : null),
  can: ({ id }, action) => id === 'ada' || action.startsWith('wait:'),`;
const config = `export default { prompt: 'Answer.', store: 'sqlite:a.db', http: { publicUrl: 'http://localhost' }, ${authority} };`;
const shop = `export default {
  flows: { shop: { name: 'shop', initialNode: 'a', nodes: { a: { say: 'The wombat is mended.', end: 'done' } } } }, initialFlow: 'shop',
  replyTarget: '+491705550123', channels: { sms: { send: async () => undefined } }, store: 'sqlite:a.db', http: {}, ${authority}
};`;
const secret = { ROOMFLOW_LINK_SECRET: 'a secret of at least thirty-two characters' };

const noSqlite = whyNoSqlite();
describe.skipIf(noSqlite !== null)(noSqlite ?? 'people at the terminal', () => {
  it('see what is waited for, decide it once, and find it written down', async () => {
    const folder = await folderWithWait({});
    const run = (...args: string[]) =>
      roomflowHere(args, '', folder, { ROOMFLOW_STORE: `sqlite:${join(folder, 'a.db')}` });
    const waits = await run('waits');
    expect(waits.out).toMatch(
      /^s\/5\/1 {2}admin_resolution {2}to refunds\n {2}Refund 12 to <Ada>\? {2}\[approve \| reject\]\n {2}amount = 12\n/,
    );
    expect(await run('approve', 's/5/1')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('confirmation-missing'),
    });
    expect(await run('approve', 's/5/1', '--facts-hash', 'f0')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('facts-changed'),
    });
    expect(await run('approve', 's/5/1', '--facts-hash', 'f1')).toMatchObject({
      code: 0,
      out: 'Recorded: approve s/5/1.\n',
    });
    expect(await run('reject', 's/5/1', '--facts-hash', 'f1')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('wait-over'),
    });
    expect(await run('approve', 's/9/9')).toMatchObject({ code: 2, errors: expect.stringContaining('wait-unknown') });
    for (const misspelt of [
      ['audit', 'S'],
      ['waits', '--session', 'S'],
    ])
      expect(await run(...misspelt)).toEqual({
        code: 2,
        out: '',
        errors: 'session-unknown: the store keeps no session "S". List them by "roomflow sessions".\n',
      });
    const audit = await run('audit', 's');
    expect(audit.out.split('\n').map((line) => line.split('  ').slice(2, 5))).toEqual([
      [expect.stringMatching(/^os:/), 'wait:resolve', 'denied'],
      [expect.stringMatching(/^os:/), 'wait:resolve', 'allowed'],
      [expect.stringMatching(/^os:/), 'wait:resolve', 'denied'],
      [],
    ]);
    const whole = await run('audit', '--verify');
    const [, known = ''] =
      /^3 records\. Each one follows the record before it\.\n {2}--known (3:[0-9a-f]{64})\n$/.exec(whole.out) ?? [];
    expect(await run('audit', '--verify', '--known', known)).toMatchObject({ code: 0, out: whole.out });
    expect(await run('audit', '--verify', '--known', known.replace(/^3/, '2'))).toMatchObject({
      code: 1,
      out: 'Record 2 differs from the known one: the chain was rewritten.\n',
    });
    expect(await run('audit', '--verify', '--known', known.replace(/^3/, '4'))).toMatchObject({
      code: 1,
      out: 'Record 4 is missing: records were cut off the end.\n',
    });
    expect(await run('audit', '--verify', '--known', '3')).toMatchObject({ code: 2 });
    const store = await openStore(`sqlite:${join(folder, 'a.db')}`, { clock: systemClock });
    await store.inbox.withdraw('resolve/s/5/1');
    await store.close();
    expect(await run('audit', '--verify')).toMatchObject({
      code: 1,
      out: 'Record 2 holds the decision on s/5/1, but session s holds no decision, and the inbox has none for it.\n',
    });
    change(join(folder, 'a.db'), "update roomflow_audit set session_id = 't' where seq = 1");
    expect(await run('audit', '--verify')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Record 1 does not follow/),
    });
    change(join(folder, 'a.db'), "update roomflow_audit set session_id = 's' where seq = 1");
    change(join(folder, 'a.db'), 'delete from roomflow_audit where seq = 2');
    expect(await run('audit', '--verify')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Record 3 does not follow/),
    });
  });

  it('see the words of a caller as such: no row, no colour and no order is forged by them', async () => {
    const said = 'Ada\n  amount = 1\u001B[32m\u2028\u202E21';
    const folder = await folderWithWait({}, { question: `Refund 12 to ${said}?`, facts: { amount: 12, to: said } });
    const { out } = await roomflowHere(['waits'], '', folder, { ROOMFLOW_STORE: `sqlite:${join(folder, 'a.db')}` });
    const shown = String.raw`Ada\u000a  amount = 1\u001b[32m\u2028\u202e21`;
    expect(out.split('\n').slice(1, 4)).toEqual([
      `  Refund 12 to ${shown}?  [approve | reject]`,
      '  amount = 12',
      `  to = "${shown.replace(String.raw`\u000a`, String.raw`\n`)}"`,
    ]);
  });

  it('find the process that has a session', async () => {
    const folder = await folderWithWait({});
    const address = `sqlite:${join(folder, 'a.db')}`;
    const sessions = async (): Promise<string> =>
      (await roomflowHere(['sessions'], '', folder, { ROOMFLOW_STORE: address })).out;
    expect(await sessions()).toMatch(/ signals?\n$/);
    const store = await openStore(address, { clock: systemClock });
    for (const owner of [`process:boot:space:4711:99:AJ_1`, 'desk-7']) {
      const lease = await store.leases.acquire({ sessionId: 's', owner, ttlMs: 60_000 });
      expect(await sessions()).toMatch(
        owner === 'desk-7' ? / owned by desk-7\n$/ : / owned by AJ_1 \(process 4711\)\n$/,
      );
      if (lease !== null) await store.leases.release(lease);
    }
    await store.close();
  });

  it('are forgotten with what the agent has scheduled for them', async () => {
    const folder = folderOf({});
    const address = `sqlite:${join(folder, 'a.db')}`;
    const store = await openStore(address, { clock: systemClock });
    const model = new ScriptedModel(({ afterTool }) =>
      afterTool === ''
        ? { calls: [{ name: 'schedule_followup', arguments: { when: '2h', about: 'Ask Maria.' } }] }
        : { text: 'I will.' },
    );
    const session = createTextSession(model);
    const given = { session, store, sessionId: 'maria', timeZone: 'UTC', onEnd: 'keep', prompt: 'You help.' } as const;
    const runner = createRunner({ ...given, followUps: {} });
    await runner.start();
    await runner.send('Ask me later.');
    await runner.stop('caller-left');
    await session.close();
    expect(await store.inbox.list({ limit: 9 })).toHaveLength(1);
    await store.close();

    const forgotten = await roomflowHere(['forget', 'maria', '--yes'], '', folder, { ROOMFLOW_STORE: address });
    expect(forgotten).toMatchObject({
      code: 0,
      out: expect.stringContaining('Also deleted: 1 schedule of its agent.\n'),
    });
    const after = await openStore(address, { clock: systemClock });
    expect([await after.sessions.list({ limit: 9 }), await after.inbox.list({ limit: 9 })]).toEqual([[], []]);
    expect(await after.audit.list({ limit: 9 })).toMatchObject([
      {
        actor: { id: expect.stringMatching(/^os:/) },
        action: 'session:forget',
        outcome: 'allowed',
        sessionId: 'maria',
      },
    ]);
    await after.close();
  });

  it('are forgotten by who may, and no telephone number is in the record of it', async () => {
    const may = `{ initialNode: 'a', nodes: { a: { say: 'Hello.', end: 'done' } } }`;
    const folder = folderOf({
      'agent.config.mjs': `export default { flows: { hello: ${may} }, can: (actor, action) => action !== 'session:forget' };\n`,
    });
    const address = `sqlite:${join(folder, 'a.db')}`;
    const store = await openStore(address, { clock: systemClock });
    const session = createTextSession(new ScriptedModel(() => ({ text: 'Hello.' })));
    const runner = createRunner({ session, store, sessionId: '+15550100123', timeZone: 'UTC', prompt: 'You help.' });
    await runner.start();
    await runner.stop('caller-left');
    await session.close();
    await store.close();
    const run = (...more: string[]) =>
      roomflowHere(['forget', '+15550100123', '--yes', ...more], '', folder, { ROOMFLOW_STORE: address });
    expect(await run('--config', 'agent.config.mjs')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('not-allowed'),
    });
    expect(await run()).toMatchObject({ code: 0 });
    const after = await openStore(address, { clock: systemClock });
    const records = await after.audit.list({ limit: 9 });
    expect(records.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'session:forget denied',
      'session:forget allowed',
    ]);
    expect(records.at(-1)).toMatchObject({ sessionId: null, details: { session: expect.stringMatching(/^tel-/) } });
    expect(JSON.stringify(records)).not.toContain('5550100');
    await after.close();
  });

  it('see what nobody could take, and post it again', async () => {
    const folder = await folderWithWait({});
    const run = (...args: string[]) =>
      roomflowHere(args, '', folder, { ROOMFLOW_STORE: `sqlite:${join(folder, 'a.db')}` });
    expect((await run('inbox')).out).toBe('The inbox is empty.\n');
    const signal = { type: 'user:turn', eventId: 'e', text: 'I am Maria.', via: 'message' } as const;
    const entry = {
      key: 'm/1',
      sessionId: 's',
      dueAt: 0,
      signal,
      reach: 'message',
      correlation: {},
      actor: null,
    } as const;
    const store = await openStore(`sqlite:${join(folder, 'a.db')}`, { clock: systemClock });
    await store.inbox.post([entry]);
    expect(await run('inbox', 'repost', 'm/1')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('not a dead letter'),
    });
    await store.inbox.claim({ ttlMs: 60_000, limit: 1, owner: 'a clerk' });
    expect((await run('inbox', 'show', 'm/1')).out).toContain('claims in a row: 1, now by a clerk\n');
    await store.inbox.defer('m/1', { until: null, reason: 'task-error' });
    await store.close();
    expect((await run('inbox', '--dead')).out).toBe('m/1  user:turn  s  dead  (task-error)\n');
    expect((await run('inbox', 'show', 'm/1')).out).not.toContain('Maria');
    expect((await run('inbox', 'show', 'm/1', '--reveal')).out).toContain('Maria');
    expect(await run('inbox', 'repost', 'm/1')).toMatchObject({ code: 0, out: 'Posted again: m/1.\n' });
    expect((await run('audit', 's')).out).toContain('inbox:repost  allowed  s  key="m/1"');
    expect(await run('inbox', 'show', 'x')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('entry-unknown'),
    });
  });

  it('plan in a store that nobody has made yet, and are told what an act does not take', async () => {
    const desk = `{ name: 'desk', initialNode: 'a', nodes: { a: { say: 'Hello.', end: 'done' } } }`;
    const config = `export default { flows: { desk: ${desk} }, store: 'sqlite:a.db', timeZone: 'UTC' };`;
    const folder = folderOf({ 'agent.config.ts': config });
    const run = async (...args: string[]) => {
      const { code, out, errors } = await roomflowHere(['schedule', ...args], '', folder);
      return `${code} ${out}${errors}`;
    };
    const add = ['--every', '1h', '--flow', 'desk'];
    expect(await run('ls')).toMatch(/^2 store-absent: /);
    expect(await run('add', '', ...add)).toBe('2 option-empty: schedule add needs the id of a schedule.\n');
    expect(existsSync(join(folder, 'a.db'))).toBe(false);
    expect(await run('add', 'x', ...add)).toMatch(/^0 x {2}active /);
    for (const [args, told] of [
      [['add', 'y', ...add, '--quiet', '2100'], '--quiet must be two times of day, such as 21:00-08:00.'],
      [['add', 'y', ...add, '--quiet', '25:00-08:00'], '--quiet: must be a time of day, such as 21:00.'],
      [['add', 'y', ...add, '--catch-up', 'some'], '--catch-up: is not one of run_once, skip, all.'],
      [['ls', 'x'], 'schedule ls takes no id and lists all schedules. Remove "x".'],
      [['pause', 'x', '--every', '2h'], '--every works only with schedule add. Remove the schedule and add it again.'],
    ] as const)
      expect(await run(...args)).toBe(`2 option-invalid: ${told}\n`);
    expect(await run()).toMatch(/^0 x {2}active {2}every 3600 s/);
  });

  it('plan what begins at a time, and are refused what could never be', async () => {
    const desk = `{ name: 'desk', initialNode: 'a', nodes: { a: { say: 'Hello.', end: 'done' } } }`;
    const plain = `export default { flows: { desk: ${desk} }, store: 'sqlite:a.db', timeZone: 'Europe/Berlin' };`;
    const folder = await folderWithWait({ 'agent.config.ts': plain });
    const run = async (...args: string[]) => {
      const { code, out, errors } = await roomflowHere(['schedule', ...args], '', folder);
      return `${code} ${out}${errors}`;
    };
    const flow = ['--flow', 'desk'];
    expect(await run('add', 'x', '--at', '2020-01-01T09:00', ...flow)).toMatch(
      /^2 schedule-invalid: .*the time is in the past/,
    );
    expect(await run('add', 'x', '--every', '1h', '--flow', 'nope')).toMatch(
      /^2 schedule-invalid: schedule "x"\.flow: flow "nope" is not among flows \(desk\)/,
    );
    expect(await run('add', 'x', '--every', '1h', ...flow, '--input', '{"id":90071992547409931}')).toMatch(
      /^2 option-invalid: --input holds a number that would lose digits\./,
    );
    expect(await run('add', 'x', '--every', '1h', '--session', 'nobody', '--say', 'Hi.')).toMatch(/^2 session-unknown/);
    expect(await run('add', 'x', '--cron', '0 9 * * MON', ...flow)).toMatch(/^0 x {2}active /);
    expect(await run('run-now', 'x')).toMatch(/^0 x {2}active .*1 run\n/);
    expect(await run('remove', 'x')).toMatch(/^0 x {2}removed /);
    expect(await run('resume', 'x')).toMatch(/^2 schedule-unknown/);
    const { out } = await roomflowHere(['audit'], '', folder);
    expect(
      [...out.matchAll(/schedule:change {2}(\w+) .*act="([\w-]+)"/g)].map(([, outcome, act]) => [outcome, act]),
    ).toEqual([
      // Recorded before the act, and again with its error.
      ['allowed', 'add'],
      ['denied', 'add'],
      ['allowed', 'add'],
      ['allowed', 'run-now'],
      ['allowed', 'remove'],
      ['allowed', 'resume'],
      ['denied', 'resume'],
    ]);
  });

  it('may do there what can lets them, where the configuration has one', async () => {
    const folder = await folderWithWait({ 'agent.config.ts': config });
    const run = (...args: string[]) => roomflowHere(args, '', folder);
    expect((await run('waits')).out).toMatch(/^s\/5\/1/);
    for (const denied of [
      'audit',
      'schedule',
      'campaign',
      'inbox',
      'inbox repost x',
      'schedule pause x',
      'campaign stop x',
    ])
      expect(await run(...denied.split(' ')), denied).toMatchObject({
        code: 2,
        errors: expect.stringContaining('not-allowed'),
      });
    const store = await openStore(`sqlite:${join(folder, 'a.db')}`, { clock: systemClock });
    const records = (await store.audit.list({ limit: 9 })).map(({ action, outcome, details }) => [
      action,
      outcome,
      details,
    ]);
    await store.close();
    expect(records).toEqual([
      ['audit:read', 'denied', { reason: 'not-allowed' }],
      ['schedule:list', 'denied', { reason: 'not-allowed' }],
      ['campaign:list', 'denied', { reason: 'not-allowed' }],
      ['inbox:list', 'denied', { reason: 'not-allowed' }],
      ['inbox:repost', 'denied', { key: 'x', reason: 'not-allowed' }],
      ['schedule:change', 'denied', { schedule: 'x', act: 'pause', reason: 'not-allowed' }],
      ['campaign:change', 'denied', { campaign: 'x', act: 'stop', reason: 'not-allowed' }],
    ]);
  });

  it('see sessions as can lets them, and what is personal by a permission of its own that is written down', async () => {
    const may = `can: (actor, action) => globalThis.process.env.MAY.split(' ').includes(action)`;
    const folder = await folderWithWait({ 'agent.config.mjs': `export default { store: 'sqlite:a.db', ${may} };` });
    const run = (mayDo: string, command: string) =>
      roomflowHere([...command.split(' '), '--config', 'agent.config.mjs'], '', folder, { MAY: mayDo });
    const looks = ['sessions', 'show s', 'show unknown', 'export s', 'replay s', 'test record s flow.yaml'];
    for (const command of [...looks, 'approve s/5/1', 'reject unknown/1/1', 'forget unknown --yes'])
      expect(await run('wait:resolve', command), command).toMatchObject({
        code: 2,
        out: '',
        errors: expect.stringContaining('not-allowed'),
      });
    expect((await run('session:list', 'sessions')).out).toMatch(/^s {2}/);
    expect((await run('session:read', 'show s')).out).toMatch(/^s {2}/);
    expect(await run('session:read', 'show s --reveal')).toMatchObject({
      code: 2,
      out: '',
      errors: expect.stringContaining('session:reveal'),
    });
    expect((await run('session:read session:reveal', 'export s --reveal')).out).toContain('"snapshot"');
    const store = await openStore(`sqlite:${join(folder, 'a.db')}`, { clock: systemClock });
    const records = await store.audit.list({ limit: 99 });
    await store.close();
    expect(records.map(({ action, outcome, sessionId }) => `${action} ${outcome} ${sessionId ?? '-'}`)).toEqual([
      'session:list denied -',
      'session:read denied s',
      'session:read denied unknown',
      ...['session:read denied s', 'session:read denied s', 'session:read denied s'],
      ...['wait:read denied s', 'wait:read denied -', 'session:forget denied unknown'],
      ...['session:reveal denied s', 'session:reveal allowed s'],
    ]);
  });

  it('go on with sessions in the terminal as can lets them see and speak in them, which is written down', async () => {
    const may = `can: (actor, action) => globalThis.process.env.MAY.split(' ').includes(action)`;
    const hello = `{ name: 'hello', initialNode: 'a', nodes: { a: { say: 'Hello.', end: 'done' } } }`;
    const folder = await folderWithWait({
      'agent.config.mjs': `export default { flows: { hello: ${hello} }, store: 'sqlite:a.db', ${may} };`,
      'sum.yaml':
        'flow: { name: sum }\nnodes: { sum: { type: data.template, input: { template: "The total is 3." } } }\n',
    });
    const run = (mayDo: string, command: string) =>
      roomflowHere([...command.split(' '), '--config', 'agent.config.mjs'], '', folder, { MAY: mayDo });
    for (const [mayDo, command, denied] of [
      ['wait:read', 'resume s', 'session:read'],
      ['wait:read', 'resume unknown', 'session:read'],
      ['session:read', 'chat --session s', 'proxy:say'],
      ['session:read proxy:say', 'chat --session s', 'session:reveal'],
      ['session:read session:reveal', 'chat --session unknown', 'proxy:say'],
      ['session:read', 'run sum.yaml --session r', 'session:reveal'],
    ] as const)
      expect(await run(mayDo, command), command).toMatchObject({
        code: 2,
        out: '',
        errors: expect.stringMatching(new RegExp(`^not-allowed: .*\\(${denied}\\)`)),
      });
    const all = 'session:read session:reveal proxy:say';
    expect(await run(all, 'chat --session new')).toMatchObject({ code: 0, out: expect.stringContaining('Hello.') });
    const sum = await run('session:read session:reveal', 'run sum.yaml --session r');
    expect(sum).toMatchObject({ code: 0, out: expect.stringContaining('The total is 3.') });
    expect(await run('', 'chat')).toMatchObject({ code: 0, out: expect.stringContaining('Hello.') });
    const store = await openStore(`sqlite:${join(folder, 'a.db')}`, { clock: systemClock });
    const records = await store.audit.list({ limit: 99 });
    await store.close();
    expect(records.map(({ action, outcome, sessionId }) => `${action} ${outcome} ${sessionId ?? '-'}`)).toEqual([
      ...['session:read denied s', 'session:read denied unknown', 'proxy:say denied s', 'session:reveal denied s'],
      ...['proxy:say denied unknown', 'session:reveal denied r', 'session:reveal allowed new', 'proxy:say allowed new'],
      'session:reveal allowed r',
    ]);
  });

  it('reach the same by roomflow serve, which stops when it is asked', { timeout: 120_000 }, async () => {
    const folder = await folderWithWait({ 'agent.config.ts': config });
    const { child, said, url } = await serve(folder);
    const made = await fetch(`${url}/waits/s%2F5%2F1/link`, { method: 'POST', headers: ada, body: '{}' });
    const { url: link } = (await made.json()) as { url: string };
    const path = new URL(link).pathname;
    const page = await (await fetch(`${url}${path}`)).text();
    expect(page).toContain('<dd>12</dd>');
    const form = new URLSearchParams({ decision: 'reject', factsHash: 'f1' });
    const decided = await fetch(`${url}${path}`, { method: 'POST', body: form });
    expect(decided.status).toBe(200);
    expect((await fetch(`${url}/audit`)).status).toBe(401);
    child.kill('SIGTERM');
    await said(null);
    expect(child.exitCode).toBe(0);
    const store = await openStore(`sqlite:${join(folder, 'a.db')}`, { clock: systemClock });
    expect(await store.inbox.list({ limit: 9 })).toMatchObject([
      { entry: { key: 'resolve/s/5/1', actor: { id: 'refunds' } } },
    ]);
    await store.close();
  });

  it('are told of each turn that the server takes by one readable line, with nothing that was said', async () => {
    const folder = folderOf({ 'agent.config.ts': shop });
    const { child, said, url } = await serve(folder);
    const sent = await fetch(`${url}/sessions/%2B491705550123/messages`, {
      method: 'POST',
      headers: ada,
      body: JSON.stringify({ id: 'm1', text: 'I am Zebedee.' }),
    });
    expect(sent.status).toBe(202);
    await said(/"event":"turn"/);
    child.kill('SIGTERM');
    const out = await said(null);
    const turns = out.split('\n').filter((line) => line.includes('"event":"turn"'));
    expect(turns.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ flow: 'shop', outcome: 'answered', turn: 1 }),
    ]);
    expect(out).not.toMatch(/zebedee|wombat|5550123/i);
  }, 120_000);

  it.each(['serve', 'supervise'])('are not served by flows that cannot run: %s says what is wrong', async (command) => {
    const folder = folderOf({
      'agent.config.ts': `export default { flows: { refund: 'refund.yaml' }, store: 'sqlite:a.db', ${authority} };`,
      'refund.yaml':
        'name: refund\ninitial_node: ask\nnodes:\n  ask: { say: "Hello.", default_transition: don }\n  done: { end: done }\n',
    });
    expect(await roomflowHere([command], '', folder)).toMatchObject({
      code: 2,
      errors: '',
      out: expect.stringMatching(/refund\.yaml:4:\d+.*unknown-target[^]*Did you mean "done"\?/),
    });
    expect(existsSync(join(folder, 'a.db'))).toBe(false);
  });

  it.each(['serve', 'supervise', 'worker'])(
    '%s without the configuration that it is given begins nothing',
    async (command) => {
      expect(await roomflowHere([command, '--config', 'agent.confg.ts'], '', folderOf({}))).toEqual({
        code: 2,
        out: '',
        errors: 'file-not-found: agent.confg.ts does not exist.\n',
      });
    },
  );

  it('is not served to nobody', async () => {
    const folder = folderOf({ 'agent.config.ts': `export default { prompt: 'Answer.' };` });
    expect(await roomflowHere(['serve'], '', folder)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('authority-missing'),
    });
  });
});

const ada = { authorization: 'Bearer ada', 'content-type': 'application/json' };

/** Starts `roomflow serve` in a folder and waits until it listens. `said` waits for a line of its log, or for its end, and returns all lines. */
async function serve(folder: string) {
  const child = spawn(process.execPath, [join(projectFolder, 'dist/cli/main.js'), 'serve', '--port', '0'], {
    cwd: folder,
    env: { ...process.env, ...secret },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let isOver = false;
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    tell();
  });
  child.on('close', () => {
    isOver = true;
    tell();
  });
  const errors = new Promise<never>((_, reject) => {
    child.stderr.on('data', (chunk: Buffer) => reject(new Error(chunk.toString())));
  });
  errors.catch(() => undefined);
  const said = (line: RegExp | null): Promise<string> => {
    const found = new Promise<string>((resolve, reject) => {
      const look = (): void => {
        if (line === null ? isOver : line.test(out)) resolve(out);
        else if (isOver) reject(new Error(`It ended without ${line}:\n${out}`));
      };
      listeners.add(look);
      look();
    });
    return Promise.race([found, errors]);
  };
  const [, url = ''] = /"url":"([^"]+)"/.exec(await said(/"url":"[^"]+"/)) ?? [];
  return { child, said, url };
}

async function folderWithWait(files: Readonly<Record<string, string>>, asked: AskedWait = {}): Promise<string> {
  const folder = folderOf(files);
  const store = await openStore(`sqlite:${join(folder, 'a.db')}`, { clock: systemClock });
  await commitWait(store, 's', asked);
  await store.close();
  return folder;
}

/** Changes the database file directly. */
function change(file: string, statement: string): void {
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (path: string) => {
    exec(sql: string): void;
    close(): void;
  };
  const database = new Database(file);
  database.exec(statement);
  database.close();
}
