import { readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orderFolder } from '../testing/flowtests.ts';
import { folderOf, linkedFolderOf, projectFolder, roomflowHere } from './run-cli.ts';

const head = 'flow: order.yaml\nscenarios:\n';
const passing = `${head}  - name: it greets
    tags: [smoke]
    turns: [{ expect: { node: details, said: roses } }]
`;
const failing = `${head}  - name: it greets
    turns: [{ expect: { node: pay } }]
`;

const run = (files: Readonly<Record<string, string>>, ...args: string[]) =>
  roomflowHere(['test', ...args], '', orderFolder(files));

test('tests that hold are exit code 0, and the last line counts them', async () => {
  const { code, out } = await run({ 'order.flowtest.yaml': passing });
  expect(out).toBe('order.flowtest.yaml\n  ok it greets\n1 scenario: 1 passed\n');
  expect(code).toBe(0);
});

test('a test that does not hold is exit code 1, and shows the line of the test and of the flow', async () => {
  const { code, out } = await run({ 'order.flowtest.yaml': failing });
  expect(code).toBe(1);
  expect(out).toContain('expect.node: another node\n      expected  pay\n      found     details');
  expect(out).toContain('at order.flowtest.yaml:4');
  expect(out).toContain('the flow: order.yaml:10');
});

test.each([['--junit'], ['--html'], ['--lcov']])(
  'a report of %s that has no place is told before a test runs',
  async (option) => {
    const { code, out, errors } = await run({ 'order.flowtest.yaml': passing }, option, 'order.flowtest.yaml/report');
    const told = 'order.flowtest.yaml/report cannot be written (ENOTDIR). Name another file, or fix the permissions.';
    expect([code, out, errors]).toEqual([2, '', `file-unwritable: ${told}\n`]);
  },
);

test.each([['--seeds'], ['--seconds'], ['--repeat']])('%s 0 is none at all, and told', async (option) => {
  const words = option === '--repeat' ? [] : ['explore', 'order.yaml'];
  const { code, out, errors } = await run({ 'order.flowtest.yaml': passing }, ...words, option, '0');
  expect([code, out, errors]).toEqual([2, '', `option-invalid: ${option} must be a whole number above 0, not "0".\n`]);
});

test('an address that is no store is told before a test runs', async () => {
  const { code, out, errors } = await run({ 'order.flowtest.yaml': passing }, '--store', 'sqlit:./calls.db');
  expect([code, out]).toEqual([2, '']);
  expect(errors).toMatch(/^store-invalid: the store is not valid: "sqlit:" is not a kind of store\./);
});

test('a broken file of tests is exit code 2, and each mistake has its place, the fact and a remedy', async () => {
  const { code, out } = await run({
    'order.flowtest.yaml': `flow: order.yaml
scenarios:
  - name: one
    turn: []
    turns:
      - user: tulips
        silence: 3s
        expect: { nod: details, slots: { flower: roses } }
      - expect: { node: detail, edge: details -> done, said: "/(/", tool: place_ordr }
      - model: { call: place_ordr, record: { cuont: 3 } }
      - dtmf: abc
`,
  });
  expect(code).toBe(2);
  expect(out).toContain(':4:5 unknown-key: a scenario has no key "turn". Did you mean "turns"?');
  expect(out).toContain(':8:19 unknown-key: an expectation has no key "nod". Did you mean "node"?');
  expect(out).toContain(':11:15 invalid-format: "dtmf" of a turn must be keys of a telephone');
});

test('what the flow does not have is told with the name that is near', async () => {
  const { code, out } = await run({
    'order.flowtest.yaml': `flow: order.yaml
scenarios:
  - name: one
    tools: { place_ordr: { returns: 1 }, place_order: { returns: 1, throws: no } }
    llm: { detals: [{ say: Hello }] }
    turns:
      - user: tulips
        silence: 3s
        expect: { node: detail, slots: { flower: roses } }
      - user: tulips
        expect: { edge: [done -> details, details -> details], said: "/(/", tool: place_ordr }
      - user: tulips
        model: { call: place_ordr, record: { cuont: 3 } }
  - name: one
    turns: [{ user: hello }]
`,
  });
  expect(code).toBe(2);
  for (const line of [
    ':4:14 unknown-tool: the flow has no tool "place_ordr". Did you mean "place_order"?',
    'conflicting-keys: tool "place_order" does several things at once. Keep one of',
    ':5:12 unknown-node: the flow has no node "detals". Did you mean "details"?',
    ':7:9 conflicting-keys: a turn is one thing, and this one is user and silence. Make several turns of it.',
    ':9:25 unknown-node: the flow has no node "detail". Did you mean "details"?',
    'unknown-slot: the flow has no slot "flower". Did you mean "flowers"?',
    'unknown-edge: the flow has no way from "done" to "details". Nothing leads on from "done".',
    'unknown-edge: the flow has no way from "details" to "details". From "details" it leads to wholesale (order.yaml:',
    'invalid-pattern: the regular expression is not valid.',
    'unknown-function: the flow has no function "place_ordr". Did you mean "place_order"?',
    'unknown-slot: the flow has no slot "cuont". Did you mean "count"?',
    ':14:11 duplicate-id: two scenarios are called "one". Rename one.',
  ])
    expect(out).toContain(line);
});

