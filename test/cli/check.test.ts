import { spawnSync } from 'node:child_process';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { folderOf, linkedFolderOf, projectFolder, roomflow, roomflowHere } from './run-cli.ts';

const good = 'initial_node: a\nnodes:\n  a: { say: Hello., end: done }\n';
const broken =
  'initial_node: a\nnodes:\n  a: { say: Hello., default_transition: dne }\n  done: { say: Bye., end: done }\n';

describe('roomflow', () => {
  it('tells its version and its commands', async () => {
    const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string };
    expect(await roomflowHere(['--version'])).toEqual({ code: 0, out: `${version}\n`, errors: '' });
    expect(await roomflowHere(['-v'])).toEqual({ code: 0, out: `${version}\n`, errors: '' });
    expect((await roomflowHere(['help'])).out).toContain('Report all problems in flows.');
    expect((await roomflowHere(['help', 'check'])).out).toMatch(/^Report all problems in flows\./);
  });
});

describe.skipIf(process.platform === 'win32')('a reader who has enough', () => {
  it('ends what is printed to it, without a word', async () => {
    const main = join(projectFolder, 'dist/cli/main.js');
    const given = ['-c', '"$0" "$1" schema | true', process.execPath, main];
    expect(await promisify(execFile)('sh', given)).toEqual({ stdout: '', stderr: '' });
  });
});

