import type { Store } from '../../ports/store.ts';
import type { Calls } from './calls.ts';

/** A store in another process, and what that tells of changes. */
export interface RemoteStore {
  readonly store: Store;
  /** Something was committed that somebody may wait for. */
  changed(): void;
  /** Something was posted to the inbox of this session. */
  posted(sessionId: string | null): void;
}

/**
 * The store of the process at the other end of the wire: what a session commits outlives this process. Events are told there as
 * they happen, so a commit does not carry them again.
 */
export function createRemoteStore(calls: Pick<Calls, 'call'>): RemoteStore {
  const listeners = new Set<() => void>();
  const inboxListeners = new Set<(sessionId: string | null) => void>();
  /** The types of the port hold at both ends: only JSON goes between. */
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

/** What the process with the store answers to `store` and `commit`. */
export type StoreMethod = Exclude<keyof Store, 'commit' | 'watch' | 'watchInbox' | 'close'>;

/** Whether a name is one of a store's own functions that may be called from elsewhere. */
export function isStoreMethod(store: Store, name: string): name is StoreMethod {
  const own = ['commit', 'watch', 'watchInbox', 'close'];
  return !own.includes(name) && typeof (store as unknown as Record<string, unknown>)[name] === 'function';
}
