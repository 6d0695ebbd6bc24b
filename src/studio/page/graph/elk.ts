import type { ElkGraph, ElkPlaces } from '../../../flow/picture/layout.ts';

/**
 * Lays graphs out with ELK in a worker. The worker file comes unchanged from the package (elkjs, EPL-2.0) and is not
 * part of this page.
 */
export interface Elk {
  /** Rejects if ELK cannot lay out the graph or could not be loaded. */
  layout(graph: ElkGraph): Promise<ElkPlaces>;
}

interface Answer {
  readonly id: number;
  readonly data?: ElkPlaces;
  readonly error?: { readonly message?: string };
}

/** Starts the worker. `url` is the address of `elk-worker.min.js`. */
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

/** The policy of the page allows script addresses only from a named policy, which is defined here. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return url;
  policy ??= trustedTypes.createPolicy('roomflow', { createScriptURL: (given) => given });
  // A trusted address is accepted like a string.
  return policy.createScriptURL(url) as string;
}

/** Created once, because a policy name may be used only once. */
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** The Trusted Types API, which the standard types do not contain yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}