describe('roomflow check', () => {
  it('says ok and exits with 0', async () => {
    const folder = folderOf({ 'flow.yaml': good });
    expect(await roomflowHere(['check', 'flow.yaml'], '', folder)).toEqual({
      code: 0,
      out: 'flow.yaml: ok\n',
      errors: '',
    });
  });

  it('tells place, fact and remedy with the source under it, and exits with 2', async () => {
    const folder = folderOf({ 'flow.yaml': broken });
    const { code, out, errors } = await roomflowHere(['check', 'flow.yaml'], '', folder);
    expect(code).toBe(2);
    expect(errors).toBe('');
    expect(out).toContain('flow.yaml:3:41 unknown-target: ');
    expect(out).toContain('Did you mean "done"?');
    expect(out).toMatch(/> 3 \|   a: \{ say: Hello\., default_transition: dne \}\n.*\^\^\^/);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^flow\.yaml: 1 error/);
  });

  it('checks several files, also JSON and TypeScript, and prints one JSON document if asked', async () => {
    const json = JSON.stringify({ initial_node: 'a', nodes: { a: { say: 'Hello.', end: true } } });
    const code = `export default { initialNode: 'a', nodes: { a: { say: 'Hello.', end: true } } };\n`;
    const folder = folderOf({ 'a.yaml': broken, 'b.json': json, 'c.ts': code });
    const run = await roomflowHere(['check', '--json', 'a.yaml', 'b.json', 'c.ts'], '', folder);
    expect(run.code).toBe(2);
    const { files } = JSON.parse(run.out) as {
      files: { file: string; ok: boolean; diagnostics: { line: number }[] }[];
    };
    expect(files.map(({ file, ok }) => [file, ok])).toEqual([
      ['a.yaml', false],
      ['b.json', true],
      ['c.ts', true],
    ]);
    expect(files[0]?.diagnostics[0]).toMatchObject({ code: 'unknown-target', line: 3, column: 41, severity: 'error' });
  });

  it('fails by a warning where it is strict', async () => {
    const warned = 'initial_node: a\nnodes:\n  a: { say: Hello., end: done }\n  b: { say: Bye., end: done }\n';
    const folder = folderOf({ 'flow.yaml': warned });
    const lenient = await roomflowHere(['check', 'flow.yaml'], '', folder);
    expect([lenient.code, lenient.out.trimEnd().split('\n').at(-1)]).toEqual([0, 'flow.yaml: ok, 1 warning']);
    const strict = await roomflowHere(['check', '--strict', 'flow.yaml'], '', folder);
    expect([strict.code, strict.out.trimEnd().split('\n').at(-1)]).toEqual([2, 'flow.yaml: 1 warning']);
    const json = await roomflowHere(['check', '--strict', '--json', 'flow.yaml'], '', folder);
    expect([json.code, json.out]).toEqual([2, expect.stringContaining('"ok":false')]);
  });

  it('knows the functions that a configuration registers by flowTool as it is read', async () => {
    const flow =
      'initial_node: a\nrole_messages: [{ role: system, content: Help. }]\nnodes:\n  a: { say: Hello., functions: [{ name: look_up_now, description: Look it up., handler: look_up_now, transition_to: b }] }\n  b: { say: Bye., end: done }\n';
    const config = `import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
flowTool({ name: 'look_up_now', description: 'Looks it up.', register: true, execute: () => 1 });
export default defineConfig({ flows: { desk: 'flow.yaml' } });
`;
    const folder = linkedFolderOf({ 'flow.yaml': flow, 'agent.config.mjs': config });
    const checked = await roomflow(['check', '--config', 'agent.config.mjs', 'flow.yaml'], '', folder);
    expect([checked.code, checked.out]).toEqual([0, 'flow.yaml: ok\n']);
  });

  it('takes the nearest configuration above each file, up to the folder that it runs in', async () => {
    const flow = (name: string): string =>
      `initial_node: a\nrole_messages: [{ role: system, content: Help. }]\nnodes:\n  a: { say: Hello., functions: [{ name: ${name}, handler: ${name}, description: Go., transition_to: b }] }\n  b: { say: Bye., end: done }\n`;
    const knowing = (name: string): string =>
      `export default { tools: [{ type: 'function', name: '${name}', description: 'Go.', parameters: {}, execute: async () => null }] };\n`;
    const folder = folderOf({
      'agent.config.ts': knowing('ring_up'),
      'near.yaml': flow('ring_up'),
      'far/far.yaml': flow('ring_upp'),
      'own/agent.config.ts': knowing('book_it'),
      'own/flows/own.yaml': flow('book_it'),
      'broken/agent.config.ts': 'export default { toolz: [] };\n',
      'broken/flow.yaml': broken,
      'project/flow.yaml': flow('ring_up'),
    });
    const check = async (files: readonly string[], within = folder): Promise<readonly string[]> => {
      const { out } = await roomflowHere(['check', '--json', ...files], '', within);
      const told = JSON.parse(out) as { files: { diagnostics: { code: string; message: string; hint?: string }[] }[] };
      return told.files.map(({ diagnostics }) => diagnostics.map(({ code }) => code).join(' '));
    };
    const files = ['near.yaml', 'far/far.yaml', 'own/flows/own.yaml', 'broken'];
    expect(await check(files)).toEqual(['', 'unknown-function', '', 'config-broken unknown-target']);
    // The folder above may contain code of other people.
    for (const file of ['flow.yaml', '../far/far.yaml'])
      expect(await check([file], join(folder, 'project'))).toEqual(['unregistered-function']);
  });

  it('takes a configuration that is named as a flow for the flows in it', async () => {
    const config = `export default { flows: { desk: 'flow.yaml', door: 'broken.yaml' } };\n`;
    const folder = folderOf({ 'flow.yaml': good, 'broken.yaml': broken, 'agent.config.ts': config });
    const { code, out } = await roomflowHere(['check', 'agent.config.ts'], '', folder);
    const ends = out.split('\n').filter((line) => /: (ok|\d+ error)/.test(line));
    expect([code, ...ends]).toEqual([2, 'flow.yaml: ok', 'broken.yaml: 1 error']);
  });

  it('takes a folder for the flow in it, as every command that takes a file', async () => {
    const folder = folderOf({ 'flow.yaml': good });
    expect(await roomflowHere(['check', '.'], '', folder)).toEqual({ code: 0, out: '.: ok\n', errors: '' });
    expect((await roomflowHere(['graph', '.'], '', folder)).out).toMatch(/^flowchart/);
    expect((await roomflowHere(['chat', '--flow', '.'], '', folder)).out).toContain('Hello.');
    const tasks = folderOf({ 'flow.json': '{ "flow": {}, "nodes": { "a": { "type": "control.noop" } } }' });
    expect(await roomflowHere(['run', '.'], '', tasks)).toMatchObject({ code: 0 });
    const code = folderOf({
      'flow.ts': `export default { initialNode: 'a', nodes: { a: { say: 'Hi.', end: true } } };\n`,
    });
    expect(await roomflowHere(['check', '.'], '', code)).toEqual({ code: 0, out: '.: ok\n', errors: '' });
    const none = folderOf({ 'bookings.yaml': good });
    expect((await roomflowHere(['check', '.'], '', none)).out).toContain('bookings.yaml');
  });

  it('takes the functions of a configuration, and knows the project’s own flows without a warning', async () => {
    const flows = ['clinic-intake', 'restaurant-booking', 'support-triage'].map((name) => `flows/${name}/flow.yaml`);
    const { code, out } = await roomflowHere(['check', '--config', 'agent.config.ts', ...flows], '', projectFolder);
    // A note is no fault: support-triage says at which correction its way stays.
    const results = out.split('\n').filter((line) => /^[^:]+: (ok|\d)/.test(line));
    expect(results).toEqual(flows.map((flow) => expect.stringMatching(`^${flow}: ok(, 1 note)?$`) as string));
    expect(code).toBe(0);
  });

  it('says so where code of the project waits for what never comes', async () => {
    const folder = folderOf({ 'a.config.ts': 'await new Promise(() => {});\nexport default {};\n', 'flow.yaml': good });
    const { code, errors } = await roomflow(['check', '--config', 'a.config.ts', 'flow.yaml'], '', folder);
    expect(errors).toMatch(/^A top-level await of the project never settles\. .*agent\.config\.ts\.\n$/);
    expect(code).toBe(2);
  });

  it.each([
    [['check', 'nothing.yaml'], /nothing\.yaml:1:1 file-not-found: /],
    [['check'], /FILES/],
    [['check', 'empty.config.ts'], /option-empty: .*no flow that is a document/],
    [['check', '--config', 'no.ts', 'flow.yaml'], /file-not-found: no\.ts does not exist/],
    [['check', 'throws.ts'], /file-broken: throws\.ts cannot be loaded: my mistake \(throws\.ts:2\)/],
    [
      ['check', '--config', 'comma.config.ts', 'flow.yaml'],
      /comma\.config\.ts cannot be loaded: Unexpected token, expected "," \(comma\.config\.ts:3:3\)/,
    ],
    [
      ['check', 'needs.ts'],
      /needs\.ts cannot be loaded: the package "@shop\/stock" is not installed here\. Run: npm install @shop\/stock/,
    ],
    [['check', 'lacks.ts'], /lacks\.ts cannot be loaded: Cannot find module '\.\/stock\.ts'/],
    [
      ['check', '--config', 'named.config.ts', 'flow.yaml'],
      /file-broken: named\.config\.ts has no default export\. Write: /,
    ],
    [['check', 'named.mjs'], /file-broken: named\.mjs has no default export\. Write: /],
    [['check', 'number.ts'], /flow-invalid: number\.ts: the default export is not a flow/],
    [['check', '--config', 'odd.config.ts', 'flow.yaml'], /config-invalid: odd\.config\.ts\n {2}\(config\): .*toolz/],
    [['--verison'], /^option-unknown: there is no option --verison without a command\. Did you mean --version\?\n$/],
    [
      ['--config', 'x.ts', 'check'],
      /^option-unknown: there is no option --config without a command\. Write options after the command\. .*\n$/,
    ],
    [['chek', 'flow.yaml'], /command-unknown: there is no command "chek"\. Did you mean check/],
    [['graph', 'broken.yaml'], /unknown-target/],
  ])('what cannot be done is one clear message and exit code 2, never a stack trace: %j', async (args, message) => {
    const folder = folderOf({
      'flow.yaml': good,
      'broken.yaml': broken,
      'throws.ts': `const mistake: string = 'my mistake';\nthrow new Error(mistake);\n`,
      'comma.config.ts': 'export default {\n  flows: {}\n  tools: [],\n};\n',
      'needs.ts': `import stock from '@shop/stock/list';\nexport default stock;\n`,
      'lacks.ts': `import stock from './stock.ts';\nexport default stock;\n`,
      'named.config.ts': 'export const flows: object = {};\n',
      'named.mjs': 'export const flow = {};\n',
      'number.ts': 'export default 5;\n',
      'odd.config.ts': 'export default { toolz: [] };\n',
      'empty.config.ts': 'export default {};\n',
    });
    const { code, out, errors } = await roomflowHere(args, '', folder);
    expect(code).toBe(2);
    expect(out + errors).toMatch(message);
    expect(out + errors).not.toMatch(/^\s+at /m);
  });
});

