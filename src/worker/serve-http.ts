import type { AgentConfig } from '../config/config.ts';
import type { HttpLog } from '../http/parts.ts';
import type { HttpServer } from '../http/server.ts';
import { createAuthority } from '../people/authority.ts';
import { linkSignerOf } from '../people/links.ts';
import type { Store } from '../model/ports/store.ts';
import { planParts } from '../runner/plans.ts';
import { systemClock, systemIds } from '../system.ts';

/** Starts the configured HTTP server on the caller's store. Throws what `startHttpServer` throws. */
export async function serveHttp(
  config: AgentConfig,
  store: Store,
  env: NodeJS.ProcessEnv,
  logger: HttpLog,
): Promise<HttpServer> {
  const { http = {}, resolveActor, can } = config;
  // Loaded only if it is used.
  const { startHttpServer } = await import('../http/server.ts');
  return await startHttpServer({
    ...http,
    ...{ store, logger, clock: systemClock, ids: systemIds },
    plans: planParts(config, { store, clock: systemClock, ids: systemIds }),
    authority: createAuthority({ resolveActor, can, clock: systemClock }),
    links: linkSignerOf(env, systemClock),
    metricsToken: env['ROOMFLOW_METRICS_TOKEN'] ?? null,
  });
}
