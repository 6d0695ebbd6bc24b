import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../src/flow/document/problems/diagnostic.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { openNodePacks } from '../../src/flow/load/node-packs.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { type Content, temporaryFolder } from './temporary-folder.ts';

const zod = `import { z } from ${JSON.stringify(import.meta.resolve('zod'))};\n`;

/** Returns the source of a valid node type; `more` overrides its members. */
function typeText(name: string, more = ''): string {
  return `{ name: '${name}', description: 'Looks up.', input: z.strictObject({ key: z.string() }), output: z.strictObject({ count: z.number() }), evaluate: () => ({ ok: true, output: { count: 1 } }), ${more} }`;
}

function packText(...types: readonly string[]): string {
  return `${zod}export default [${types.join(', ')}];`;
}

const sound = packText(typeText('acme.lookup'));

async function open(names: readonly string[], files: Readonly<Record<string, Content>> = {}) {
  return await openNodePacks(
    names,
    join(temporaryFolder({ 'project/agent.config.ts': '', ...files }), 'project/agent.config.ts'),
    builtinCatalog,
  );
}

describe('the packs that a configuration allows', () => {
  test('are files inside its folder and packages, which it knows by the names it gives them', async () => {
    const { packs, faults } = await open(['./packs/stock.mjs', '@acme/nodes', 'plain-nodes/more'], {
      'project/packs/stock.mjs': packText(typeText('stock.count'), typeText('stock.order')),
      'project/node_modules/@acme/nodes/package.json': '{ "name": "@acme/nodes", "main": "index.mjs" }',
      'project/node_modules/@acme/nodes/index.mjs': sound,
      'project/node_modules/plain-nodes/more/index.mjs': packText(typeText('plain.more')),
    });
    expect(faults).toEqual([]);
    expect([...packs].map(([name, pack]) => [name, pack.map((type) => type.name)])).toEqual([
      ['./packs/stock.mjs', ['stock.count', 'stock.order']],
      ['@acme/nodes', ['acme.lookup']],
      ['plain-nodes/more', ['plain.more']],
    ]);
  });

  test.each<[what: string, name: string, fault: string]>([
    [
      'a folder above',
      '../pack.mjs',
      'is neither a file inside the configuration’s folder, such as ./pack.ts, nor a package.',
    ],
    [
      'a way that climbs out from within',
      './packs/../../pack.mjs',
      'is not inside the configuration’s folder: its path leads out of it.',
    ],
    ['a way that climbs out of a package', 'acme/../../pack.mjs', 'nor a package.'],
    ['a link that leads out', './link.mjs', 'is not inside the configuration’s folder: a link leads out of it.'],
    ['a path from the root', '/pack.mjs', 'nor a package.'],
    ['an address', 'file:///pack.mjs', 'nor a package.'],
    ['a module made of text', 'data:text/javascript,export default []', 'nor a package.'],
    ['a module of Node', 'node:fs', 'nor a package.'],
    ['backslashes', String.raw`.\pack.mjs`, 'nor a package.'],
    ['nothing', '', 'nor a package.'],
    ['a property of every object', '__proto__', 'nor a package.'],
    ['a package that is not there', 'constructor', 'is not installed here. Run: npm install'],
    ['a file that is not there', './pakc.mjs', 'there is no file "./pakc.mjs". Did you mean "pack.mjs"?'],
    ['a file that is broken', './broken.mjs', 'cannot be loaded: Out of stock.'],
    [
      'a file without a default export',
      './none.mjs',
      'exports no node types. Write: export default [defineNodeType({ … })].',
    ],
    ['an empty pack', './empty.mjs', 'exports no node types.'],
  ])('refuses %s', async (_, name, fault) => {
    const { faults } = await open([name], {
      'pack.mjs': sound,
      'project/link.mjs': { link: '../pack.mjs' },
      'project/pack.mjs': sound,
      'project/broken.mjs': "throw new Error('Out of stock.\\nmore');",
      'project/none.mjs': 'export const pack = [];',
      'project/empty.mjs': 'export default [];',
    });
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults[0]).toContain(`nodePacks.0: ${name.startsWith('./pakc') ? 'there' : `"${name}"`}`);
  });

  test.each<[what: string, type: string, told: string]>([
    [
      'that cannot be read',
      "{ ...x, get input() { throw new Error('Closed.'); } }",
      'node type 1 cannot be read: Closed.',
    ],
    ['that is none', '7', 'node type 1: must be an object, but it is a number.'],
    ['without a name', '{ ...x, name: undefined }', 'node type 1: name: is missing: it must be text.'],
    [
      'whose name has no family',
      "{ ...x, name: 'lookup' }",
      'node type "lookup": name: must be of the form "acme.lookup".',
    ],
    [
      'that does not say what it does',
      "{ ...x, description: ' ' }",
      'node type "acme.x": description: must say what the node does.',
    ],
    [
      'whose input is no schema',
      "{ ...x, input: { key: 'string' } }",
      'node type "acme.x": input: must be a zod schema.',
    ],
    [
      'whose input is a text',
      '{ ...x, input: z.string() }',
      'node type "acme.x": input: must be a zod schema of an object, which is what a document gives.',
    ],
    [
      'without an output',
      '{ ...x, output: undefined }',
      'node type "acme.x": output: is missing: it must be a zod schema.',
    ],
    ['that does nothing', '{ ...x, evaluate: undefined }', 'node type "acme.x": needs either evaluate or run.'],
    ['that is both pure and not', '{ ...x, run() {} }', 'node type "acme.x": needs either evaluate or run.'],
    [
      'with a key that means nothing',
      '{ ...x, capabilites: {} }',
      'node type "acme.x": there is no "capabilites". Did you mean "capabilities"?',
    ],
    [
      'with a capability that means nothing',
      '{ ...x, capabilities: { isAgnt: true } }',
      'node type "acme.x": capabilities: there is no "isAgnt". Did you mean "isAgent"?',
    ],
    [
      'whose schema has the id of a part of the format',
      "{ ...x, input: z.object({ a: z.object({}).meta({ id: 'TaskEdge' }) }) }",
      'the schema id "TaskEdge" is taken. Rename it.',
    ],
    [
      'whose schemas share an id',
      "{ ...x, input: z.object({}).meta({ id: 'A' }), output: z.object({}).meta({ id: 'A' }) }",
      'its schemas make no JSON Schema: Duplicate schema id "A" detected during JSON Schema conversion. Two different schemas cannot share the same id when converted together.',
    ],
    [
      'called like a built-in one',
      "{ ...x, name: 'control.if' }",
      'node type "control.if" is defined by the built-in types already. Rename one of them.',
    ],
    [
      'called like another one',
      "x, { ...x, description: 'Again.' }",
      'node type "acme.x" is defined by "./pack.mjs" already. Rename one of them.',
    ],
  ])('refuses a node type %s', async (_, type, told) => {
    const { faults } = await open(['./pack.mjs'], {
      'project/pack.mjs': `${zod}const x = ${typeText('acme.x')};\nexport default [${type}];`,
    });
    expect(faults).toEqual([`nodePacks.0: "./pack.mjs": ${told}`]);
  });

  test('and that are wrong are told all at once', async () => {
    const { faults } = await open(['./a.mjs', '../b.mjs', './a.mjs', './c.mjs'], {
      'project/a.mjs': sound,
      'project/c.mjs': packText(typeText('acme.lookup', "description: ''"), typeText('other', 'output: 1')),
    });
    expect(faults).toEqual([
      expect.stringContaining('nodePacks.1: "../b.mjs"'),
      'nodePacks.2: "./a.mjs" is named twice. Remove one.',
      'nodePacks.3: "./c.mjs": node type "acme.lookup": description: must say what the node does.',
      'nodePacks.3: "./c.mjs": node type "other": name: must be of the form "acme.lookup".',
      'nodePacks.3: "./c.mjs": node type "other": output: must be a zod schema.',
    ]);
  });
});

