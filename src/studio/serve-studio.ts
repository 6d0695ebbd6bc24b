import { assertFree, listen } from '../http/listen.ts';
import { createStudioApp, type StudioParts } from './app.ts';
import { keptToken } from './token.ts';
import { FlowError } from '../model/errors.ts';
import type { StudioAccess } from './access.ts';

/** Options of a studio server. */
export interface ServeStudioOptions extends Omit<StudioParts, 'access' | 'stopping' | 'hosts' | 'publicUrl'> {
  readonly access: Omit<StudioAccess, 'token' | 'cookie'>;
  /** Default: the loopback interface. */
  readonly host: string | undefined;
  /** Default: 7651, or a free port if that is taken. 0 selects a free port. */
  readonly port: number | undefined;
  readonly hosts: readonly string[];
  readonly publicUrl: string | null;
  /** The folder of the tokens. */
  readonly tokenFolder: string;
}

/** A running studio server. */
export interface ServedStudio {
  /** `http://127.0.0.1:7651` */
  readonly url: string;
  /** The URL with the token, for the browser. */
  readonly address: string;
  stop(): Promise<void>;
}

const usualPort = 7651;
const defaultHost = '127.0.0.1';

const settings = { host: '--host', port: '--port' };

/** Checks whether a port is free before anything is loaded. Throws as `serveStudio`. */
export async function assertPort(port: number | undefined, host = defaultHost): Promise<void> {
  if (port !== undefined) await assertFree(host, port, settings);
}

/** Serves a studio. Throws `port-taken`, `port-refused` or `serve-failed`. */
export async function serveStudio(options: ServeStudioOptions): Promise<ServedStudio> {
  const { host = defaultHost, port, tokenFolder, access, ...parts } = options;
  const stopping = new AbortController();
  // Created when the port is known, because token and cookie depend on it.
  let app: ReturnType<typeof createStudioApp> | null = null;
  const fetch = (request: Request): Response | Promise<Response> =>
    app === null ? new Response('starting', { status: 503 }) : app.fetch(request);
  const open = (at: number) => listen(fetch, { host, port: at, clock: parts.clock, settings });
  const listening = await open(port ?? usualPort).catch(async (error: unknown) => {
    const isTaken = error instanceof FlowError && error.code === 'port-taken';
    if (port !== undefined || !isTaken) throw error;
    return await open(0);
  });
  const { url } = listening;
  const taken = Number(new URL(url).port);
  const token = keptToken(taken, tokenFolder);
  app = createStudioApp({
    ...parts,
    access: { ...access, token, cookie: `roomflow-studio-${taken}` },
    hosts: [host, ...options.hosts],
    stopping: stopping.signal,
  });
  return {
    url,
    address: `${url}/?token=${token}`,
    async stop() {
      stopping.abort();
      await listening.stop(1_000);
    },
  };
}
