import { setMaxListeners } from 'node:events';
import type { Authority } from '../people/authority.ts';
import { createAuditBook } from '../people/audit.ts';
import type { CampaignParts } from '../people/campaigns/keep-campaigns.ts';
import type { LinkSigner } from '../people/links.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids } from '../ports/time.ts';
import { createHttpApp } from './app.ts';
import { listen } from './listen.ts';
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
  /** The name of the business on pages for people; the host of `publicUrl` where absent. */
  readonly business?: string | undefined;
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

/** Serves the app of `createHttpApp`. Throws `port-taken`, `port-refused` or `serve-failed` where it cannot listen. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const {
    store,
    clock,
    host = defaultHost,
    port = defaultHttpPort,
    publicUrl,
    business,
    hosts = [],
    ...rest
  } = options;
  // Loaded only here, for it takes a tenth of a second.
  const { createHttpMetrics } = await import('./metrics.ts');
  const stopping = new AbortController();
  // Each decision that waits for its wait listens.
  setMaxListeners(0, stopping.signal);
  const parts = {
    ...rest,
    ...{ store, clock, hosts: [host, ...hosts], stopping: stopping.signal },
    audit: createAuditBook({ store, clock }),
    metrics: createHttpMetrics(store, clock),
    parking: createParking(),
    publicUrl: publicUrl ?? null,
    business: business ?? (publicUrl === undefined ? '' : new URL(publicUrl).hostname),
  };
  const app = createHttpApp(parts);
  const settings = { host: 'http.host', port: 'http.port' };
  const listening = await listen(app.fetch, { host, port, clock, settings });
  return {
    url: listening.url,
    stop(patienceMs) {
      stopping.abort();
      return listening.stop(patienceMs);
    },
  };
}
