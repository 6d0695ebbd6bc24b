import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FlowError } from '../errors.ts';
import type { Authority } from '../people/authority.ts';
import { createAuditBook } from '../people/audit.ts';
import type { CampaignParts } from '../people/campaigns/keep-campaigns.ts';
import type { LinkSigner } from '../people/links.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids } from '../ports/time.ts';
import { timeLimit } from '../turn/engine/time-limit.ts';
import { createHttpApp } from './app.ts';
import type { HttpLog } from './parts.ts';
import { createParking } from './parking.ts';

/** What a server is made of. */
export interface HttpServerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly authority: Authority;
  readonly plans: CampaignParts;
  readonly links: LinkSigner | null;
  readonly logger: HttpLog;
  /** The loopback interface unless told. */
  readonly host?: string | undefined;
  /** 8090 unless told; 0 takes a free one. */
  readonly port?: number | undefined;
  /** Where people reach it, such as `https://desk.example`; its own address where absent. */
  readonly publicUrl?: string | undefined;
  readonly hosts?: readonly string[] | undefined;
}

/** A server that answers. */
export interface HttpServer {
  /** `http://host:port`. */
  readonly url: string;
  /** Takes no more requests, answers those under way within the time, and stops. */
  stop(patienceMs?: number): Promise<void>;
}

const defaultHttpPort = 8090;
const defaultHost = '127.0.0.1';
/** How long a request may take to arrive whole, in milliseconds. */
const arrivalMs = 30_000;
const stopMs = 5_000;
const mostConnections = 1_000;

/** Serves the app of `createHttpApp`. Throws `port-taken`, `port-refused` or `serve-failed` where it cannot listen. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { store, clock, host = defaultHost, port = defaultHttpPort, publicUrl, hosts = [], ...rest } = options;
  // Loaded only here, for it takes a tenth of a second.
  const { createHttpMetrics } = await import('./metrics.ts');
  const stopping = new AbortController();
  const parts = {
    ...rest,
    ...{ store, clock, hosts: [host, ...hosts], stopping: stopping.signal },
    audit: createAuditBook({ store, clock }),
    metrics: createHttpMetrics(store, clock),
    parking: createParking(),
    publicUrl: publicUrl ?? null,
  };
  const app = createHttpApp(parts);
  // Of HTTP/1.1, as no other kind is asked for.
  const server = createAdaptorServer({ fetch: app.fetch, hostname: host, overrideGlobalObjects: false }) as Server;
  server.requestTimeout = arrivalMs;
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(host, port, cause)));
    server.listen(port, host, () => resolve());
  });
  const { port: taken } = server.address() as AddressInfo; // It listens at a port.
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    async stop(patienceMs = stopMs) {
      stopping.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      if ((await timeLimit(closed, clock, patienceMs)) === 'late') server.closeAllConnections();
    },
  };
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): FlowError {
  const options = { cause };
  if (cause.code === 'EADDRINUSE')
    return new FlowError(
      'port-taken',
      `port ${port} on ${host} is taken. Set http.port to a free one, or to 0.`,
      options,
    );
  if (cause.code === 'EACCES')
    return new FlowError(
      'port-refused',
      `this process may not listen at port ${port}. Set http.port above 1023.`,
      options,
    );
  return new FlowError('serve-failed', `cannot listen on ${host}:${port}. Set http.host and http.port.`, options);
}
