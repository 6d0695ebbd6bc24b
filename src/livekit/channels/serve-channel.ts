import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { FlowError } from '../../model/errors.ts';
import { assertOptions, has, optionShapes, type OptionShapes } from '../../flow/document/problems/option-faults.ts';
import type { WebSocketChannel } from './websocket.ts';

/** Address and access control of a served channel. */
export interface ServeChannelOptions {
  /** Token that each client must send, with at least 16 characters, as `Authorization: Bearer …` or `?token=…`. */
  readonly token: string;
  /**
   * Token that a client sends instead to be allowed to end the run by `abort`, or an
   * agent's run by `close_run`; at least 16 characters. Without it no client may.
   */
  readonly operatorToken?: string;
  /** Default: the loopback interface. */
  readonly host?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Origins of pages that may connect, such as `https://desk.example`. Default: none. Clients other than browsers send no origin. */
  readonly origins?: readonly string[];
  /** Maximum number of concurrent clients. Default: 32. */
  readonly mostClients?: number;
}

/** A running server for a channel. */
export interface ServedChannel {
  /** `ws://host:port`. With `?from=SEQ` a client first receives the events it has missed. */
  readonly url: string;
  /** Stops the server and ends all connections. Throws nothing. */
  close(): Promise<void>;
}

const shapes: OptionShapes<ServeChannelOptions & { readonly channel: WebSocketChannel }> = {
  channel: ['a channel, as createWebSocketChannel makes it', (value) => has(value, 'connect')],
  token: z.string(),
  operatorToken: z.string(),
  host: z.string(),
  port: z.number().int().min(0).max(65_535),
  origins: z.array(z.string()),
  mostClients: optionShapes.amount,
};

/** How long a client may take to authenticate, in milliseconds, and how many may do so at once. */
const handshakeMs = 5_000;
const mostStrangers = 64;

/**
 * Opens a WebSocket server for a channel. Throws `config-invalid` for options of a wrong type, `token-weak`, or
 * `serve-failed` if the port is not available.
 *
 * @example
 * const served = await serveChannel(createWebSocketChannel(), { port: 8080, token: 'sixteen random characters' });
 * await served.close();
 */
export async function serveChannel(channel: WebSocketChannel, options: ServeChannelOptions): Promise<ServedChannel> {
  assertOptions({ ...options, channel }, shapes, ['channel', 'token']);
  const { token, operatorToken = null, host = '127.0.0.1', port = 0, origins = [], mostClients = 32 } = options;
  if (token.length < 16 || (operatorToken !== null && operatorToken.length < 16))
    throw new FlowError('token-weak', 'the token of a channel needs at least 16 characters. Use random ones.');
  const sockets = new WebSocketServer({ noServer: true, maxPayload: channel.largestFrameBytes });
  const server = createServer(
    { headersTimeout: handshakeMs, requestTimeout: handshakeMs, connectionsCheckingInterval: 1_000 },
    (_request, response) => response.writeHead(426, { Upgrade: 'websocket', Connection: 'close' }).end(),
  );
  // Unauthenticated connections must not block others: if there are too many, the oldest is closed.
  const strangers = new Set<Socket>();
  server.on('connection', (socket) => {
    strangers.add(socket);
    socket.on('close', () => strangers.delete(socket));
    const [longest] = strangers;
    if (strangers.size > mostStrangers) longest?.destroy();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const mayEnd = operatorToken !== null && isSame(tokenOf(request), operatorToken);
    // A client that hangs up during the handshake is ignored.
    socket.on('error', () => socket.destroy());
    const mayCome = mayEnd || isSame(tokenOf(request), token);
    const status = refusal(request, mayCome, origins, sockets.clients.size >= mostClients);
    if (status !== null) {
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    strangers.delete(request.socket);
    const from = Number(queryOf(request).get('from') ?? Number.NaN);
    sockets.handleUpgrade(request, socket, head, (client) => {
      channel.connect(client, { mayEnd, ...(Number.isSafeInteger(from) && from >= 0 ? { fromSeq: from } : {}) });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', (cause) =>
      reject(new FlowError('serve-failed', `cannot listen at ${host}:${port}. Use another port.`, { cause })),
    );
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo; // A server that listens on a port has an address.
  return {
    url: `ws://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns why a client is refused; null if it is accepted. */
function refusal(
  { headers: { origin } }: IncomingMessage,
  mayCome: boolean,
  origins: readonly string[],
  isFull: boolean,
): string | null {
  if (origin !== undefined && !origins.includes(origin)) return '403 Forbidden';
  if (!mayCome) return '401 Unauthorized';
  return isFull ? '503 Service Unavailable' : null;
}

function tokenOf(request: IncomingMessage): string {
  const { authorization = '' } = request.headers;
  return authorization.startsWith('Bearer ') ? authorization.slice(7) : (queryOf(request).get('token') ?? '');
}

function queryOf({ url = '/' }: IncomingMessage): URLSearchParams {
  return new URLSearchParams(url.split('?', 2)[1] ?? '');
}

/** Compares in constant time, including the length. */
function isSame(given: string, wanted: string): boolean {
  const digest = (value: string): Buffer => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