test('a misspelt placeholder, column or name in the rows of each is told with its line', async () => {
  const { code, out } = await run({
    'order.flowtest.yaml': `flow: order.yaml
scenarios:
  - name: <flowers> are taken
    each:
      - { flowers: roses, node: details, words: 1 }
      - { flowers: tulips, node: detials, words: "/(/" }
      - { flower: tulips, node: pay, words: How many }
    turns:
      - user: <flowrs>
        model: { record: { flowers: <flowers> } }
        expect: { node: <node>, said: <words> }
  - name: named groups of patterns are no columns
    each: [{ count: "3", unit: pieces }]
    turns:
      - user: <count>
        expect: { said: "/(?<n>3)/" }
`,
  });
  expect(code).toBe(2);
  for (const line of [
    ':9:15 unknown-column: no row of each has "flowrs". Did you mean "flowers"?',
    ':7:9 unknown-column: this row of each has no "flowers". Add it, or rename one.',
    ':7:11 warning unused-column: no text of the scenario has <flower>. Did you mean "flowers"?',
    ':6:34 unknown-node: the flow has no node "detials". Did you mean "details"?',
    ':6:50 invalid-pattern',
    ':5:49 wrong-type',
    ':13:26 warning unused-column: no text of the scenario has <unit>.',
  ])
    expect(out).toContain(line);
  expect(out).not.toContain('"n"');
});

test('a flow that is not there or is broken is told with the place where the test names it', async () => {
  const missing = await run({ 'a.flowtest.yaml': passing.replace('order.yaml', 'ordr.yaml') });
  expect(missing.code).toBe(2);
  expect(missing.out).toContain('a.flowtest.yaml:1:7 file-not-found: there is no flow at ordr.yaml.');
  const onBroken = passing.replace('order.yaml', 'b.yaml');
  const broken = await run({ 'a.flowtest.yaml': onBroken, 'c.flowtest.yaml': onBroken, 'b.yaml': 'nodes: {}\n' });
  expect(broken.out).toContain('a.flowtest.yaml:1:7 flow-invalid: the flow has errors.');
  expect(broken.out).toContain('c.flowtest.yaml:1:7 flow-invalid: the flow has errors.');
  expect(broken.out.match(/b\.yaml:1:1 document-kind/g), 'once for both').toHaveLength(1);
});

test('options that are wrong are exit code 2, and so is nothing to run', async () => {
  const files = { 'order.flowtest.yaml': passing };
  expect(await run(files, '--engine', 'fast')).toMatchObject({
    code: 2,
    errors: 'option-invalid: --engine must be scripted, offline or live, not "fast".\n',
  });
  expect((await run(files, '--min-edges', 'all')).errors).toContain('--min-edges must be a number from 0 to 100');
  expect((await run(files, '--tag', 'slow')).errors).toContain('no scenario matches');
  expect((await run({})).errors).toContain('there is no test file below this folder');
});

test('a mistake of form hides no other: names are told beside it, also those of the same turn', async () => {
  const { code, out } = await run({
    'order.flowtest.yaml': `${head}  - name: one
    turns:
      - { usr: hello, expect: { nod: x, node: detail } }
  - name: two
    engine: magic
    turns:
      - { user: [1], expect: { slots: { flower: roses } } }
    never: [{ said: "/(/" }]
`,
  });
  expect(code).toBe(2);
  const told = [...out.matchAll(/^order\.flowtest\.yaml:(\d+):\d+ ([\w-]+)/gm)];
  expect(told.map(([, line, what]) => `${line} ${what}`)).toEqual([
    ...['5 unknown-key', '5 unknown-key', '5 unknown-node', '7 invalid-value'],
    ...['9 wrong-type', '9 unknown-slot', '10 invalid-pattern'],
  ]);
});

