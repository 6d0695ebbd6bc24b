import type { ElkGraph, ElkPlaces } from '../../../picture/layout.ts';

/**
 * Lays graphs out by ELK, which runs in a worker from its own file, as its package has it (elkjs, EPL-2.0): nothing of it is
 * part of this page.
 */
export interface Elk {
  /** Rejects where ELK cannot lay the graph out, or could not be loaded. */
  layout(graph: ElkGraph): Promise<ElkPlaces>;
}

interface Answer {
  readonly id: number;
  readonly data?: ElkPlaces;
  readonly error?: { readonly message?: string };
}

/** Starts the worker. `url` is where the server has `elk-worker.min.js`. */
export function startElk(url: string): Elk {
  const worker = new Worker(trusted(url));
  const waiting = new Map<number, { resolve: (places: ElkPlaces) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  const ask = (message: object): Promise<ElkPlaces> => {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ ...message, id });
    });
  };
  worker.addEventListener('message', ({ data: answer }: MessageEvent<Answer>) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) asked?.resolve(answer.data ?? {});
    else asked?.reject(new Error(answer.error.message ?? 'The graph could not be laid out.'));
  });
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The layout of graphs could not be loaded.'));
    waiting.clear();
  });
  const registered = ask({ cmd: 'register', algorithms: ['layered'] });
  return {
    async layout(graph) {
      await registered;
      return await ask({ cmd: 'layout', graph, layoutOptions: {}, options: {} });
    },
  };
}

/** The policy of the page lets only named makers say where code comes from; this is the one place that does. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return url;
  policy ??= trustedTypes.createPolicy('roomflow', { createScriptURL: (given) => given });
  // A trusted address is taken where a plain one is.
  return policy.createScriptURL(url) as string;
}

/** Made once: a name may be given to one policy only. */
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** What browsers that guard such addresses have, as the standard types do not know it yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}