describe('roomflow graph and roomflow schema', () => {
  it('draw a flow, and print what editors need', async () => {
    const drawn = await roomflowHere(['graph', 'flows/clinic-intake/flow.yaml']);
    expect(drawn.out).toMatch(/^flowchart TD\n/);
    expect(drawn.code).toBe(0);
    const schema = await roomflowHere(['schema']);
    expect(JSON.parse(schema.out)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  });
});

describe('roomflow explain', () => {
  it('explains a diagnostic with its smallest example, and an error with its remedy', async () => {
    const diagnostic = await roomflowHere(['explain', 'unknown-target']);
    expect(diagnostic).toMatchObject({ code: 0, errors: '' });
    expect(diagnostic.out).toMatch(
      /^unknown-target is a diagnostic of a file\.\n[^]*flow\.yaml:\d+:\d+ error unknown-target: [^]*diagnostics\.md#unknown-target\.\n$/,
    );
    const error = await roomflowHere(['explain', 'option-empty']);
    expect(error.out).toContain('An option needs a value.\nWrite the value after the option.');
  });

  it('lists every code, and suggests one for a typo', async () => {
    const list = await roomflowHere(['explain']);
    expect(list.out).toMatch(/^Diagnostics\n {2}file-not-found\n[^]*\nErrors\n {2}command-unknown\n/);
    const typo = await roomflowHere(['explain', 'unknown-targt']);
    expect([typo.code, typo.errors]).toEqual([2, expect.stringContaining('Did you mean unknown-target?')]);
  });
});

describe('roomflow completion', () => {
  it.each([
    [1, ['roomflow', 'che'], ['check']],
    [2, ['roomflow', 'check', '--str'], ['--strict']],
    [2, ['roomflow', 'chat', '--languag'], ['--language']],
  ])('completes word %i of %j in bash', async (index, words, completed) => {
    const { out } = await roomflowHere(['completion', 'bash']);
    const typed = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${index}; _roomflow; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', `${out}\n${typed}`], { encoding: 'utf8' });
    expect([stdout.trim().split('\n'), stderr]).toEqual([completed, '']);
  });

  it('has a script for zsh and fish, and names the shells that it knows', async () => {
    expect((await roomflowHere(['completion', 'zsh'])).out).toMatch(/^#compdef roomflow\n/);
    const fish = await roomflowHere(['completion', 'fish']);
    expect(fish.out).toContain("complete -c roomflow -n '__fish_seen_subcommand_from check' -l strict -d '");
    const other = await roomflowHere(['completion', 'csh']);
    expect([other.code, other.errors]).toEqual([2, expect.stringContaining('Write bash, zsh or fish.')]);
  });
});

describe('the node packs of a configuration', () => {
  const pack = `import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
globalThis.loadedPacks = [...(globalThis.loadedPacks ?? []), 'shop'];
export default [{
  name: 'shop.stock', description: 'Counts.', input: z.strictObject({ article: z.string() }),
  output: z.strictObject({ count: z.number() }), evaluate: () => ({ ok: true, output: { count: 12 } }),
}];
`;
  const tasks = (name: string): string =>
    `flow: { node_packs: [${name}] }\nnodes:\n  stock: { type: shop.stock, input: { article: tube } }\n`;
  const talk = `node_packs: [./pack.mjs]
initial_node: stock
nodes:
  stock: { type: shop.stock, input: { article: tube }, default_transition: tell }
  tell: { say: "We have {{ stock.count }}.", end: told }
`;
  const config = ['--config', 'agent.config.mjs'];
  const files = {
    'pack.mjs': pack,
    'evil.mjs': "globalThis.loadedPacks = [...(globalThis.loadedPacks ?? []), 'evil']; export default [];\n",
    'agent.config.mjs': "export default { nodePacks: ['./pack.mjs'] };\n",
    'tasks.yaml': tasks('./pack.mjs'),
    'talk.yaml': talk,
  };

  it('are known to check, graph, schema, run and chat', async () => {
    const folder = folderOf(files);
    expect(await roomflowHere(['check', ...config, 'tasks.yaml', 'talk.yaml'], '', folder)).toEqual({
      code: 0,
      out: 'tasks.yaml: ok\ntalk.yaml: ok\n',
      errors: '',
    });
    expect((await roomflowHere(['graph', ...config, 'tasks.yaml'], '', folder)).out).toContain('shop.stock');
    expect((await roomflowHere(['schema', ...config], '', folder)).out).toContain('"const": "shop.stock"');
    expect((await roomflowHere(['schema'], '', folder)).out).not.toContain('shop.stock');
    // By default the nearest `agent.config.ts` is loaded. If it cannot be loaded, that is reported and the flow is checked without it.
    const near = folderOf({ ...files, 'agent.config.ts': files['agent.config.mjs'] });
    expect((await roomflowHere(['graph', 'tasks.yaml'], '', near)).out).toContain('shop.stock');
    expect((await roomflowHere(['schema'], '', near)).out).toContain('"const": "shop.stock"');
    const broken = await roomflowHere(
      ['schema'],
      '',
      folderOf({ 'agent.config.ts': "export default { flowz: '' };\n" }),
    );
    expect([broken.code, broken.errors]).toEqual([0, expect.stringMatching(/flowz[^]*read without agent\.config\.ts/)]);
    const run = await roomflowHere(['run', ...config, 'tasks.yaml'], '', folder);
    expect(JSON.parse(run.out)).toEqual({ stock: { count: 12 } });
    const chat = await roomflowHere(['chat', ...config, '--flow', 'talk.yaml'], '', folder);
    expect(chat.out).toContain('agent  We have 12.');
  });

  it('are the only ones: another is told with its place, and is not even loaded', async () => {
    const folder = folderOf({ ...files, 'tasks.yaml': tasks('./evil.mjs') });
    const fact = 'tasks.yaml:1:22 unknown-node-pack: node pack "./evil.mjs" is not allowed, so it is not loaded. ';
    for (const args of [
      ['check', ...config, 'tasks.yaml'],
      ['run', ...config, 'tasks.yaml'],
    ]) {
      const { code, out, errors } = await roomflowHere(args, '', folder);
      expect(code).not.toBe(0);
      expect(out + errors).toContain(fact);
    }
    expect((await roomflowHere(['check', 'tasks.yaml'], '', folder)).out).toContain(
      'Allow it by nodePacks of agent.config.ts, and name that file by --config.',
    );
    expect(globalThis).not.toMatchObject({ loadedPacks: expect.arrayContaining(['evil']) as unknown });
    expect(globalThis).toMatchObject({ loadedPacks: expect.arrayContaining(['shop']) as unknown });
  });

  it('that do not keep their contract are told by pack and node, before anything runs', async () => {
    const folder = folderOf({ ...files, 'pack.mjs': pack.replace('z.strictObject', 'z.strict') });
    const half = folderOf({ ...files, 'pack.mjs': pack.replace('evaluate:', 'evalute:') });
    expect((await roomflowHere(['check', ...config, 'tasks.yaml'], '', folder)).errors).toContain(
      'config-invalid: agent.config.mjs\n  nodePacks.0: "./pack.mjs" cannot be loaded: ',
    );
    const told = (await roomflowHere(['run', ...config, 'tasks.yaml'], '', half)).errors;
    expect(told).toContain(
      'nodePacks.0: "./pack.mjs": node type "shop.stock": there is no "evalute". Did you mean "evaluate"?',
    );
    expect(told).toContain('nodePacks.0: "./pack.mjs": node type "shop.stock": needs either evaluate or run');
  });
});

describe('roomflow check with a configuration', () => {
  it('and no files checks its flows, those of files and those in code', async () => {
    const folder = folderOf({
      'good.yaml': good,
      'bad.yaml': good.replace('say:', 'sya:'),
      'agent.config.mjs': `export default { flows: { one: 'good.yaml', two: 'bad.yaml', inline: { initialNode: 'b', nodes: { a: { end: true } } }, made: { kind: 'generator', name: 'made', async *run() {} } } };\n`,
    });
    const { code, out } = await roomflowHere(['check', '--config', 'agent.config.mjs'], '', folder);
    expect(code).toBe(2);
    expect(out).toContain('good.yaml: ok\n');
    expect(out).toMatch(/bad\.yaml:\d+:\d+ unknown-key: .* Did you mean "say"\?/);
    expect(out).toMatch(/unknown-initial-node: the flow begins in "b"/);
    expect((await roomflowHere(['check'], '', folderOf({ 'flow.yaml': good }))).errors).toMatch(
      /^option-empty: check needs FILES/,
    );
  });

  it('knows the task flows that functions may run, files of YAML and TypeScript and flows in code', async () => {
    const tasks = "{ flow: {}, nodes: { a: { type: 'control.noop' } } }";
    const folder = folderOf({
      'lookup.yaml': 'flow: {}\nnodes: { a: { type: control.noop } }\n',
      'priced.mjs': `export default ${tasks};\n`,
      'talk.yaml': good,
      'agent.config.mjs': `export default { flows: { lookup: 'lookup.yaml', priced: 'priced.mjs', inline: ${tasks}, talk: 'talk.yaml' } };\n`,
      'flow.yaml': `initial_node: a
nodes:
  a:
    task_messages: [{ role: system, content: Help. }]
    functions:
${['lookup', 'priced', 'inline', 'lokup', 'talk'].map((name) => `      - { name: f_${name}, description: Runs it., run: ${name}, transition_to: b }\n`).join('')}
  b: { say: Bye., end: done }
`,
    });
    const { code, out } = await roomflowHere(['check', '--config', 'agent.config.mjs', 'flow.yaml'], '', folder);
    expect(code).toBe(2);
    expect(out.match(/unknown-flow: .*/g)).toEqual([
      'unknown-flow: flow "lokup" is not registered. Did you mean "lookup"?',
      'unknown-flow: flow "talk" is a conversation, and only a task flow has outputs. Write it under flow:, or lead to it by the router or by the handoff of a generator.',
    ]);
  });
});

describe('roomflow check of a flow that waits for people', () => {
  const folder = () =>
    folderOf({
      'ask.yaml':
        'flow: { name: ask }\nnodes:\n  look: { type: control.noop }\n  decide: { type: interrupt.escalate, input: { to: desk, question: "Refund it?" } }\nedges: [{ from: look, to: decide }]\n',
      'outer.yaml': 'flow: {}\nnodes:\n  all: { type: control.subflow, input: { name: ask } }\n',
      'agent.config.mjs': "export default { flows: { ask: 'ask.yaml', outer: 'outer.yaml' } };\n",
      'flow.yaml':
        'initial_node: a\nnodes:\n  a: { type: control.subflow, input: { name: outer }, on_error: b, default_transition: b }\n  b: { say: Bye., end: done }\n',
    });

  it('tells a node of a conversation that would run it, with where it waits and what to write', async () => {
    const { code, out } = await roomflowHere(['check', '--config', 'agent.config.mjs', 'flow.yaml'], '', folder());
    expect(code).toBe(2);
    expect(out).toMatch(
      /flow\.yaml:3:46 wait-in-conversation: flow "outer" waits at "all\.decide" for a person outside of the call/,
    );
    expect(out).toContain('functions: [{ name: NAME, run: outer }], and call: NAME to run it on entry.');
  });

  it('has nothing against a task flow that runs it', async () => {
    expect((await roomflowHere(['check', '--config', 'agent.config.mjs', 'outer.yaml'], '', folder())).out).toBe(
      'outer.yaml: ok\n',
    );
  });
});

describe('roomflow --help', () => {
  it('says of each command what it does, and of each option, within 80 columns', async () => {
    const { out } = await roomflowHere(['--help']);
    const names = [...out.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name = '']) => name);
    expect(names).toEqual(expect.arrayContaining(['start', 'chat', 'check', 'run', 'setup-speech']));
    for (const name of names) {
      const usage = await roomflowHere([name, '--help']);
      expect(usage).toMatchObject({ code: 0, errors: '' });
      expect(usage.out).toContain(`USAGE roomflow ${name}`);
      for (const line of `${out}${usage.out}`.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
      for (const line of usage.out.split('\n')) if (line.startsWith('  --')) expect(line).toMatch(/^ {2}\S.* {2}\S/);
    }
    const { out: check } = await roomflowHere(['check', '--help']);
    expect(check).toContain('USAGE roomflow check [OPTIONS] [FILES]');
    expect(check).toMatch(/^ {2}--config CONFIG {2}agent\.config\.ts with the tools, /m);
    expect(check).toMatch(/^ {19}\S/m);
  });

  it('loads no command for --help and --version, and nothing of LiveKit for check', async () => {
    const folder = folderOf({ 'flow.yaml': good });
    const all = await loadedBy(['--help'], folder);
    const own = all.flatMap((url) => /\/dist\/(.*)/.exec(url)?.[1] ?? []);
    expect(own).toEqual(expect.arrayContaining(['chunks/errors.js', 'cli/main.js']));
    expect(own).not.toContain('chunks/core.js');
    expect(await loadedBy(['--version'], folder)).toEqual(all);
    const check = await loadedBy(['check', 'flow.yaml'], folder);
    expect(check.length).toBeGreaterThan(all.length);
    expect(check.filter((url) => url.includes('livekit'))).toEqual([]);
  });
});

/** Returns the files that the built command line loads, as reported by V8. */
async function loadedBy(args: readonly string[], folder: string): Promise<readonly string[]> {
  const told = mkdtempSync(join(folder, 'loaded-'));
  expect(await roomflow(args, '', folder, { NODE_V8_COVERAGE: told })).toMatchObject({ code: 0 });
  const [report = ''] = readdirSync(told);
  const { result } = JSON.parse(readFileSync(join(told, report), 'utf8')) as { result: { url: string }[] };
  return result.flatMap(({ url }) => (url.startsWith('file:') ? url : [])).toSorted();
}
