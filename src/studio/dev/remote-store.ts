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
  const remote = <Name extends keyof Store>(name: Name): Store[Name] =>
    ((...args: unknown[]) =>
      calls.call(
        'store',
        name,
        args.slice(0, args.findLastIndex((one) => one !== undefined) + 1),
      )) as unknown as Store[Name];
  const store: Store = {
    acquireLease: remote('acquireLease'),
    renewLease: remote('renewLease'),
    releaseLease: remote('releaseLease'),
    wasConsumed: remote('wasConsumed'),
    loadSnapshot: remote('loadSnapshot'),
    loadEffects: remote('loadEffects'),
    readLog: remote('readLog'),
    readEvents: remote('readEvents'),
    listSessions: remote('listSessions'),
    openEffects: remote('openEffects'),
    claimEffects: remote('claimEffects'),
    holdEffects: remote('holdEffects'),
    keepCall: remote('keepCall'),
    claimLostCalls: remote('claimLostCalls'),
    heldCalls: remote('heldCalls'),
    dropCall: remote('dropCall'),
    saveGraph: remote('saveGraph'),
    loadGraph: remote('loadGraph'),
    deleteSession: remote('deleteSession'),
    forgetInputs: remote('forgetInputs'),
    post: remote('post'),
    dueEntries: remote('dueEntries'),
    nextDue: remote('nextDue'),
    claimEntries: remote('claimEntries'),
    deferEntry: remote('deferEntry'),
    endClaims: remote('endClaims'),
    listEntries: remote('listEntries'),
    repost: remote('repost'),
    withdraw: remote('withdraw'),
    readAudit: remote('readAudit'),
    async commit({ events: _events, ...commit }) {
      await calls.call('commit', commit);
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    watchInbox(listener) {
      inboxListeners.add(listener);
      return () => void inboxListeners.delete(listener);
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

/** The methods that the other process calls by name. */
export type StoreMethod = Exclude<keyof Store, 'commit' | 'watch' | 'watchInbox' | 'close'>;

/** Checks whether a name is a store method that may be called remotely. */
export function isStoreMethod(store: Store, name: string): name is StoreMethod {
  const own = ['commit', 'watch', 'watchInbox', 'close'];
  return !own.includes(name) && typeof (store as unknown as Record<string, unknown>)[name] === 'function';
}
