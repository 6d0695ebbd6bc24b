import type { Store } from '../../model/ports/store.ts';
import type { Calls } from './calls.ts';

/** A store in another process, with its change notifications. */
export interface RemoteStore {
  readonly store: Store;
  /** Reports a commit. */
  changed(): void;
  /** Reports an entry in the inbox of a session. */
  posted(sessionId: string | null): void;
}

/**
 * Creates a store that calls the process at the other end of the wire, so that commits outlive this process. Events are
 * sent separately when they happen, so commits do not contain them.
 */
export function createRemoteStore(calls: Pick<Calls, 'call'>): RemoteStore {
  const listeners = new Set<() => void>();
  const inboxListeners = new Set<(sessionId: string | null) => void>();
  /** Both ends use the types of the port; only JSON is exchanged. */
  const remote = <Noun extends StoreNoun, Verb extends keyof Store[Noun] & string>(
    noun: Noun,
    verbs: readonly Verb[],
  ): Pick<Store[Noun], Verb> =>
    Object.fromEntries(
      verbs.map((verb) => [
        verb,
        (...args: unknown[]) =>
          calls.call('store', noun, verb, args.slice(0, args.findLastIndex((one) => one !== undefined) + 1)),
      ]),
    ) as unknown as Pick<Store[Noun], Verb>;
  const store: Store = {
    sessions: { ...remote('sessions', ['get', 'list', 'delete']) },
    steps: {
      ...remote('steps', ['list', 'listEvents']),
      async create({ events: _events, ...commit }) {
        await calls.call('commit', commit);
      },
    },
    graphs: { ...remote('graphs', ['save', 'get']) },
    effects: { ...remote('effects', ['list', 'listOpen', 'claim', 'update']) },
    inbox: {
      ...remote('inbox', [
        'post',
        'listDue',
        'nextDue',
        'claim',
        'release',
        'defer',
        'list',
        'repost',
        'withdraw',
        'isConsumed',
        'forgetConsumed',
      ]),
      watch(listener) {
        inboxListeners.add(listener);
        return () => void inboxListeners.delete(listener);
      },
    },
    audit: { ...remote('audit', ['list']) },
    leases: { ...remote('leases', ['acquire', 'renew', 'release']) },
    calls: { ...remote('calls', ['save', 'list', 'claimLost', 'delete']) },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => Promise.resolve(),
  };
  return {
    store,
    changed: () => {
      for (const listener of [...listeners]) listener();
    },
    posted: (sessionId) => {
      for (const listener of [...inboxListeners]) listener(sessionId);
    },
  };
}

type StoreNoun = Exclude<keyof Store, 'watch' | 'close'>;

/** Returns the function of a store that the other process may call by name; null if there is none. */
export function storeFunction(store: Store, noun: string, verb: string): ((...given: unknown[]) => unknown) | null {
  if (verb === 'watch' || (noun === 'steps' && verb === 'create')) return null;
  const part: unknown = (store as unknown as Record<string, unknown>)[noun];
  if (typeof part !== 'object' || part === null) return null;
  const work: unknown = (part as Record<string, unknown>)[verb];
  return typeof work === 'function' ? (work.bind(part) as (...given: unknown[]) => unknown) : null;
}
