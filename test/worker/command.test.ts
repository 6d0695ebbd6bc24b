import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { folderOf, roomflow, roomflowHere } from '../cli/run-cli.ts';

const secret = 'a-secret-that-nobody-may-see-0123456789';
const nobody = { LIVEKIT_URL: 'ws://127.0.0.1:1', LIVEKIT_API_KEY: 'key', LIVEKIT_API_SECRET: secret };
const noKeys = { OPENAI_API_KEY: '', DEEPGRAM_API_KEY: '' };
const flow = 'name: one\ninitial_node: a\nnodes: { a: { say: Hello., end: true } }\n';

/** Runs `roomflow worker` with a fault that prevents its start; in this process if the fault is found before anything starts. */
async function work(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = nobody,
  command = roomflow,
) {
  const run = await command(['worker', ...args], '', folderOf(files), { ...noKeys, ...variables });
  expect(run.out + run.errors).not.toContain(secret);
  expect(run.errors).not.toMatch(/^ +at /m);
  return run;
}

it('without a flow it says how to give one', async () => {
  const { code, errors } = await work({}, [], nobody, roomflowHere);
  expect({ code, errors }).toEqual({
    code: 2,
    errors: 'flow-missing: there is no flow. Give --flow FILE, or --config FILE with flows or a prompt.\n',
  });
});

it('a flow that does not compile is shown with its place, before anything else is tried', async () => {
  const files = { 'bad.yaml': flow.replace('initial_node: a', 'initial_node: b') };
  const { code, out } = await work(files, ['--flow', 'bad.yaml'], nobody, roomflowHere);
  expect(code).toBe(2);
  expect(out).toMatch(/^bad\.yaml:2:15 unknown-initial-node: /);
});

it('a configuration that is wrong is told by the place', async () => {
  const config = "export default { flows: { one: 'one.yaml' }, worker: { maxJobs: 0, idleProcesses: 0, speed: 2 } };";
  const files = { 'one.yaml': flow, 'a.config.mjs': config };
  const { code, errors } = await work(files, ['--config', 'a.config.mjs'], nobody, roomflowHere);
  expect(code).toBe(2);
  expect(errors).toMatch(
    /^config-invalid: a\.config\.mjs\n {2}worker\.maxJobs: .*\n {2}worker\.idleProcesses: .*\n {2}worker: .*"speed"/,
  );
});

it('an initial flow that is not among flows is told before a call', async () => {
  const config = "export default { flows: { one: 'one.yaml' }, initialFlow: 'two' };";
  const files = { 'one.yaml': flow, 'a.config.mjs': config };
  const { code, errors } = await work(files, ['--config', 'a.config.mjs'], nobody, roomflowHere);
  expect(code).toBe(2);
  expect(errors).toMatch(
    /^config-invalid: a\.config\.mjs\n {2}initialFlow: flow "two" is not among flows \(one\)\. Add it/,
  );
});

it('a missing key is told by the name of its variable, once flows, task flows and node packs are sound', async () => {
  const files = {
    'one.yaml': flow,
    'tasks.yaml': 'flow: { node_packs: [./pack.mjs] }\nnodes: { a: { type: shop.open } }\n',
    'pack.mjs': `import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
      const [input, output] = [z.object({}), z.object({})];
      export default [{ name: 'shop.open', description: 'Opens.', input, output, run: async () => ({}) }];`,
    'a.config.mjs': `export default {
      flows: { one: 'one.yaml', tasks: 'tasks.yaml' }, nodePacks: ['./pack.mjs'], models: { tts: 'deepgram' },
    };`,
  };
  const { code, errors } = await work(files, ['--config', 'a.config.mjs']);
  expect(code).toBe(1);
  expect(errors).toMatch(/^key-missing: .*DEEPGRAM_API_KEY/);
});

it('a server without an address is told by the variables to set', async () => {
  const { code, errors } = await work({ 'one.yaml': flow }, ['--flow', 'one.yaml'], {
    ...nobody,
    LIVEKIT_URL: '',
    LIVEKIT_API_KEY: '',
  });
  expect(code).toBe(1);
  expect(errors).toBe(
    'server-unset: set LIVEKIT_URL, LIVEKIT_API_KEY in the environment, as your LiveKit server has it.\n',
  );
});

it('an address that is none is told with one that is', async () => {
  const { code, errors } = await work({ 'one.yaml': flow }, ['--flow', 'one.yaml'], { ...nobody, LIVEKIT_URL: 'here' });
  expect(code).toBe(1);
  expect(errors).toBe('server-unset: LIVEKIT_URL is not an address. Write it like ws://127.0.0.1:7880.\n');
});

it('a server that does not answer is tried as often as is configured, and named', async () => {
  const config = "export default { flows: { one: 'one.yaml' }, worker: { connectAttempts: 2 } };";
  const { code, errors } = await work({ 'one.yaml': flow, 'a.config.mjs': config }, ['--config', 'a.config.mjs']);
  expect(code).toBe(1);
  const line = 'no LiveKit server answers at ws://127.0.0.1:1. Start it, or set LIVEKIT_URL to its address.';
  expect(errors).toBe(`${line} (attempt 1 of 2)\nserver-unreachable: ${line}\n`);
});

it('a server that refuses the keys is not tried again', async () => {
  const url = await refusingServer();
  for (const command of ['worker', 'doctor']) {
    const { code, out, errors } = await roomflow(
      command === 'worker' ? ['worker', '--flow', 'one.yaml'] : ['doctor'],
      '',
      folderOf({ 'one.yaml': flow }),
      { ...noKeys, ...nobody, LIVEKIT_URL: url },
    );
    expect(code).toBe(1);
    expect(out + errors).toContain(
      `server-refused: ${url} rejects these keys. Set LIVEKIT_API_KEY and LIVEKIT_API_SECRET to those of the server.`,
    );
    expect(out + errors).not.toContain(secret);
  }
});

it('supervise looks after no calls that are kept in memory, and says where they are to be kept', async () => {
  const { code, errors } = await roomflow(['supervise'], '', folderOf({}), { ...nobody, ROOMFLOW_STORE: 'memory' });
  expect(code).toBe(1);
  expect(errors).toBe(
    'store-invalid: calls are stored in memory, which other processes cannot read. Set store or ROOMFLOW_STORE to the store of the workers.\n',
  );
});

/** A server that answers every request like LiveKit answers a wrong secret. */
async function refusingServer(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{"code":"unauthenticated","msg":"invalid token"}');
  });
  onTestFinished(() => void server.close());
  const port = await new Promise<number>(
    (resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)), // Listens on TCP.
  );
  return `ws://127.0.0.1:${port}`;
}
