import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkFlow } from '../../../src/runner/check-flow.ts';
import type { ConnectedServers } from '../../../src/livekit/tools/mcp/connect-servers.ts';
import type { ServerNote } from '../../../src/livekit/tools/mcp/server-connection.ts';
import { declarationsOf, type FunctionTool } from '../../../src/livekit/tools/function-tool.ts';
import { outputs, replies } from '../desk-functions.ts';
import { live } from '../live.ts';
import { connectCrm, crmDesk } from './crm-flow.ts';

const crm = { command: execPath, args: [join(import.meta.dirname, 'crm-server.mjs')], env: ['CRM_TOKEN'] };
const env = { CRM_TOKEN: 'secret-1', OTHER_TOKEN: 'secret-2' };

let servers: ConnectedServers;
const notes: ServerNote[] = [];
let isBack = (): void => undefined;
beforeAll(async () => {
  const note = (one: ServerNote): void => {
    notes.push(one);
    if (one.event === 'mcp:back') isBack();
  };
  servers = await connectCrm(crm, { env, note });
});
afterAll(() => servers.close());

/** The last output of a function that the model reads, after it has called these one after another. */
async function outputsOf(
  names: readonly (readonly [string, Record<string, string>])[],
  writes: string[] = [],
  afterTurn: () => Promise<void> = () => Promise.resolve(),
) {
  const called = names.map(([name, given]) => ({ calls: [{ name: `crm__${name}`, arguments: given }] }));
  const { runner, model } = await live(
    crmDesk([...new Set(names.map(([name]) => name))], writes),
    replies(...called.flatMap((reply) => [reply, { text: 'Well.' }])),
    { tools: servers.tools() },
  );
  for (const [index] of names.entries()) {
    await runner.send(`turn ${index}`);
    await afterTurn();
  }
  await runner.stop();
  return { read: outputs(model.requests.at(-1)?.items), state: runner.state, model };
}

test('a flow calls tools of an MCP server as functions with their declarations', async () => {
  const { read, state, model } = await outputsOf([['find_patient', { name: 'Ann' }]]);
  expect(model.requests[0]?.tools).toEqual(['crm__find_patient']);
  expect(read).toEqual(['output: crm__find_patient {"id":"p-ann"}']);
  expect(state.knowledge.variables['found']).toEqual({ id: 'p-ann' });
});

test('arguments that do not fit the declared schema do not reach the server', async () => {
  const { read } = await outputsOf([['find_patient', {}]]);
  expect(read[0]).toContain('The arguments do not fit');
});

test('a write carries its idempotency key, and a read none', async () => {
  const [write, read] = [
    await outputsOf([['book', { day: 'Friday' }]], ['book']),
    await outputsOf([['book', { day: 'Friday' }]]),
  ];
  expect(write.state.knowledge.variables['found']).toEqual({
    day: 'Friday',
    key: expect.stringMatching(/./) as string,
  });
  expect(read.state.knowledge.variables['found']).toEqual({ day: 'Friday', key: null });
});

test.each([
  ['a result that does not fit its declared schema', 'price', { item: 'tea' }, 'does not fit its declared schema'],
  ['an error result', 'fail', {}, 'The tool reports: no patient of this name'],
])('%s is a failed call', async (_what, name, given, told) => {
  const { read, state } = await outputsOf([[name, given]]);
  expect(read[0]).toContain(told);
  expect(state.knowledge.variables['found']).toBeUndefined();
});

test('a long result is cut', async () => {
  const { read } = await outputsOf([['long', {}]]);
  expect(read[0]?.length).toBeLessThan(70_000);
  expect(read[0]).toContain('was cut');
});

test('the server has the named environment variables and no others', async () => {
  const { read } = await outputsOf([['token', {}]]);
  expect(read).toEqual(['output: crm__token secret-1 none']);
});

