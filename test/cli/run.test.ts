import { spawn } from 'node:child_process';
import { createReadStream, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { systemClock } from '../../src/system.ts';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { folderOf, projectFolder, roomflowHere } from './run-cli.ts';

const flow = `
flow: { name: greet, input: { name: string } }
nodes:
  hello: { type: data.template, input: { template: "Hello {{ flow.input.name }}." } }
  never: { type: control.noop }
edges:
  - { from: hello, to: never, when: { equals: { var: flow.input.name, value: nobody } } }
`;
/** Runs the built command in a separate process and sends it each signal once it has printed a text to its error output. */
async function signalled(
  args: readonly string[],
  folder: string,
  signals: readonly (readonly [shown: string, signal: NodeJS.Signals])[],
) {
  const main = join(projectFolder, 'dist/cli/main.js');
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] });
  const due = [...signals];
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
    const [next] = due;
    if (next === undefined || !errors.includes(next[0])) return;
    due.shift();
    child.kill(next[1]);
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, errors };
}

const failing = 'flow: {}\nnodes:\n  a: { type: control.fail, input: { message: Nothing is left. } }\n';

describe('roomflow run', () => {
  it('prints the outputs, and on the side a line for each task', async () => {
    const { code, out, errors } = await roomflowHere(
      ['run', 'flow.yaml', '--input', '{"name":"Ann"}'],
      '',
      folderOf({ 'flow.yaml': flow }),
    );
    expect(JSON.parse(out)).toEqual({ hello: { text: 'Hello Ann.' } });
    expect(errors).toMatch(/^✓ hello {2}\d+ ms\n- never {2}skipped\n$/);
    expect(code).toBe(0);
  });

  it('shows on the side what a task logs, as it happens', async () => {
    const logging = `flow: {}
nodes:
  tell: { type: system.log, input: { level: warn, message: "One\\e[2J\\nTwo" } }
  then: { type: control.noop }
edges: [{ from: tell, to: then }]
`;
    const folder = folderOf({ 'flow.yaml': logging });
    const { out, errors } = await roomflowHere(['run', 'flow.yaml'], '', folder);
    expect(errors).toMatch(/^warn {2}One.*\nTwo\n✓ tell .*\n✓ then .*\n$/);
    expect(errors).not.toContain('\u001B[2J');
    expect(JSON.parse(out)).toMatchObject({ tell: { ok: true } });
  });

  it('takes a large input from a file', async () => {
    const name = 'x'.repeat(10_000_000);
    const same = flow.replace(/hello: .*/, 'hello: { type: control.noop, input: { value: "{{ flow.input.name }}" } }');
    // As Windows writes it, with a byte order mark.
    const folder = folderOf({ 'flow.yaml': same, 'large.json': `\uFEFF${JSON.stringify({ name })}` });
    const { code, out } = await roomflowHere(['run', 'flow.yaml', '--json', '--input', '@large.json'], '', folder);
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(name.length);
  });

  it('prints one JSON document and nothing else if asked', async () => {
    const run = await roomflowHere(
      ['run', 'flow.yaml', '--json', '--input', '{"name":"Ann"}'],
      '',
      folderOf({ 'flow.yaml': flow }),
    );
    expect(JSON.parse(run.out)).toEqual({
      status: 'complete',
      durationMs: expect.any(Number) as number,
      outputs: { hello: { text: 'Hello Ann.' } },
      failures: [],
    });
    expect(run.errors).toBe('');
  });

  it('tells which task failed and why, and exits with 1', async () => {
    const { code, out, errors } = await roomflowHere(['run', 'flow.yaml'], '', folderOf({ 'flow.yaml': failing }));
    expect(errors).toMatch(/^✗ a {2}\d+ ms {2}control-fail\na: control-fail: Nothing is left\.\n$/);
    expect(out).toBe('{}\n');
    expect(code).toBe(1);
  });

  it('asks the questions of a gate, and takes a line for each', async () => {
    const gate = 'flow: {}\nnodes:\n  ask: { type: control.gate, input: { prompt: Pay?, choices: [pay, refuse] } }\n';
    const folder = folderOf({ 'flow.yaml': gate });
    const { code, out, errors } = await roomflowHere(['run', 'flow.yaml'], 'perhaps\n1\n', folder);
    expect(errors).toMatch(/^(Pay\?\n {2}1 {2}pay\n {2}2 {2}refuse\n){2}✓ ask/);
    expect(JSON.parse(out)).toEqual({ ask: { response: { content: '1', choice: 'pay' } } });
    expect(code).toBe(0);
    expect(await roomflowHere(['run', 'flow.yaml'], '', folder)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('ask: no-answer: ') as string,
    });
  });

  it('runs nothing of a flow that is sure to ask where no answer can come in, and says what to do', async () => {
    const asking = `flow: {}
nodes:
  first: { type: control.noop }
  ask: { type: control.gate, input: { prompt: Pay? } }
edges: [{ from: first, to: ask }]
`;
    const folder = folderOf({ 'flow.yaml': asking });
    const nobody = createReadStream('', { fd: openSync('/dev/null', 'r') });
    const { code, out, errors } = await roomflowHere(['run', 'flow.yaml'], nobody, folder);
    expect(errors).toMatch(/^no-channel: node "ask" asks a person, .* pipe the answers in\.\n$/);
    expect([code, out]).toEqual([2, '']);
    nobody.destroy();
  });

  it('names on a terminal what runs, in one line that moves, and wipes it away for each line that stays', async () => {
    const gate = 'flow: {}\nnodes:\n  ask: { type: control.gate, input: { prompt: Pay? } }\n';
    const folder = folderOf({ 'flow.yaml': gate });
    const wasTerminal = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
    Object.defineProperty(process.stderr, 'isTTY', { configurable: true, value: true });
    onTestFinished(() => {
      if (wasTerminal === undefined) Reflect.deleteProperty(process.stderr, 'isTTY');
      else Object.defineProperty(process.stderr, 'isTTY', wasTerminal);
    });
    // Answered once the line has moved.
    const typed = new PassThrough();
    const { errors } = await roomflowHere(['run', 'flow.yaml'], typed, folder, {}, (shown) => {
      if (/⠙ ask {2}\d+ s/.test(shown)) typed.end('yes\n');
    });
    // Escape sequences that erase the line.
    const shown = stripVTControlCharacters(errors.replaceAll('\r\u001B[K', '<'));
    expect(shown).toContain('<⠋ ');
    expect(shown).toMatch(/<Pay\?\n/);
    expect(shown).toMatch(/<✓ ask {2}\S+ m?s\n[^\n]*<$/);
  });

  it.each([
    [
      ['run', 'flow.yaml', '--input', '{"nmae":1}'],
      /input-unknown: flow "greet" takes no input "nmae"\. Did you mean "name"\?/,
    ],
    [['run', 'flow.yaml', '--input', '[1]'], /input-invalid: --input must be a JSON object/],
    [['run', 'flow.yaml', '--input', '{name}'], /input-invalid: --input is not JSON/],
    [
      ['run', 'flow.yaml', '--input', '{"name":"12345678901234567","id":[90071992547409931]}'],
      /input-invalid: --input holds a number that would lose digits\. Write it as a text/,
    ],
    [['run', 'flow.yaml', '--input', '@flow.yaml'], /input-invalid: --input @flow.yaml is not JSON.* UTF-8/],
    [
      ['run', 'flow.yaml', '--input', '@deep.json'],
      /input-invalid: the input of flow "greet" nests deeper than 64 levels/,
    ],
    [['run', 'flow.yaml', '--input', '@none.json'], /input-invalid: --input @none\.json cannot be read\./],
    [['run', 'flow.yaml', '--input', '@latin.json'], /data-invalid: latin\.json is not UTF-8\. Save it as UTF-8\./],
    [['run', 'flow.yaml', '--input', '@/dev/zero'], /input-invalid: --input @\/dev\/zero is larger than 16 MB\./],
    [['run', 'none.yaml'], /none\.yaml:1:1 file-not-found/],
    [['run', 'talk.yaml'], /flow-invalid: "talk" is a conversation\. Talk to it: roomflow chat --flow talk\.yaml/],
  ])('what cannot be run is one clear message and exit code 2, never a stack trace: %j', async (args, message) => {
    const folder = folderOf({
      'flow.yaml': flow,
      'deep.json': `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      'talk.yaml': 'initial_node: a\nnodes: { a: { say: Hi., end: true } }\n',
    });
    writeFileSync(join(folder, 'latin.json'), Buffer.from('{"name":"Jörg"}', 'latin1'));
    const { code, out, errors } = await roomflowHere(args, '', folder);
    expect(code).toBe(2);
    expect(errors).toMatch(message);
    expect(out + errors).not.toMatch(/^\s+at /m);
  });
});

describe.each([
  ['Ctrl-C', 'SIGINT', 130],
  ['SIGTERM', 'SIGTERM', 143],
] as const)('%s', (_name, signal, exitCode) => {
  it('waits for a write that is under way, says so, calls nothing skipped that is left, and does not wait the second time', async () => {
    const zod = JSON.stringify(pathToFileURL(join(projectFolder, 'node_modules/zod/index.js')).href);
    const folder = folderOf({
      'flow.yaml': `flow: { node_packs: [./pack.mjs] }
nodes:
  wait: { type: control.wait, input: { ms: 3600000 } }
  book: { type: test.write }
  last: { type: data.template, input: { template: Done. } }
edges: [{ from: book, to: last }]
`,
      'agent.config.mjs': "export default { nodePacks: ['./pack.mjs'] };\n",
      'pack.mjs': `import { z } from ${zod};
const run = () => (process.stderr.write('writing\\n'), new Promise(() => setInterval(() => undefined, 1000)));
const schemas = { input: z.strictObject({}), output: z.strictObject({}) };
export default [{ name: 'test.write', description: 'Never ends.', ...schemas, capabilities: { writes: true }, run }];
`,
    });
    const { code, errors } = await signalled(['run', 'flow.yaml', '--config', 'agent.config.mjs'], folder, [
      ['writing\n', signal],
      // A run that only waits has ended at the first signal.
      ['Press Ctrl-C again to stop at once.\n', signal],
    ]);
    expect(errors).toMatch(/^writing\n✗ wait {2}\S+ m?s {2}aborted\nwaiting for book: .*\n$/);
    expect(code).toBe(exitCode);
  });

  it('that was broken off says that its store is what it waits for', async () => {
    const memory = JSON.stringify(pathToFileURL(join(projectFolder, 'dist/store/memory/store.js')));
    const folder = folderOf({
      'flow.yaml': 'flow: {}\nnodes:\n  ask: { type: control.gate, input: { prompt: Go on? } }\n',
      'agent.config.ts': `import { createMemoryStore } from ${memory};
const store = createMemoryStore({ clock: { now: Date.now } });
const commit = async (step) => (await new Promise((resolve) => setTimeout(resolve, 400)), store.steps.create(step));
export default { store: { ...store, steps: { ...store.steps, create: commit } } };
`,
    });
    const { code, errors } = await signalled(['run', 'flow.yaml', '--session', 's1'], folder, [['Go on?\n', signal]]);
    expect(errors).toContain(
      'aborted\nwaiting until the results are stored. Press Ctrl-C again to stop at once.\ninterrupted.',
    );
    expect(code).toBe(exitCode);
  });
});

const noSqlite = whyNoSqlite();
describe.skipIf(noSqlite !== null)(noSqlite ?? 'a run under an id', () => {
  it('is kept: another gives its result at once, and it can be listed, shown, exported and replayed', async () => {
    const talk = 'initial_node: a\nnodes: { a: { say: Hi., end: true } }\n';
    const changed = flow.replace('Hello', 'Dear');
    const folder = folderOf({ 'flow.yaml': flow, 'talk.yaml': talk, 'changed.yaml': changed });
    const kept = ['--store', 'sqlite:a.db'];
    const again = ['run', 'flow.yaml', '--session', 's1', ...kept];
    const first = await roomflowHere([...again, '--input', '{"name":"Ann"}'], '', folder);
    expect(first).toMatchObject({ code: 0, errors: expect.stringContaining('✓ hello') as string });
    expect(await roomflowHere(again, '', folder)).toEqual({ code: 0, out: first.out, errors: '' });
    const json = await roomflowHere([...again, '--json'], '', folder);
    expect(JSON.parse(json.out)).toMatchObject({ session: 's1', status: 'complete' });
    expect(await roomflowHere([...again, '--input', '{"name":"Bob"}'], '', folder)).toMatchObject({
      code: 2,
      errors: expect.stringContaining('input-changed') as string,
    });

    expect((await roomflowHere(['sessions', ...kept], '', folder)).out).toMatch(
      /^s1 {2}\d{4}-\S+ {2}complete {2}greet {2}\d signals\n$/,
    );
    const shown = (await roomflowHere(['show', 's1', ...kept], '', folder)).out;
    expect(shown).toContain('  hello = {"text":"Hello Ann."}\n');
    expect(shown).toContain('harness:complete');
    const exported = JSON.parse((await roomflowHere(['export', 's1', ...kept], '', folder)).out) as object;
    expect(exported).toMatchObject({ snapshot: { state: { status: 'complete' } }, flow: { flow: { name: 'greet' } } });
    const replayed = await roomflowHere(['replay', 's1', ...kept], '', folder);
    expect(replayed).toMatchObject({ code: 0, out: expect.stringContaining('fold to the stored state') as string });
    const against = await roomflowHere(['replay', 's1', '--against', 'changed.yaml', ...kept], '', folder);
    expect(against).toMatchObject({ code: 1, out: expect.stringContaining('task hello has another result') as string });
    const resumed = await roomflowHere(['resume', 's1', '--flow', 'talk.yaml', ...kept], '', folder);
    expect(resumed).toMatchObject({ code: 2, errors: expect.stringContaining('session-kind-wrong') as string });
  });

  it('goes on after a process that was killed, and after Ctrl-C, which tells how; what was written is not written again', async () => {
    const gate = `flow: {}
nodes:
  first: { type: system.log, input: { level: info, message: written } }
  ask: { type: control.gate, input: { prompt: Go on? } }
edges: [{ from: first, to: ask }]
`;
    const folder = folderOf({ 'flow.yaml': gate });
    const args = ['run', 'flow.yaml', '--session', 's1', '--store', 'sqlite:a.db'];
    const askedThen = (signal: NodeJS.Signals) => signalled(args, folder, [['Go on?\n', signal]]);
    const killed = await askedThen('SIGKILL');
    expect(killed.errors).toContain('written');
    // Its process is gone, on the same machine: the next run does not wait for the end of its lease.
    const brokenOff = await askedThen('SIGINT');
    expect(brokenOff.errors).not.toContain('written');
    // If closing takes longer than the command's silent wait, such as on a busy machine, it reports the wait.
    expect(brokenOff.errors).toMatch(
      /^✓ first {2}before\nGo on\?\n✗ ask {2}\S+ m?s {2}aborted\n(?:waiting until the results are stored\..*\n)?interrupted\. Continue with: roomflow run flow\.yaml --session s1 --store sqlite:a\.db\n$/,
    );
    expect(brokenOff.code).toBe(130);

    const last = await roomflowHere(args, 'yes\n', folder);
    expect(JSON.parse(last.out)).toMatchObject({ first: { ok: true }, ask: { response: { content: 'yes' } } });
    expect(last.errors).toMatch(/^✓ first {2}before\nGo on\?\n✓ ask/);
  });

  it('that has failed says how to go on, and goes on from there once the flow is mended', async () => {
    const chain = (text: string) => `flow: { name: chain }
nodes:
  first: { type: system.log, input: { level: info, message: written } }
  read: { type: data.json.parse, input: { text: '${text}' } }
edges: [{ from: first, to: read }]
`;
    const folder = folderOf({ 'flow.yaml': chain('{') });
    const args = ['run', 'flow.yaml', '--session', 's1', '--store', 'sqlite:a.db'];
    const failed = await roomflowHere(args, '', folder);
    expect(failed.code).toBe(1);
    expect(failed.errors).toContain('continue with: roomflow run flow.yaml --session s1 --store sqlite:a.db --retry\n');
    writeFileSync(join(folder, 'flow.yaml'), chain('{}'));
    const mended = await roomflowHere([...args, '--retry'], '', folder);
    expect(mended).toMatchObject({ code: 0, errors: expect.stringMatching(/^✓ first {2}before\n✓ read/) as string });
    expect(mended.errors).not.toContain('written');
    const absent = await roomflowHere([...args.slice(0, -1), 'sqlite:b.db', '--retry'], '', folder);
    expect(absent).toMatchObject({ code: 2, errors: expect.stringContaining('store-absent') as string });
    expect(existsSync(join(folder, 'b.db'))).toBe(false);
    const nowhere = await roomflowHere(['run', 'flow.yaml', '--retry'], '', folder);
    expect(nowhere).toMatchObject({ code: 2, errors: expect.stringContaining('--retry needs --session') as string });
  });

  it('that another process has taken meanwhile ends with 1, for it was begun, and says how to go on', async () => {
    const waiting = `flow: { name: slow }
nodes:
  log: { type: system.log, input: { level: info, message: under way } }
  wait: { type: control.wait, policy: { timeout_ms: 60000 }, input: { ms: 1500 } }
edges: [{ from: log, to: wait }]
`;
    const folder = folderOf({ 'flow.yaml': waiting });
    const taken: Promise<void>[] = [];
    // Opened in advance, because opening may take longer than the run waits.
    const store = await openSqliteStore(join(folder, 'a.db'), { clock: systemClock });
    const take = async (): Promise<void> => {
      const [session] = await store.sessions.list({ limit: 1 });
      await store.leases.acquire({ sessionId: 's1', owner: 'elsewhere', ttlMs: 60_000, from: session?.lease?.owner });
      await store.close();
    };
    const args = ['run', 'flow.yaml', '--session', 's1', '--store', 'sqlite:a.db'];
    const run = await roomflowHere(args, '', folder, {}, (shown) => {
      if (shown.includes('under way') && taken.length === 0) taken.push(take());
    });
    await Promise.all(taken);
    expect(run.code).toBe(1);
    expect(run.errors).toContain('lease-lost: session "s1"');
    expect(run.errors).toContain(
      'Continue the stored run with: roomflow run flow.yaml --session s1 --store sqlite:a.db\n',
    );
  });

  it('that another process owns is waited for, with a line that says so; --no-wait is refused', async () => {
    const talk = `initial_node: a
role_messages: [{ role: system, content: Talk. }]
nodes:
  a: { say: Hi., functions: [{ name: go, description: Go on., transition_to: b }] }
  b: { say: Bye., end: done }
`;
    const folder = folderOf({ 'talk.yaml': talk });
    const args = ['chat', '--flow', 'talk.yaml', '--session', 's1', '--store', 'sqlite:a.db'];
    expect(await roomflowHere(args, '', folder)).toMatchObject({ code: 0 });
    const store = await openSqliteStore(join(folder, 'a.db'), { clock: systemClock });
    const lease = await store.leases.acquire({ sessionId: 's1', owner: 'elsewhere', ttlMs: 60_000 });
    const refused = await roomflowHere([...args, '--no-wait'], '', folder);
    expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining('session-taken') as string });
    const waited = await roomflowHere(args, '', folder, {}, (shown) => {
      if (shown.includes('Waiting until') && lease !== null) void store.leases.release(lease);
    });
    expect(waited).toMatchObject({ code: 0, errors: expect.stringContaining('is owned by another process') as string });
    await store.close();
  });
});