test('a store that cannot be had is exit code 3, and no failure of the test', async () => {
  const { code, out } = await run({ 'order.flowtest.yaml': passing }, '--store', 'postgres://127.0.0.1:1/none');
  expect(out).toContain('BROKEN it greets (store-unreachable');
  expect(code).toBe(3);
});

test('coverage shows what was not come through, with its line, and too little is exit code 4', async () => {
  const { code, out, errors } = await run({ 'order.flowtest.yaml': passing }, '--coverage', '--min-nodes', '50');
  expect(out).toContain('order.yaml  1/6 16 %');
  expect(out).toContain('order.yaml:30  node done');
  expect(out).toContain('edge details -> wholesale (edge 1)');
  expect(errors).toBe('order.yaml: 16 % of the nodes are covered; the minimum is 50 %.\n');
  expect(code).toBe(4);
});

test('reports are written: JUnit, HTML without a script, lcov, JSON lines and annotations', async () => {
  const folder = orderFolder({ 'order.flowtest.yaml': failing.replace('it greets', 'it <greets> & "quotes"') });
  const args = ['test', '--junit', 'out/junit.xml', '--html', 'out/report.html', '--lcov', 'out/lcov.info', '--github'];
  const { out } = await roomflowHere(args, '', folder);
  expect(out).toContain(
    '::error file=order.flowtest.yaml,line=4,title=it <greets> & "quotes"::another node%0Aexpected pay',
  );
  const read = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8');
  expect(read('junit.xml')).toContain('name="it &lt;greets&gt; &amp; &quot;quotes&quot;"');
  expect(read('junit.xml')).toContain('<failure message="another node">');
  expect(read('lcov.info')).toContain('SF:order.yaml\n');
  const page = read('report.html');
  expect(page).toContain('it &lt;greets&gt; &amp; &quot;quotes&quot;');
  expect(page).toContain('<svg class="flow"');
  expect(page).not.toMatch(/<script|\son\w+=|\sstyle=|https?:\/\//);
  expect(page).toContain("default-src 'none'; style-src 'sha256-");
  const lines = (await roomflowHere(['test', '--json'], '', folder)).out.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual(['scenario', 'coverage', 'totals']);
});

test('init makes a flow that passes check and test at once', async () => {
  const folder = linkedFolderOf({});
  const made = await roomflowHere(['init', 'table-booking'], '', folder);
  expect(made.out).toContain('made table-booking/flow.flowtest.yaml\n');
  expect(made.out).toContain('npx roomflow dev table-booking/flow.yaml');
  expect(made.out).not.toContain('npm install');
  expect((await roomflowHere(['init', 'lonely'], '', folderOf({}))).out).toContain(
    'is not installed here. Run: npm install roomflow',
  );
  const compiler = join(projectFolder, 'node_modules/typescript/bin/tsc');
  expect(spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stdout: '',
  });
  expect(await roomflowHere(['check', '--strict'], '', folder)).toMatchObject({ code: 0, errors: '' });
  const tested = await roomflowHere(['test', '--coverage'], '', folder);
  expect(tested).toMatchObject({ code: 0, errors: '' });
  expect(tested.out).toContain('5 scenarios: 5 passed');
  expect(tested.out).toMatch(/5\/5 100 % +6\/6 100 %/);
  expect(await roomflowHere(['init', 'table-booking'], '', folder)).toMatchObject({ code: 2 });
  expect((await roomflowHere(['init', 'Table'], '', folder)).errors).toContain('is not a valid flow name');
  const second = await roomflowHere(['init', 'second'], '', folder);
  expect(second.out).toContain(`tools: [ …, ...secondTools],`);
  expect(second.out).toContain('For imports of ./x.ts add: "allowImportingTsExtensions": true');
});

test('an init that cannot write all of its files leaves none, so that it can be tried again', async () => {
  const folder = folderOf({ schemas: 'a file' });
  expect((await roomflowHere(['init', 'table-booking'], '', folder)).errors).toMatch(/^file-unwritable: schemas/);
  expect(readdirSync(folder)).toEqual(['schemas']);
  const linked = folderOf({});
  symlinkSync('missing/tsconfig.json', join(linked, 'tsconfig.json'));
  expect((await roomflowHere(['init', 'table-booking'], '', linked)).errors).toMatch(/^file-unwritable: tsconfig/);
  expect(readdirSync(linked)).toEqual(['tsconfig.json']);
});

test('the schema of tests names every key of a turn in snake_case', async () => {
  const { out } = await roomflowHere(['schema', '--test']);
  const { $defs } = JSON.parse(out) as { $defs: { Turn: { properties: object } } };
  expect(Object.keys($defs.Turn.properties)).toContain('call_back');
});