test('a slow tool fails in its time limit, and the server stops its work', async () => {
  const flow = crmDesk(['slow']);
  const nodes = flow.nodes as Record<string, { functions: object[] }>;
  Object.assign(nodes['desk']?.functions[0] ?? {}, { timeoutMs: 100 });
  const { runner, model } = await live(flow, replies({ calls: [{ name: 'crm__slow' }] }, { text: 'Well.' }), {
    tools: servers.tools(),
  });
  await runner.send('go on');
  expect(outputs(model.requests.at(-1)?.items)[0]).toContain('took longer than 100 ms');
});

test('a server that dies in a call fails the call, and serves the next one', async () => {
  const back = new Promise<void>((resolve) => (isBack = resolve));
  const { read } = await outputsOf(
    [
      ['die', {}],
      ['find_patient', { name: 'Bo' }],
    ],
    [],
    () => back,
  );
  expect(read[0]).toContain('not known whether the call was made');
  expect(read[1]).toBe('output: crm__find_patient {"id":"p-bo"}');
  expect(notes.map(({ event }) => event)).toEqual(['mcp:lost', 'mcp:back']);
});

test('a changed declaration holds for later conversations only', async () => {
  let isChanged = (): void => undefined;
  const changed = new Promise<void>((resolve) => (isChanged = resolve));
  const own = await connectCrm(crm, { env, onTools: () => isChanged() });
  const functionNow = (tool: string) => own.tools().find(({ name }) => name === `crm.${tool}`);
  const called = (tool: FunctionTool | undefined) =>
    tool?.execute({ item: 'tea' } as never, { toolCallId: 'c' } as never);
  const [first, other] = [functionNow('price'), functionNow('find_patient')];
  await called(functionNow('change'));
  await changed;
  const later = functionNow('price');
  expect(functionNow('find_patient')).toBe(other);
  await expect(called(first)).rejects.toThrow('does not fit its declared schema');
  await expect(called(later)).resolves.toEqual({ price: 'a lot' });
  await own.close();
});

test('a tool that the server does not have is an error with a place, unless the server was not asked', () => {
  const flow = crmDesk(['find_patent']);
  const tools = servers.tools();
  const known = checkFlow(flow, { functions: new Set(tools.map(({ name }) => name)), declared: declarationsOf(tools) });
  expect(known.diagnostics[0]).toMatchObject({
    code: 'unknown-function',
    severity: 'error',
    message: 'the MCP server "crm" has no tool "find_patent".',
    hint: 'Did you mean "crm.find_patient"?',
  });
  const unasked = checkFlow(flow, { functions: new Set(), servers: new Set(['crm']) });
  expect(unasked.diagnostics.map(({ severity }) => severity)).not.toContain('error');
  const none = checkFlow(flow, { functions: new Set(), servers: new Set() });
  expect(none.diagnostics[0]?.message).toBe('there is no MCP server "crm" with a tool "find_patent".');
});

test('an invalid declaration is left out, and a tool without a read-only hint counts as a write', () => {
  const names = servers.tools().map(({ name }) => name);
  expect(names).toContain('crm.fail');
  expect(names).not.toContain('crm.broken');
  const declared = declarationsOf(servers.tools());
  expect(declared.get('crm.book')?.writes).toBe(true);
  expect(declared.get('crm.find_patient')?.writes).toBeUndefined();
});

test('a prompt is not offered the tools of a server', async () => {
  const { runner, model } = await live(null, replies({ text: 'Well.' }), { prompt: 'Help.', tools: servers.tools() });
  await runner.send('hello');
  expect(model.requests.at(-1)?.tools).toEqual([]);
});

test('a missing variable and a missing program are named at the start', async () => {
  await expect(connectCrm(crm)).rejects.toThrow('config-invalid: mcp.crm.env: the environment variable CRM_TOKEN');
  await expect(connectCrm({ command: './no-such-program' })).rejects.toThrow(
    'mcp-unreachable: mcp.crm: the program "./no-such-program" does not answer',
  );
});
