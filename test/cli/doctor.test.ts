import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { whyNoSqlite } from '../durable/sqlite-here.ts';
import { folderOf, roomflowHere } from './run-cli.ts';

const noServer = { LIVEKIT_URL: '', LIVEKIT_API_KEY: '', LIVEKIT_API_SECRET: '' };
const secret = 'a-secret-that-nobody-may-see-0123456789';

/** Returns the doctor's line about one thing, on a machine without keys. */
async function lineOf(name: string, config: string, keys: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = folderOf({ 'agent.config.mjs': `export default ${config};` });
  const { out } = await roomflowHere(['doctor', '--config', 'agent.config.mjs'], '', folder, { ...noServer, ...keys });
  return out.split('\n').find((line) => line.includes(name)) ?? out;
}

it('each thing that a worker needs has a line, and what is missing the name of what mends it', async () => {
  const { code, out, errors } = await roomflowHere(['doctor'], '', undefined, noServer);
  expect({ code, errors }).toEqual({ code: 1, errors: '' });
  expect(out).toMatch(/^ok +Node +20\.|^ok +Node +2\d\./m);
  expect(out).toMatch(/^ok +@livekit\/agents +1\.9\./m);
  expect(out).toMatch(/^ok +configuration$/m);
  expect(out).toMatch(/^ok +models$/m);
  expect(out).toMatch(/^fail +LiveKit server +server-unset: set LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET /m);
  expect(out).toMatch(/^warn +OPENAI_API_KEY +is not set/m);
});

it('a server that does not answer is named by its address, and no secret is shown', async () => {
  const line = await lineOf('LiveKit server', '{}', {
    LIVEKIT_URL: 'ws://127.0.0.1:1',
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: secret,
  });
  expect(line).toContain('server-unreachable: no LiveKit server answers at ws://127.0.0.1:1. Start it, or set');
  expect(line).not.toContain(secret);
});

it('a model whose key is missing fails by the name of the variable', async () => {
  expect(await lineOf('models', "{ models: { llm: 'openai' } }")).toMatch(
    /^fail +models +key-missing: .*OPENAI_API_KEY/,
  );
});

it('secrets that servers, hosts and the webhook need are named with their place if they are not set', async () => {
  const config = `{
    mcp: { crm: { url: 'https://crm.test', headers: { authorization: 'Bearer {{ env.CRM_TOKEN }}' } } },
    httpTools: { 'https://api.test': { secrets: ['SHOP_KEY', 'OTHER_KEY'] } },
    outcomes: { webhook: 'https://crm.test/done', secret: 'OUTCOME_SECRET' },
  }`;
  expect(await lineOf('secrets', config, { OTHER_KEY: secret })).toMatch(
    /^fail +secrets +not set: CRM_TOKEN \(mcp\.crm\), SHOP_KEY \(httpTools https:\/\/api\.test\), OUTCOME_SECRET \(outcomes\.secret\)\./,
  );
});

it('a flow that does not compile fails by its name', async () => {
  const line = await lineOf('configuration', "{ flows: { intake: { initialNode: 'a', nodes: {} } } }");
  expect(line).toMatch(/^fail +configuration +does not compile: intake\./);
});

it('a health port that is taken fails with what mends it', async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)); // Listens on TCP.
  });
  onTestFinished(() => void server.close());
  expect(await lineOf('health port', `{ worker: { healthPort: ${port} } }`)).toMatch(
    new RegExp(`^fail +health port +port-taken: port ${port} on 127\\.0\\.0\\.1 is taken\\. Set worker\\.healthPort`),
  );
});

it('an address that this machine has not is told apart from a port that is taken', async () => {
  expect(await lineOf('health port', "{ worker: { healthHost: '192.0.2.1' } }")).toMatch(
    /^fail +health port +health-host: this machine has no address 192\.0\.2\.1\. Set worker\.healthHost to/,
  );
});

it('probes that come from outside, the grace of a stop, and what a room may see have a line each', async () => {
  const cluster = { KUBERNETES_SERVICE_HOST: '10.0.0.1' };
  expect(await lineOf('health probes', '{}', cluster)).toMatch(
    /^warn +health probes +this is a container, .*Set worker\.healthHost to 0\.0\.0\.0\.$/,
  );
  expect(await lineOf('health probes', "{ worker: { healthHost: '0.0.0.0' } }", cluster)).toMatch(
    /^ok +health probes +answers at http:\/\/0\.0\.0\.0:8081\/, 200 while/,
  );
  expect(await lineOf('SIGTERM', '{ worker: { drainTimeoutMs: 30_000 } }')).toMatch(
    /30 s .* the grace period to 50 s$/,
  );
  expect(await lineOf('room access', '{}')).toMatch(/^ok +room access +part/);
  expect(await lineOf('room access', '{ worker: { remoteSession: true } }')).toMatch(
    /^warn +room access +worker\.remoteSession lets/,
  );
  expect(await lineOf('traces', '{}', { LIVEKIT_TELEMETRY_ALLOW_PII: '1' })).toMatch(/^warn +traces +LIVEKIT_TEL/);
});

it('a store is opened, and one that cannot be had fails without its address', async () => {
  expect(await lineOf('store', "{ store: 'memory' }")).toMatch(
    /^warn +store +calls are stored in memory .*ROOMFLOW_STORE\.$/,
  );
  expect(await lineOf('store', '{}')).toMatch(
    whyNoSqlite() === null
      ? /^ok +store +opens/
      : /^warn +store +store-driver-missing: better-sqlite3 is not installed/,
  );
  const address = 'postgres://clinic:secret@127.0.0.1:1/calls';
  const line = await lineOf('store', '{}', { ROOMFLOW_STORE: address });
  expect(line).toMatch(/^fail +store +store-/);
  expect(line).not.toContain('secret');
  expect(await lineOf('store', "{ store: 'mysql://here' }")).toMatch(/^fail +store +store-invalid: /);
});
