import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClaudeAgent } from '../../packages/claude/src/claude-agent.ts';
import { type ClaudeQuery, installedQuery } from '../../packages/claude/src/sdk.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import type { NodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { createFlowRun } from '../../src/runner/create-flow-run.ts';

interface Fake {
  readonly url: string;
  readonly requests: readonly { readonly model: string; readonly system?: unknown; readonly messages: unknown[] }[];
  readonly close: () => Promise<void>;
}
const { fakeMessages, wireQuery } = (await import(
  new URL('../../packages/claude/test/fake-messages.mjs', import.meta.url).href
)) as { fakeMessages: (lines: readonly string[]) => Promise<Fake>; wireQuery: ClaudeQuery };

const before = { ...process.env };
const sdk = await installedQuery().catch(() => null);
const lines = ['Bicycles, sold and repaired.', 'Bicycles and repairs.', 'We never tire of tyres.'];

let folder: string;
let fake: Fake;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'roomflow-claude-'));
  fake = await fakeMessages(lines);
  Object.assign(process.env, {
    ANTHROPIC_BASE_URL: fake.url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  });
});
afterEach(async () => {
  for (const name of Object.keys(process.env)) if (!(name in before)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, before);
  await fake.close();
  rmSync(folder, { recursive: true, force: true });
});

const lesson = (name: string): string =>
  fileURLToPath(new URL(`../../packages/claude/lessons/${name}/flow.yaml`, import.meta.url));

/** Runs a flow over a `query`, with its events. */
function runOf(query: ClaudeQuery, flow: string, input: Readonly<Record<string, string>> = {}) {
  const options = { model: 'claude-test', settingSources: [], cwd: folder };
  // The package is built on the published types, which are those of this source.
  const type = createClaudeAgent({ query, options }) as unknown as NodeType;
  const catalog = createCatalog(builtinCatalog.values(), new Map([['@roomflow/claude', [type]]]));
  const run = createFlowRun(flow, { catalog, input });
  const texts: string[] = [];
  run.subscribe('agent:text', (event) => {
    if (event.type === 'agent:text') texts.push(event.data.delta);
  });
  return { run, texts };
}

/** A flow of one node with this config. */
function flowWith(config: string): string {
  const file = join(folder, 'flow.yaml');
  const node = `{ type: claude.agent, input: { input: "A line." }, config: { ${config} } }`;
  writeFileSync(file, `flow: { name: one, node_packs: ["@roomflow/claude"] }\nnodes:\n  write: ${node}\n`);
  return file;
}

/** The SDK's licence is not permissive, so it is not a dependency. Its tests run if it is installed. */
const queries: [string, ClaudeQuery][] = [['over the wire', wireQuery]];
if (sdk !== null) queries.push(['over the installed SDK', sdk]);

describe.each(queries)('claude.agent %s', (_name, asks) => {
  test('lesson 06: the prompt file is the system prompt, and the text streams as events', async () => {
    const { run, texts } = runOf(asks, lesson('06-prompt-file'), { mail: 'My tyre is flat.' });
    const { outputs } = await run.run();
    expect(outputs).toEqual({ look: { result: lines[0] }, file: { text: `Filed under ${lines[0]}.` } });
    expect(texts.join('')).toBe(lines[0]);
    expect(texts.length).toBeGreaterThan(1);
    const [asked] = fake.requests;
    expect(asked?.model).toBe('claude-test');
    expect(JSON.stringify(asked?.system)).toContain('You sort the mail of a bicycle workshop.');
    expect(JSON.stringify(asked?.messages)).toContain('My tyre is flat.');
  }, 60_000);

  test('lesson 09: `sendToRun` says something to it, until it has taken all its turns', async () => {
    const { run, texts } = runOf(asks, lesson('09-several-turns'));
    run.subscribe('agent:start', ({ runId = '' }) => {
      for (const wish of ['Shorter.', 'Funnier.']) run.sendToRun(runId, wish);
    });
    const { outputs } = await run.run();
    expect(outputs).toEqual({ write: { result: lines[2] } });
    expect(texts.join('')).toBe(lines.join(''));
    expect(JSON.stringify(fake.requests[2]?.messages)).toMatch(/Bicycles and repairs[^]*Funnier/);
  }, 60_000);

  test('`config` reaches the SDK, and it ends by silence', async () => {
    const { run } = runOf(asks, flowWith('max_turns: 3, turn_timeout_ms: 50, model: claude-other, tools: []'));
    expect((await run.run()).outputs).toEqual({ write: { result: lines[0] } });
    expect(fake.requests.map(({ model }) => model)).toEqual(['claude-other']);
  }, 60_000);

  test('a run that is aborted ends', async () => {
    const { run } = runOf(asks, flowWith('max_turns: 3, turn_timeout_ms: 60000, tools: []'));
    run.subscribe('agent:text', () => run.abort());
    expect((await run.run()).status).toBe('aborted');
  }, 60_000);
});

test('a flow cannot set what chooses programs or ends permissions', () => {
  for (const key of ['env: { A: b }', 'pathToClaudeCodeExecutable: /bin/sh', 'allowDangerouslySkipPermissions: true'])
    expect(() => runOf(wireQuery, flowWith(key))).toThrow(/cannot set/);
});

if (sdk === null)
  test('without the SDK the failure names the package to install', async () => {
    await expect(installedQuery()).rejects.toMatchObject({
      code: 'model-missing',
      message: expect.stringContaining('npm install @anthropic-ai/claude-agent-sdk') as string,
    });
  });
