import type { Store } from '../../model/ports/store.ts';

/**
 * A store that this process has alone: whoever watches it is told by the write itself. What a database tells comes by the network in
 * real time, while virtual time goes on, and then a session would take what was posted seconds too late.
 */
export function toldAtOnce(store: Store): Store {
  const listeners = new Set<() => void>();
  const telling = async <Result>(work: Promise<Result>): Promise<Result> => {
    const result = await work;
    for (const listener of listeners) listener();
    return result;
  };
  const alsoTold = (listener: () => void, stop: () => void): (() => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      stop();
    };
  };
  return {
    ...store,
    commit: (...given) => telling(store.commit(...given)),
    post: (...given) => telling(store.post(...given)),
    repost: (...given) => telling(store.repost(...given)),
    watch(listener) {
      const own = (): void => listener();
      return alsoTold(own, store.watch(own));
    },
    watchInbox(listener) {
      // Which session a commit has posted to is not known here.
      return alsoTold(() => listener(null), store.watchInbox(listener));
    },
  };
}
