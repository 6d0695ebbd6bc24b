import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkProject, projectFolder, putFiles, roomflowHere } from './run-cli.ts';

const flow = `name: shop
initial_node: ask
role_messages: [{ role: system, content: You take orders. }]
slots: { name: { type: name, ask: "Who is calling?", pii: true }, flowers: { type: enum, ask: "Roses or tulips?", values: [roses, tulips] } }
nodes:
  ask: { collect: [name, flowers], default_transition: order }
  order:
    call: order_flowers
    functions:
      - { name: order_flowers, description: Order., effect: write, confirm: "Shall I order {{ flowers }}?", on_refuse: ask, transition_to: done }
  done: { say: "Ordered.", end: ordered }
`;
const tests = `flow: flow.yaml
scenarios:
  - { name: it asks, turns: [{ expect: { said: Who is calling } }] }
  - { name: it sells lilies, turns: [{ expect: { said: lilies } }] }
`;
const config = `import { defineConfig } from 'roomflow';
import { flowTool } from 'roomflow/livekit';
import { writeFileSync } from 'node:fs';
console.log('the configuration prints');
export default defineConfig({
  flows: { shop: 'flow.yaml' },
  tools: [flowTool({ name: 'order_flowers', description: 'Order.', execute: () => { writeFileSync('ordered', ''); return {}; } })],
});
`;

const folder = mkdtempSync(join(tmpdir(), 'roomflow-mcp-'));
const outside = mkdtempSync(join(tmpdir(), 'roomflow-outside-'));
let client: Client;

beforeAll(async () => {
  linkProject(folder);
  putFiles(folder, {
    'flow.yaml': flow,
    'broken.yaml': flow.replace('default_transition: order', 'default_transition: ordr'),
    'shop.flowtest.yaml': tests,
    'agent.config.ts': config,
  });
  putFiles(outside, { 'secret.yaml': flow });
  symlinkSync(join(outside, 'secret.yaml'), join(folder, 'linked.yaml'));
  const args = [main, 'mcp', '--store', 'sqlite:./calls.db'];
  client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: execPath, args, cwd: folder, stderr: 'ignore' }));
});

afterAll(async () => {
  await client.close();
  for (const one of [folder, outside]) rmSync(one, { recursive: true });
});

const main = join(projectFolder, 'dist/cli/main.js');

async function called(name: string, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as CallToolResult;
  const [first] = content;
  return { text: first?.type === 'text' ? first.text : '', isError: isError === true };
}

test('a client finds the tools and the skill, which is short enough to read', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['check', 'test', 'simulate', 'explain', 'sessions', 'session']);
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
  const text = contents.map((one) => ('text' in one ? one.text : '')).join('');
  expect(text).toBe(readFileSync(join(projectFolder, 'skills/roomflow/SKILL.md'), 'utf8'));
  expect(text.split(/\s+/).length).toBeLessThan(2_000);
});

test('check reports a problem with its line and remedy, and a corrected file is right', async () => {
  const broken = await called('check', { files: ['broken.yaml'] });
  expect(broken.text).toMatch(/broken\.yaml:6:\d+ unknown-target/);
  expect(broken.text).toContain('Did you mean');
  expect((await called('explain', { code: 'unknown-target' })).text).toContain('is a diagnostic of a file');
  putFiles(folder, { 'broken.yaml': flow });
  expect((await called('check', { files: ['broken.yaml'] })).text).toContain('broken.yaml: ok');
});

test('test shows the conversation of a failed scenario', async () => {
  const { text, isError } = await called('test', {});
  expect(isError).toBe(false);
  expect(text).toContain('FAILED it sells lilies');
  expect(text).toContain('agent   Who is calling?');
});

test('simulate shows words, values and nodes, and runs no code of the project', async () => {
  const { text } = await called('simulate', { flow: 'flow.yaml', say: ['Ada Park', 'tulips', 'yes'] });
  expect(text).toContain('agent  Shall I order tulips?');
  expect(text).toContain('ended: ordered');
  expect(() => readFileSync(join(folder, 'ordered'))).toThrow();
});

test('a stored conversation is read with its personal values masked', async () => {
  await roomflowHere(
    ['chat', '--pretend', '--session', 'call-1', '--store', 'sqlite:./calls.db'],
    'Ada Park\ntulips\n',
    folder,
  );
  expect((await called('sessions', {})).text).toContain('call-1');
  const { text } = await called('session', { id: 'call-1' });
  expect(text).toContain('tulips');
  expect(text).not.toContain('Ada');
});

test.each([
  ['check', { files: ['../x.yaml'] }, 'is not in the project'],
  ['check', { files: [join(outside, 'secret.yaml')] }, 'is not in the project'],
  ['check', { files: ['linked.yaml'] }, 'is not in the project'],
  ['check', { files: ['gone.yaml'] }, 'Correct the path'],
  ['check', { files: 'flow.yaml' }, 'arguments of check'],
  ['check', { files: ['--config=x.ts'] }, 'Correct the path'],
  ['simulate', { flow: 'flow.yaml', say: ['/quit'] }, 'begins with "/"'],
  ['session', { id: '--store=x' }, 'arguments of session'],
  ['explain', { code: 'unknown-targt' }, 'Did you mean unknown-target'],
  ['delete', {}, 'there is no tool'],
])('%s %j is refused with a remedy', async (name, args, told) => {
  const { text, isError } = await called(name, args);
  expect(isError).toBe(true);
  expect(text).toContain(told);
});
