import { setMaxListeners } from 'node:events';
import type { Authority } from '../people/authority.ts';
import { createAuditBook } from '../people/audit.ts';
import type { CampaignParts } from '../people/campaigns/keep-campaigns.ts';
import type { LinkSigner } from '../people/links.ts';
import type { Store } from '../model/ports/store.ts';
import type { Clock, Ids } from '../model/ports/time.ts';
import { createHttpApp } from './app.ts';
import { listen } from './listen.ts';
import type { HttpLog } from './parts.ts';
import { createParking } from './parking.ts';

/** The options of a server. */
export interface HttpServerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly authority: Authority;
  readonly plans: CampaignParts;
  readonly links: LinkSigner | null;
  readonly logger: HttpLog;
  /** A token that may only read the metrics. Default: none. */
  readonly metricsToken?: string | null;
  /** Default: the loopback interface. */
  readonly host?: string | undefined;
  /** Default: 8090; 0 chooses a free port. */
  readonly port?: number | undefined;
  /** The public address, such as `https://desk.example`. Default: the server's address. */
  readonly publicUrl?: string | undefined;
  /** The business name on pages for people. Default: the host of `publicUrl`. */
  readonly business?: string | undefined;
  readonly hosts?: readonly string[] | undefined;
}

/** A running server. */
export interface HttpServer {
  /** `http://host:port`. */
  readonly url: string;
  /** Stops: refuses new requests and finishes running ones within the time. */
  stop(patienceMs?: number): Promise<void>;
}

const defaultHttpPort = 8090;
const defaultHost = '127.0.0.1';

/** Serves the app of `createHttpApp`. Throws `port-taken`, `port-refused` or `serve-failed` if it cannot listen. */
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
  // Loaded on demand, because it takes a tenth of a second.
  const { createHttpMetrics } = await import('./metrics.ts');
  const stopping = new AbortController();
  // Each parked decision adds a listener.
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
