import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A provider's fault instead of an answer. */
export type Fault =
  | { readonly fault: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly fault: 'garbage' }
  /** The connection breaks in the middle of the answer. */
  | { readonly fault: 'cut' }
  | { readonly fault: 'stall'; readonly ms: number };

export interface Recorded {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface LocalServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Every HTTP request, in order. */
  readonly requests: readonly Recorded[];
  close(): Promise<void>;
}

/** A server on loopback and a free port, which records each request before it answers. */
export async function localServer(
  answer: (request: Recorded, response: ServerResponse) => void,
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<LocalServer> {
  const requests: Recorded[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
      const recorded = { path: pathname, query: searchParams, headers: request.headers, body: Buffer.concat(parts) };
      requests.push(recorded);
      answer(recorded, response);
    });
  });
  if (upgrade !== undefined) server.on('upgrade', upgrade);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers an HTTP request with a fault that needs no special body. Returns false if the answer must be cut instead. */
export function answerFault(fault: Fault, response: ServerResponse): boolean {
  switch (fault.fault) {
    case 'status': {
      const retry = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      response.writeHead(fault.status, { 'content-type': 'application/json', ...retry });
      response.end('{"error":{"message":"Refused: sk-secret","type":"error"}}');
      return true;
    }
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>\u0000 no such thing');
      return true;
    case 'stall': {
      const timer = setTimeout(() => response.destroy(), fault.ms);
      response.on('close', () => clearTimeout(timer));
      return true;
    }
    case 'cut':
      return false;
  }
}

/** Seconds of a tone: 16 bit, mono. */
export function tone(seconds: number, sampleRate: number): Buffer {
  const samples = Int16Array.from({ length: seconds * sampleRate }, (_, index) => 7_000 * Math.sin(index * 0.1));
  return Buffer.from(samples.buffer);
}
