import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { FlowError } from '../model/errors.ts';
import type { Clock } from '../model/ports/time.ts';
import { timeLimit } from '../engine/time-limit.ts';

/** The address of a server, and the settings that change it. */
export interface ListenOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly clock: Clock;
  /** The settings to name in errors, such as `http.port`. */
  readonly settings: { readonly host: string; readonly port: string };
}

/** A server that takes requests. */
export interface Listening {
  /** `http://host:port`. */
  readonly url: string;
  readonly server: Server;
  /** Stops: refuses new requests and finishes running ones within the time. */
  stop(patienceMs?: number): Promise<void>;
}

/** How long a request may take to arrive completely, in milliseconds. */
const arrivalMs = 30_000;
const headersMs = 10_000;
const stopMs = 5_000;
const mostConnections = 1_000;
/** Maximum number of connections without a complete request. Beyond it the oldest is closed. */
const mostHalf = 500;

/** Serves an app over HTTP/1.1. Throws `port-taken`, `port-refused` or `serve-failed` if it cannot listen. */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port, clock, settings }: ListenOptions,
): Promise<Listening> {
  // The default is an HTTP/1.1 server.
  const server = createAdaptorServer({
    ...{ fetch, hostname: host, overrideGlobalObjects: false },
    serverOptions: { requestTimeout: arrivalMs, headersTimeout: headersMs, connectionsCheckingInterval: 1_000 },
  }) as Server;
  server.maxConnections = mostConnections;
  dropHalfRequests(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(host, port, cause, settings)));
    server.listen(port, host, () => resolve());
  });
  const { port: taken } = server.address() as AddressInfo; // It listens on a port.
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    server,
    async stop(patienceMs = stopMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      if ((await timeLimit(closed, clock, patienceMs)) === 'late') server.closeAllConnections();
    },
  };
}

/** Closes the oldest connection without a complete request, so that new ones can always connect. */
function dropHalfRequests(server: Server): void {
  const half = new Set<Socket>();
  server.on('connection', (socket) => {
    half.add(socket);
    socket.once('close', () => half.delete(socket));
    const [oldest] = half;
    if (half.size > mostHalf) oldest?.destroy();
  });
  server.on('request', ({ socket, headers }, response) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody) half.delete(socket);
    response.once('finish', () => void (socket.destroyed || half.add(socket)));
  });
}

/** Checks early whether the server can listen there. Throws like `listen`. */
export async function assertFree(host: string, port: number, settings: ListenOptions['settings']): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(host, port, cause, settings)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function cannotListen(
  host: string,
  port: number,
  cause: NodeJS.ErrnoException,
  settings: ListenOptions['settings'],
): FlowError {
  const options = { cause };
  if (cause.code === 'EADDRINUSE')
    return new FlowError(
      'port-taken',
      `port ${port} on ${host} is taken. Set ${settings.port} to a free one, or to 0.`,
      options,
    );
  if (cause.code === 'EACCES')
    return new FlowError(
      'port-refused',
      `this process may not listen at port ${port}. Set ${settings.port} above 1023.`,
      options,
    );
  return new FlowError(
    'serve-failed',
    `cannot listen on ${host}:${port}. Set ${settings.host} and ${settings.port}.`,
    options,
  );
}
