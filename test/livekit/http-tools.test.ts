import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { isPublicAddress } from '../../src/livekit/tools/http/public-address.ts';
import { checkFlow } from '../../src/runner/check-flow.ts';
import type { RunnerOptions } from '../../src/runner/options/runner-options.ts';
import { desk, outputs, replies, tool } from './desk-functions.ts';
import { live } from './live.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let received: Received[] = [];
let port = 0;
/** The answer of the service: status, content type and text. */
let answer: readonly [number, string, string] = [200, 'application/json', '{}'];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => (body += part.toString()));
  request.on('end', () => {
    received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const [status, type, text] = answer;
    if (status === 0) return;
    response.writeHead(status, { 'content-type': type, location: `http://127.0.0.1:${port}/elsewhere` }).end(text);
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  process.env['SHOP_KEY'] = 'secret-1';
});
afterAll(() => {
  delete process.env['SHOP_KEY'];
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received = [];
  answer = [200, 'application/json', '{"price":4,"unit":"EUR"}'];
});

type Tools = NonNullable<ConversationFlow['tools']>;

const parameters = {
  type: 'object',
  properties: { item: { type: 'string' }, n: { type: 'integer' } },
  required: ['item'],
};
const price = (http: Partial<Tools[string]['http']> = {}, more: Partial<Tools[string]> = {}): Tools => ({
  price: {
    description: 'Finds a price.',
    parameters,
    http: { url: `http://127.0.0.1:${port}/items/{{ args.item }}`, ...http },
    ...more,
  },
});
const shop = (tools: Tools, timeoutMs?: number): ConversationFlow =>
  desk([{ name: 'price', saveAs: 'found', transitionTo: 'tea', ...(timeoutMs === undefined ? {} : { timeoutMs }) }], {
    tools,
  });

/** The model calls the function once. Returns the text that it reads, and the state. */
async function called(
  flow: ConversationFlow,
  given: Record<string, string | number> = { item: 'tea' },
  options: Partial<RunnerOptions> = {},
) {
  const hosts = { [`http://127.0.0.1:${port}`]: { private: true, secrets: ['SHOP_KEY'] } };
  const { runner, model, path } = await live(
    flow,
    replies({ calls: [{ name: 'price', arguments: given }] }, { text: 'Well.' }),
    { httpTools: hosts, ...options },
  );
  await runner.send('go on');
  await runner.stop();
  const [read = ''] = outputs(model.requests.at(-1)?.items);
  return { read, found: runner.state.knowledge.variables['found'], hasMoved: path.includes('tea') };
}

test('a tool of a document sends a request, and its answer is the result of the function', async () => {
  const headers = { authorization: 'Bearer {{ env.SHOP_KEY }}' };
  const flow = {
    ...shop(price({ headers, query: { n: '{{ args.n }}', unit: '{{ unit }}' } })),
    state: { unit: 'EUR' },
  };
  const { found } = await called(flow, { item: 'green tea/x?', n: 2 });
  expect(found).toEqual({ price: 4, unit: 'EUR' });
  expect(received).toMatchObject([
    { method: 'GET', url: '/items/green%20tea%2Fx%3F?n=2&unit=EUR', headers: { authorization: 'Bearer secret-1' } },
  ]);
  expect(received[0]?.headers['idempotency-key']).toBeUndefined();
});

test('a header and a member of a list are filled in, and a missing argument leaves its header out', async () => {
  const headers = { 'x-item': '{{ args.item }}', 'x-n': '{{ args.n }}' };
  const flow = { ...shop(price({ headers, query: { first: '{{ items.0.id }}' } })), state: { items: [{ id: 'a7' }] } };
  await called(flow);
  expect(received).toMatchObject([{ url: '/items/tea?first=a7', headers: { 'x-item': 'tea' } }]);
  expect(received[0]?.headers).not.toHaveProperty('x-n');
});

test('a write sends a JSON body of arguments with its idempotency key', async () => {
  const body = { order: { item: '{{ args.item }}', n: '{{ args.n }}', note: 'for {{ args.item }}' } };
  const flow = shop(
    price({ method: 'POST', url: `http://127.0.0.1:${port}/orders`, body: { ...body.order, more: 1 } }),
  );
  await called(flow, { item: 'tea', n: 2 });
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ item: 'tea', n: 2, note: 'for tea', more: 1 });
  expect(received[0]?.headers['idempotency-key']).toMatch(/./);
});

