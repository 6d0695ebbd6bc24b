import type { Store } from '../../model/ports/store.ts';

/**
 * A private store of this process: each write notifies its watchers directly. Notifications of a database arrive over
 * the network in real time, while virtual time continues, so a session would process a post seconds too late.
 */
export function withDirectNotifications(store: Store): Store {
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
    steps: { ...store.steps, create: (...given) => telling(store.steps.create(...given)) },
    watch(listener) {
      const own = (): void => listener();
      return alsoTold(own, store.watch(own));
    },
    inbox: {
      ...store.inbox,
      post: (...given) => telling(store.inbox.post(...given)),
      repost: (...given) => telling(store.inbox.repost(...given)),
      // The sessions that a commit has posted to are unknown here.
      watch: (listener) => alsoTold(() => listener(null), store.inbox.watch(listener)),
    },
  };
}
