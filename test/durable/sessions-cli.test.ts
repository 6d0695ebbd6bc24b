import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf, projectFolder, roomflow, roomflowAs, roomflowHere } from '../cli/run-cli.ts';
import { telephoneNames } from '../../src/livekit/guards/telephone-names.ts';
import { whyNoSqlite } from './sqlite-here.ts';

const flow = `name: two
initial_node: details
slots:
  full_name: { type: name, ask: What is your name?, pii: true }
  day: { type: date, ask: Which day? }
nodes:
  details:
    collect: [full_name, day]
    functions: [{ name: look_up, description: Look something up., transition_to: details }]
    default_transition: done
  done: { say: "Thank you, {{ full_name }}.", end: done }
`;
/** It registers none of the flow's names; the command uses stubs. */
const config = `export default { prompt: 'Answer.' };`;

const noSqlite = whyNoSqlite();
describe.skipIf(noSqlite !== null)(noSqlite ?? 'a conversation in the terminal under an id', () => {
  it('resumes where it was left, and can be listed, shown, exported and replayed', { timeout: 240_000 }, async () => {
    const folder = folderOf({
      'agent.config.ts': config,
      'flow.yaml': flow,
      'changed.yaml': flow.replace('Which day', 'What day'),
    });
    const store = { ROOMFLOW_STORE: 'sqlite:a.db' };
    const run = (args: readonly string[]) => roomflowHere(args, '', folder, store);
    const agentLines = (out: string): string[] => out.split('\n').filter((line) => line.startsWith('agent'));

    expect(await run(['sessions'])).toMatchObject({ code: 2, errors: expect.stringContaining('store-absent') });
    const chat = ['chat', '--flow', 'flow.yaml', '--session', 's1'];
    const first = await roomflowHere(chat, 'Maria Delgado.\n', folder, store);
    expect(agentLines(first.out)).toEqual(['agent  What is your name?', 'agent  Which day?']);
    const again = await run(['resume', 's1', '--flow', 'flow.yaml']);
    expect(again.out).not.toContain('continues the flow');
    const second = await roomflow(['resume', 's1', '--flow', 'changed.yaml'], 'December first.\n', folder, store);
    expect(second.out).toContain(
      'continues the flow that it started with, not changed.yaml. To start changed.yaml, use another --session.\n',
    );
    expect(agentLines(second.out)).toEqual([
      'agent  Sorry, I was gone for a moment.',
      'agent  Which day?',
      'agent  Thank you, Maria Delgado.',
    ]);
    expect(await run(chat)).toMatchObject({ code: 2, errors: expect.stringContaining('session-over') });

    expect(await run(['resume', 'nobody'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('session-unknown'),
    });

    const list = await run(['sessions']);
    const listed = await run(['sessions', '--json', '--prefix', 's']);
    const others = await run(['sessions', '--json', '--prefix', 'schedule/']);
    const show = await run(['show', 's1']);
    const exported = await run(['export', 's1']);
    const replayed = await run(['replay', 's1']);
    const against = await run(['replay', 's1', '--against', 'changed.yaml']);
    const nobody = await run(['show', 'nobody']);
    const revealed = await run(['show', 's1', '--reveal', '--events', '1']);
    const whole = await run(['export', 's1', '--reveal']);
    const turns = await run(['show', 's1', '--turns']);
    expect(turns.out).toMatch(/^turn 2 {2}\d{4}-.* {2}text · details · 0 inferences · .* · answered$/m);
    expect(turns.out).toMatch(/^turn 3 {2}.*resume · details · 0 inferences · .* · answered$/m);
    expect(turns.out).toMatch(/^ {2}flow\.step user:turn +[|█ ]{40} +\d/m);
    expect(turns.out).toMatch(/ model asked \d+ · .*heard \d+ ms$/m);
    expect(turns.out).not.toMatch(/Maria|Delgado|December|What is your name/);
    expect(list.out).toMatch(/^s1 {2}\d{4}-.* {2}ended {2}two @ done {2}\d+ signals\n$/);
    expect(JSON.parse(listed.out)).toMatchObject({ sessionId: 's1', stand: 'ended  two @ done', owner: null });
    expect(others.out).toBe('');
    expect(show.out).toContain('full_name = "[personal]"');
    expect(show.out).toContain('day = "2026-12-01"');
    expect(show.out).toMatch(/ {2}transition:taken {2}@details .*to="done"/);
    expect(revealed.out).toContain('full_name = "Maria Delgado"');
    expect(revealed.out.match(/T\d\d:\d\d:/g)).toHaveLength(1);
    for (const word of ['Maria', 'Delgado', 'December']) {
      expect(exported.out).not.toContain(word);
      expect(whole.out).toContain(word);
    }
    expect(JSON.parse(exported.out)).toMatchObject({ snapshot: { sessionId: 's1' }, flow: { name: 'two' } });
    expect(replayed).toMatchObject({ code: 0, out: expect.stringContaining('fold to the stored state') });
    expect(against).toMatchObject({ code: 1, out: expect.stringMatching(/^They differ from signal \d+ .* on: /) });
    expect(nobody).toMatchObject({ code: 2, errors: expect.stringContaining('session-unknown') });
  });

  it('can be read in a read-only folder, and leaves no trace there', { timeout: 240_000 }, async () => {
    const folder = folderOf({ 'agent.config.ts': config, 'flow.yaml': flow });
    const store = { ROOMFLOW_STORE: 'sqlite:kept/a.db' };
    await roomflowHere(['chat', '--flow', 'flow.yaml', '--session', 's1'], 'Maria Delgado.\n', folder, store);
    const kept = join(folder, 'kept');
    const before = readdirSync(kept);
    // Root may write everywhere, so the test runs as another user.
    const nobody = process.getuid?.() === 0 ? 65_534 : undefined;
    for (const file of before) chmodSync(join(kept, file), 0o444);
    chmodSync(kept, 0o555);
    chmodSync(folder, 0o755);
    const look = async (...args: string[]): Promise<string> => {
      const { code, out, errors } = await roomflowAs(nobody, args, '', folder, { ...store, HOME: tmpdir() });
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      return out;
    };
    expect(await look('sessions')).toMatch(/^s1 {2}.* {2}two @ details/);
    expect(await look('show', 's1')).toContain('full_name = "[personal]"');
    expect(await look('replay', 's1')).toContain('fold to the stored state');
    expect(JSON.parse(await look('export', 's1'))).toMatchObject({ snapshot: { sessionId: 's1' } });
    expect(readdirSync(kept)).toEqual(before);
    // The command deletes its copy in every case.
    const copies = mkdtempSync(join(tmpdir(), 'roomflow-copies-'));
    onTestFinished(() => rmSync(copies, { recursive: true }));
    chmodSync(copies, 0o777);
    const left = (): readonly string[] => readdirSync(copies).filter((name) => name.startsWith('roomflow-'));
    writeFileSync(
      join(folder, 'ends.config.mjs'),
      `export default { can: () => (process.kill(process.pid, 'SIGTERM'), new Promise((done) => setTimeout(done, 1000))) };\n`,
    );
    const keys = { ...store, HOME: tmpdir(), TMPDIR: copies };
    const ended = await roomflowAs(nobody, ['show', 's1', '--config', 'ends.config.mjs'], '', folder, keys);
    expect([ended.code, left()]).toEqual([143, []]);
    const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : null;
    if (full !== null) {
      const options = {
        cwd: folder,
        env: { ...process.env, ...keys },
        ...(nobody === undefined ? {} : { uid: nobody }),
      };
      const main = join(projectFolder, 'dist/cli/main.js');
      const { status } = spawnSync(process.execPath, [main, 'export', 's1'], {
        ...options,
        stdio: ['ignore', full, 'pipe'],
      });
      expect([status, left()]).toEqual([1, []]);
      closeSync(full);
    }
    const { code, errors } = await roomflowAs(nobody, ['forget', 's1', '--yes'], '', folder, store);
    expect(code).toBe(2);
    expect(errors).toMatch(/^store-unreachable: cannot write to kept\/a\.db/);
    chmodSync(kept, 0o755);
  });

  it('is deleted completely after a confirmation; the files keep no trace of it', { timeout: 240_000 }, async () => {
    const folder = folderOf({ 'agent.config.ts': config, 'flow.yaml': flow });
    const keys = { ROOMFLOW_STORE: 'sqlite:a.db', LIVEKIT_API_SECRET: 'a-secret' };
    const run = (args: readonly string[]) => roomflowHere(args, '', folder, keys);
    const telephone = '+4915112345678';
    for (const session of [telephone, `${telephone}~2`, 'other'])
      await roomflowHere(['chat', '--flow', 'flow.yaml', '--session', session], 'Maria Delgado.\n', folder, keys);

    expect(await run(['forget', 'nobody', '--yes'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('session-unknown'),
    });
    expect(await run(['forget', telephone])).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^confirmation-missing: .*Add --yes/),
    });
    expect((await run(['sessions'])).out.split('\n')).toHaveLength(4);
    // The telephone's name in the logs works like the number.
    const shown = telephoneNames(keys)(telephone);
    const forgotten = await run(['forget', shown, '--yes']);
    expect(forgotten).toMatchObject({ code: 0, errors: '' });
    expect(forgotten.out).toMatch(
      /^Deleted \+4915112345678: its state, \d+ signals, \d+ events, \d+ effects?, its inputs and the room/,
    );
    expect(forgotten.out).toContain('More conversations have the same name: +4915112345678~2.');
    expect(await run(['show', telephone])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('session-unknown'),
    });
    await run(['forget', `${telephone}~2`, '--yes']);
    expect((await run(['sessions'])).out).toMatch(/^other {2}[^\n]*\n$/);
    const found = async (...args: readonly string[]) => (await run(['sessions', '--json', ...args])).out.trim();
    expect(JSON.parse(await found('--state', 'active', '--flow', 'two', '--node', 'details'))).toMatchObject({
      ...{ sessionId: 'other', state: 'active', flow: 'two', node: 'details' },
    });
    for (const none of [['--state', 'ended'], ['--flow', 'x'], ['--node', 'x'], ['--older', '1h'], ['--stuck']])
      expect(await found(...none)).toBe('');
    expect(await run(['sessions', '--older', 'May'])).toMatchObject({ code: 2 });
    const few = await run(['forget', '--before', '30d', '--yes']);
    expect(few.out).toMatch(/^Deleted 0 sessions from before /);
    expect(await run(['forget', '--before', 'May'])).toMatchObject({ code: 2 });
    expect(await run(['forget', 'other', '--before', '30d'])).toMatchObject({ code: 2 });
    const all = await run(['forget', '--before', '2999-01-01', '--yes']);
    expect(all.out).toBe('Deleted 1 session from before 2999-01-01T00:00:00.000Z.\n');
    expect((await run(['sessions'])).out).toBe('The store has no sessions.\n');
    expect((await run(['sessions', '--prefix', 'x/'])).out).toBe(
      'The store has no sessions whose id begins with "x/".\n',
    );
    for (const file of readdirSync(folder).filter((name) => name.startsWith('a.db'))) {
      const bytes = readFileSync(join(folder, file)).toString('latin1');
      for (const word of ['Maria', 'Delgado', '15112345678']) expect(bytes).not.toContain(word);
    }
  });
});