test.each<[string, readonly [number, string, string], string]>([
  ['an error', [503, 'application/json', '{"secret":1}'], 'output: price The service answered with status 503.'],
  ['a redirect', [302, 'text/plain', ''], 'status 302, a redirect, which is not followed'],
  ['a page', [200, 'text/html', '<p>4</p>'], 'did not answer with JSON'],
  ['a text that is not JSON', [200, 'application/json', '{'], 'did not answer with JSON'],
  ['an answer of another shape', [200, 'application/json', '{"price":"4"}'], 'does not fit the result'],
  ['an answer without end', [200, 'application/json', `"${'x'.repeat(1_000_001)}"`], 'larger than'],
])('%s is a failed call', async (_what, told, read) => {
  answer = told;
  const result = { type: 'object', properties: { price: { type: 'number' } } };
  const outcome = await called(shop(price({ result })));
  expect(outcome.read).toContain(read);
  expect(outcome).toMatchObject({ found: undefined, hasMoved: false });
  expect(received).toHaveLength(1);
});

test('a slow service fails in the time limit of the function', async () => {
  answer = [0, '', ''];
  expect((await called(shop(price(), 100))).read).toContain('took longer than 100 ms');
});

test('an argument does not change the path, and an empty one is asked for', async () => {
  expect((await called(shop(price()), { item: '..' })).read).toContain('The request needs item');
  expect((await called(shop(price()), { item: '' })).read).toContain('The request needs item');
  expect(received).toEqual([]);
});

test.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '[::ffff:127.0.0.1]'])(
  'a private address is refused unless the configuration allows it: %s',
  async (host) => {
    const url = `http://${host}:${port}/items/{{ args.item }}`;
    const origin = new URL(url).origin;
    const outcome = await called(shop(price({ url })), { item: 'tea' }, { httpTools: { [origin]: {} } });
    expect(outcome.read).toContain('The address of the service is private');
    expect(received).toEqual([]);
  },
);

it.each(['10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.0.1', '192.168.1.1', '224.0.0.1', '255.255.255.255'])(
  '%s is not public',
  (address) => {
    expect(isPublicAddress(address)).toBe(false);
    expect(isPublicAddress(`::ffff:${address}`)).toBe(false);
    expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false);
  },
);

it.each([
  ['1.1.1.1', true],
  ['2606:4700:4700::1111', true],
  ['::1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['2002:7f00:1::', false],
  ['2001:db8::1', false],
  ['name', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

test('a registered function replaces the tool, as in a flow test', async () => {
  const own = tool('price', () => ({ price: 5 }));
  const { found } = await called(shop(price()), { item: 'tea' }, { tools: [own], httpTools: {} });
  expect(found).toEqual({ price: 5 });
  expect(received).toEqual([]);
});

describe('check', () => {
  const hosts = { 'https://api.shop.example': { secrets: ['SHOP_KEY'] } };
  const faultsOf = (http: Tools[string]['http']) =>
    checkFlow(shop({ price: { parameters, http } }), { hosts }).diagnostics.flatMap(({ code, message }) =>
      /request|host|regist/.test(code) ? [`${code}: ${message}`] : [],
    );

  test('accepts a request to an allowed host, in either spelling', () => {
    const headers = { authorization: '{{ env.SHOP_KEY }}' };
    expect(faultsOf({ url: 'https://api.shop.example/items/{{ args.item }}', headers })).toEqual([]);
    expect(faultsOf({ url: 'https://API.shop.example:443/items', query: { item: '{{args.item}}' } })).toEqual([]);
  });

  test.each<[Tools[string]['http'], string]>([
    [{ url: 'https://shop.example/x' }, 'host-not-allowed: requests to https://shop.example are not allowed.'],
    [{ url: 'http://api.shop.example/x' }, 'host-not-allowed: requests to http://api.shop.example are not allowed.'],
    [{ url: 'https://{{ args.item }}/x' }, 'invalid-request: the address has no host that is written out.'],
    [
      { url: 'https://api.shop.example@evil.example/' },
      'invalid-request: the address has no host that is written out.',
    ],
    [{ url: 'file:///etc/passwd' }, 'invalid-request: the address has no host that is written out.'],
    [
      { url: 'https://api.shop.example/{{ args.itm }}' },
      'invalid-request: {{ args.itm }} names no parameter of the tool.',
    ],
    [
      { url: 'https://api.shop.example/', body: ['{{ name }}'] },
      'invalid-request: {{ name }} is not a value of the flow.',
    ],
    [{ url: 'https://api.shop.example/', body: ['{{ a | b }}'] }, 'invalid-request: {{ a | b }} is not a placeholder.'],
    [
      { url: 'https://api.shop.example/', headers: { a: '{{ env.DB_PASSWORD }}' } },
      'invalid-request: DB_PASSWORD may not be sent to this host.',
    ],
  ])('reports %j', (http, told) => {
    expect(faultsOf(http)).toEqual([told]);
  });

  test('a runner does not start with a host that is not allowed', async () => {
    await expect(called(shop(price()), {}, { httpTools: {} })).rejects.toThrow('are not allowed');
  });
});