describe('a node type of a pack that throws where it is only to be asked', () => {
  const throws = '() => { throw new Error("odd"); }';
  test.each([
    ['its schema', `input: z.object({ key: z.string().refine(${throws}) })`, ['invalid-node-input']],
    ['its schema takes time', 'input: z.object({ key: z.string().refine(async () => true) })', ['invalid-node-input']],
    ['its methods', `reads: ${throws}, waitsFor: ${throws}`, []],
    ['its body', `bodyNames: ${throws}`, ['missing-body']],
  ])('keeps no document from being checked: %s', async (_, more, codes) => {
    const { packs, faults } = await open(['./pack.mjs'], {
      'project/pack.mjs': packText(typeText('acme.odd', more)),
    });
    expect(faults).toEqual([]);
    const text = 'flow: { node_packs: [./pack.mjs] }\nnodes:\n  a: { type: acme.odd, input: { key: x } }\n';
    const { diagnostics } = checkFlow(text, { catalog: createCatalog(builtinCatalog.values(), packs) });
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });
});

describe('a document that names packs', () => {
  const conversation = (packs: string): string =>
    `node_packs: ${packs}\ninitial_node: a\nnodes:\n  a: { type: acme.lookup, input: { key: x }, default_transition: b }\n  b: { say: "{{ a.count }}", end: x }\n`;
  const tasks = (packs: string): string =>
    `flow: { node_packs: ${packs} }\nnodes:\n  a: { type: acme.lookup, input: { key: x } }\n`;

  async function told(text: string, names = ['./pack.mjs']): Promise<readonly string[]> {
    const { packs, faults } = await open(names, { 'project/pack.mjs': sound });
    expect(faults).toEqual([]);
    const { diagnostics } = checkFlow(text, { catalog: createCatalog(builtinCatalog.values(), packs) });
    return diagnostics.map((one) => formatDiagnostic(one).replace(/^<text>:/, ''));
  }

  test.each([conversation, tasks])('may use their types', async (document) => {
    expect(await told(document('["./pack.mjs"]'))).toEqual([]);
  });

  test.each([conversation, tasks])('uses no type of a pack that it does not name', async (document) => {
    expect(await told(document('[]'))).toEqual([
      expect.stringContaining(
        'unknown-node-type: no node type is called "acme.lookup". It is of the node pack "./pack.mjs": name that under node_packs.',
      ),
    ]);
  });

  test.each<[what: string, name: string, remedy: string]>([
    ['that is nearly allowed', './pakc.mjs', 'Did you mean "./pack.mjs"?'],
    ['that lies elsewhere', '../elsewhere/evil.mjs', 'Add it to nodePacks of agent.config.ts.'],
    ['by another way to the same file', './x/../pack.mjs', 'Did you mean "./pack.mjs"?'],
    ['called like a property of every object', 'constructor', 'Add it to nodePacks of agent.config.ts.'],
    ['called like a prototype', '__proto__', 'Add it to nodePacks of agent.config.ts.'],
  ])('is refused one %s, and nothing else is blamed on that', async (_, name, remedy) => {
    const fact = `unknown-node-pack: node pack "${name}" is not allowed, so it is not loaded. ${remedy}`;
    expect(await told(conversation(`["${name}"]`))).toEqual([`1:14 ${fact}`]);
    expect(await told(tasks(`["${name}"]`))).toEqual([`1:22 ${fact}`]);
  });

  test('is still told of a type that is nearly a known one', async () => {
    const text = 'flow: { node_packs: [nope] }\nnodes:\n  a: { type: control.nop }\n  b: { type: nope.thing }\n';
    expect(await told(text)).toEqual([
      expect.stringContaining('unknown-node-pack'),
      '3:14 unknown-node-type: no node type is called "control.nop". Did you mean "control.noop"?',
    ]);
  });

  test('is told what stands for the agent of one provider', async () => {
    expect(await told('flow: {}\nnodes:\n  a: { type: claude.agent, prompt: Hi. }\n')).toEqual([
      '3:14 unknown-node-type: no node type is called "claude.agent". Agents are agent.run, over any model: give it prompt and input, and name the model by config.model. claude.agent is of the package @roomflow/claude.',
    ]);
  });

  test('is told of a type that is near none by the types of its family, and how many there are besides', async () => {
    const text = 'flow: {}\nnodes:\n  a: { type: agent.translate_letters, prompt: Hi. }\n  b: { type: email }\n';
    const [family, all] = await told(text);
    expect(family).toContain('no node type is called "agent.translate_letters". Known: agent.');
    expect(family).not.toMatch(/control|more\./);
    expect(all).toMatch(/Known: agent\.[^ ]+(, [a-z]+\.[a-z_]+){11} and \d+ more\.$/);
  });
});
