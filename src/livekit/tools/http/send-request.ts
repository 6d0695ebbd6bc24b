import { lookup as lookUp, type LookupAddress, type LookupOptions } from 'node:dns';
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { toolError } from '../tool-error.ts';
import { isPublicAddress } from './public-address.ts';

/** A request whose placeholders are filled in. */
export interface FilledRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const mostBytes = 1_000_000;
const longestMs = 120_000;

const notPublic = 'The address of the service is private, and the configuration does not allow that.';

/**
 * Sends a request without following redirects. The address is checked when the connection is made, so that DNS cannot
 * change it in between. Rejects with a ToolError if it is private, unreachable, slow or too large.
 */
export function sendRequest(
  { method, url, headers, body }: FilledRequest,
  { allowPrivate, signal }: { readonly allowPrivate: boolean; readonly signal: AbortSignal | null },
): Promise<Answer> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) return Promise.reject(toolError(notPublic));
  const options: RequestOptions = {
    ...{ method, headers, timeout: longestMs },
    ...(signal === null ? {} : { signal }),
    ...(allowPrivate ? {} : { lookup: publicLookup }),
    // A connection from a pool was checked for another request.
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const fail = (error: Error): void => reject(signal?.aborted === true ? error : failureOf(error));
    const sent = send(url, options, (response) => {
      read(response).then(resolve, fail);
    });
    sent.on('timeout', () => sent.destroy(toolError('The service did not answer in time.')));
    sent.on('error', fail);
    sent.end(body ?? undefined);
  });
}

/** Looks up a host, and refuses it if any of its addresses is private. */
function publicLookup(
  host: string,
  options: LookupOptions,
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
): void {
  lookUp(host, { ...options, all: true }, (error, found) => {
    if (error !== null) return callback(error, []);
    const [first] = found;
    if (first === undefined || found.some(({ address }) => !isPublicAddress(address)))
      return callback(toolError(notPublic), []);
    return options.all === true ? callback(null, found) : callback(null, first.address, first.family);
  });
}

async function read(response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    const chunk = part as Buffer; // No encoding is set.
    bytes += chunk.length;
    if (bytes > mostBytes) {
      response.destroy();
      throw toolError(`The answer of the service is larger than ${mostBytes} bytes.`);
    }
    parts.push(chunk);
  }
  const contentType = response.headers['content-type'] ?? '';
  return { status: response.statusCode ?? 0, contentType, text: Buffer.concat(parts).toString('utf8') };
}

/** Errors of the network may contain addresses, which a model must not read out. */
function failureOf(error: Error): Error {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return code === null ? error : toolError('The service cannot be reached.');
}
