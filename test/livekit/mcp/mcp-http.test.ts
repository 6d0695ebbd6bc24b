import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { ServersOptions } from '../../../src/livekit/tools/mcp/connect-servers.ts';
import { outputs, replies } from '../desk-functions.ts';
import { live } from '../live.ts';
import { until } from '../until.ts';
import { connectCrm, crmDesk } from './crm-flow.ts';
import { createCrm } from './crm-server.mjs';

const leave: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of leave.splice(0).toReversed()) await end();
});

interface Crm {
  readonly port: number;
  /** Ends it as a crash does: every connection breaks, and all sessions are forgotten. */
  kill(): Promise<void>;
  readonly requests: { readonly method: string; readonly authorization: string | undefined }[];
}

/** Serves the CRM over streamable HTTP with sessions. */
async function serveCrm(port = 0, on: Parameters<typeof createCrm>[0] = {}): Promise<Crm> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: Crm['requests'] = [];
  const http: Server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', authorization: request.headers.authorization });
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined) return void known.handleRequest(request, response);
    if (id !== undefined) return void response.writeHead(404).end();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    void createCrm(on)
      .connect(transport as Transport)
      .then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  const kill = async (): Promise<void> => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  leave.push(kill);
  return { port: (http.address() as AddressInfo).port, kill, requests };
}

async function connectTo({ port }: Crm, options: Partial<ServersOptions> = {}) {
  const settings = {
    url: `http://127.0.0.1:${port}/mcp`,
    headers: { authorization: 'Bearer {{ env.CRM_TOKEN }}' },
  };
  const servers = await connectCrm(settings, { env: { CRM_TOKEN: 'secret' }, ...options });
  leave.push(() => servers.close());
  return servers;
}

const given = { find_patient: { name: 'Ann' } } as Readonly<Record<string, Record<string, string>>>;

/** A conversation in which the model calls these tools, one a turn. `meanwhile` happens before a turn. */
async function conversation(servers: Awaited<ReturnType<typeof connectTo>>, names: readonly string[]) {
  const script = names.flatMap((name) => [
    { calls: [{ name: `crm__${name}`, arguments: given[name] ?? {} }] },
    { text: 'Well.' },
  ]);
  const { runner, model } = await live(crmDesk([...new Set(names)]), replies(...script), { tools: servers.tools() });
  return {
    say: () => runner.send('go on'),
    read: () => outputs(model.requests.at(-1)?.items),
  };
}

test('a conversation survives the restart of its server, with headers from the environment', async () => {
  const crm = await serveCrm();
  let isBack = (): void => undefined;
  const back = new Promise<void>((resolve) => (isBack = resolve));
  const servers = await connectTo(crm, { note: ({ event }) => event === 'mcp:back' && isBack() });
  const { say, read } = await conversation(servers, ['find_patient', 'find_patient', 'find_patient']);
  await say();
  expect(read()).toEqual(['output: crm__find_patient {"id":"p-ann"}']);
  await crm.kill();
  await say();
  expect(read()[1]).toMatch(/cannot be reached|connection .* was lost/);
  const again = await serveCrm(crm.port);
  await back;
  await say();
  expect(read()[2]).toBe('output: crm__find_patient {"id":"p-ann"}');
  expect(new Set([...crm.requests, ...again.requests].map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer secret']),
  );
});

test('a call that its server takes along fails at once', async () => {
  const crm = await serveCrm();
  const { say, read } = await conversation(await connectTo(crm), ['slow']);
  const said = say();
  await until(() => crm.requests.filter(({ method }) => method === 'POST').length >= 4, 'the call');
  const begun = performance.now();
  await crm.kill();
  await said;
  expect(read()[0]).toContain('not known whether the call was made');
  expect(performance.now() - begun).toBeLessThan(8_000);
});

test('a cancelled call stops the work of its server, a changed list is read again, and the end closes the session', async () => {
  let isAborted = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (isAborted = resolve));
  const crm = await serveCrm(0, { aborted: () => isAborted() });
  let isChanged = (): void => undefined;
  const changed = new Promise<void>((resolve) => (isChanged = resolve));
  const servers = await connectTo(crm, { onTools: () => isChanged() });
  const call = (tool: string, signal: AbortSignal) =>
    servers
      .tools()
      .find(({ name }) => name === `crm.${tool}`)
      ?.execute({} as never, { toolCallId: 'c', abortSignal: signal } as never);
  await call('change', new AbortController().signal);
  await changed;
  const mind = new AbortController();
  const slow = call('slow', mind.signal);
  await until(() => crm.requests.filter(({ method }) => method === 'POST').length >= 5, 'the call');
  mind.abort();
  await expect(slow).rejects.toThrow();
  await aborted;
  await servers.close();
  expect(crm.requests.at(-1)?.method).toBe('DELETE');
});
