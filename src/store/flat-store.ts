import type { AuditStore, InboxStore } from '../model/ports/inbox.ts';
import type {
  CallStore,
  EffectOf,
  EffectStore,
  GraphStore,
  KeptCall,
  Lease,
  LeaseStore,
  SessionStore,
  SessionSummary,
  StepStore,
  Store,
} from '../model/ports/store.ts';

/**
 * A custom store in the form of earlier releases, without nouns.
 *
 * @deprecated Implement `Store`. The next release does not accept this form.
 */
export interface FlatStore {
  readonly acquireLease: (sessionId: string, owner: string, ttlMs: number, from?: string) => Promise<Lease | null>;
  readonly renewLease: LeaseStore['renew'];
  readonly releaseLease: LeaseStore['release'];
  readonly loadSnapshot: SessionStore['get'];
  readonly listSessions: (
    limit: number,
    of?: { readonly id: string } | { readonly prefix: string } | { readonly before: number },
  ) => Promise<readonly SessionSummary[]>;
  readonly deleteSession: SessionStore['delete'];
  readonly commit: StepStore['create'];
  readonly readLog: StepStore['list'];
  readonly readEvents: StepStore['listEvents'];
  readonly saveGraph: GraphStore['save'];
  readonly loadGraph: GraphStore['get'];
  readonly loadEffects: EffectStore['list'];
  readonly openEffects: EffectStore['listOpen'];
  readonly claimEffects: EffectStore['claim'];
  readonly holdEffects: (effects: readonly EffectOf[], until: number | null, reason?: string) => Promise<void>;
  readonly keepCall: (call: KeptCall, unlessKept?: boolean) => Promise<void>;
  readonly claimLostCalls: CallStore['claimLost'];
  readonly heldCalls: CallStore['list'];
  readonly dropCall: CallStore['delete'];
  readonly post: InboxStore['post'];
  readonly dueEntries: InboxStore['listDue'];
  readonly nextDue: InboxStore['nextDue'];
  readonly claimEntries: InboxStore['claim'];
  readonly endClaims: InboxStore['release'];
  readonly deferEntry: (key: string, until: number | null, reason: string, isTry?: boolean) => Promise<void>;
  readonly listEntries: InboxStore['list'];
  readonly repost: InboxStore['repost'];
  readonly withdraw: InboxStore['withdraw'];
  readonly wasConsumed: InboxStore['isConsumed'];
  readonly forgetInputs: InboxStore['forgetConsumed'];
  readonly watchInbox: InboxStore['watch'];
  readonly readAudit: AuditStore['list'];
  readonly watch: Store['watch'];
  readonly close: Store['close'];
}

/** One view per store, because caches use the store as their key. */
const views = new WeakMap<FlatStore, Store>();

/** Returns the store that a host passed, by nouns. */
export function storeOf(given: Store | FlatStore): Store {
  if (!('acquireLease' in given)) return given;
  const view = views.get(given) ?? byNouns(given);
  views.set(given, view);
  return view;
}

function byNouns(flat: FlatStore): Store {
  return {
    sessions: {
      get: (sessionId) => flat.loadSnapshot(sessionId),
      list: ({ limit, id, prefix, before }) => {
        if (id !== undefined) return flat.listSessions(limit, { id });
        if (before !== undefined) return flat.listSessions(limit, { before });
        return prefix === undefined ? flat.listSessions(limit) : flat.listSessions(limit, { prefix });
      },
      delete: (lease) => flat.deleteSession(lease),
    },
    steps: {
      create: (commit) => flat.commit(commit),
      list: (...given) => flat.readLog(...given),
      listEvents: (...given) => flat.readEvents(...given),
    },
    graphs: {
      save: (...given) => flat.saveGraph(...given),
      get: (hash) => flat.loadGraph(hash),
    },
    effects: {
      list: (sessionId) => flat.loadEffects(sessionId),
      listOpen: (query) => flat.openEffects(query),
      claim: (query) => flat.claimEffects(query),
      update: (effects, { until, reason }) => flat.holdEffects(effects, until, reason),
    },
    inbox: {
      post: (...given) => flat.post(...given),
      listDue: (query) => flat.dueEntries(query),
      nextDue: (sessionId) => flat.nextDue(sessionId),
      claim: (query) => flat.claimEntries(query),
      release: (claims) => flat.endClaims(claims),
      defer: (key, { until, reason, isTry }) => flat.deferEntry(key, until, reason, isTry),
      list: (query) => flat.listEntries(query),
      repost: (...given) => flat.repost(...given),
      withdraw: (key) => flat.withdraw(key),
      isConsumed: (key) => flat.wasConsumed(key),
      forgetConsumed: (consumedBefore) => flat.forgetInputs(consumedBefore),
      watch: (listener) => flat.watchInbox(listener),
    },
    audit: { list: (query) => flat.readAudit(query) },
    leases: {
      acquire: ({ sessionId, owner, ttlMs, from }) => flat.acquireLease(sessionId, owner, ttlMs, from),
      renew: (...given) => flat.renewLease(...given),
      release: (lease) => flat.releaseLease(lease),
    },
    calls: {
      save: (call, options) => flat.keepCall(call, options?.unlessKept),
      list: (query) => flat.heldCalls(query),
      claimLost: (query) => flat.claimLostCalls(query),
      delete: (sessionId) => flat.dropCall(sessionId),
    },
    watch: (listener) => flat.watch(listener),
    close: () => flat.close(),
  };
}
