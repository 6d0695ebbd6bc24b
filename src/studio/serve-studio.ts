import { assertFree, listen } from '../http/listen.ts';
import { createStudioApp, type StudioParts } from './app.ts';
import { keptToken } from './token.ts';
import { FlowError } from '../errors.ts';
import type { StudioAccess } from './access.ts';

/** What a studio is served with. */
export interface ServeStudioOptions extends Omit<StudioParts, 'access' | 'stopping' | 'hosts' | 'publicUrl'> {
  readonly access: Omit<StudioAccess, 'token' | 'cookie'>;
  /** The loopback interface unless told. */
  readonly host: string | undefined;
  /** 7651 unless told, and a free one where that is taken; 0 takes a free one. */
  readonly port: number | undefined;
  readonly hosts: readonly string[];
  readonly publicUrl: string | null;
  /** Where tokens are kept. */
  readonly tokenFolder: string;
}

/** A studio that answers. */
export interface ServedStudio {
  /** `http://127.0.0.1:7651` */
  readonly url: string;
  /** The same with the token: what is opened in a browser. */
  readonly address: string;
  stop(): Promise<void>;
}

const usualPort = 7651;
const defaultHost = '127.0.0.1';

const settings = { host: '--host', port: '--port' };

/** Tells a port that is taken before anything is loaded for it. Throws as `serveStudio`. */
export async function assertPort(port: number | undefined, host = defaultHost): Promise<void> {
  if (port !== undefined) await assertFree(host, port, settings);
}

/** Serves a studio. Throws `port-taken`, `port-refused` or `serve-failed` where it cannot listen. */
export async function serveStudio(options: ServeStudioOptions): Promise<ServedStudio> {
  const { host = defaultHost, port, tokenFolder, access, ...parts } = options;
  const stopping = new AbortController();
  // The app is made once the port is known, after which token and cookie are named.
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
