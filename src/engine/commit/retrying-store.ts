import { FlowError } from '../../model/errors.ts';
import type { StepCommit, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';

/**
 * How long an open session waits for its store, in milliseconds. Shorter than its lease,
 * and shorter than the 10 seconds after which LiveKit drops a line without audio.
 */
const storePatienceMs = 8_000;

/** Pauses before each retry, in milliseconds; the last one repeats. */
const againAfterMs = [20, 100, 400, 1_000];

/** Errors that may pass. Any other store error is an answer. */
const passing: ReadonlySet<string> = new Set(['store-unreachable', 'store-busy', 'store-full', 'store-failed']);

/** Checks whether a retry may succeed. Unknown errors are retried. */
function isPassing(error: unknown): boolean {
  return !(error instanceof FlowError) || passing.has(error.code);
}

/**
 * Wraps the store of an open session: retries passing failures for up to `storePatienceMs`. A commit whose answer
 * was lost is looked up before it is repeated. Clean-up, and operations that others repeat anyway, are tried once.
 */
export function retryingStore(store: Store, clock: Clock): Store {
  const known = made.get(store);
  if (known?.clock === clock) return known.store;
  const patient = withPatience(store, clock);
  made.set(store, { clock, store: patient });
  return patient;
}

/** One wrapper per store, because other caches use the store as their key. */
const made = new WeakMap<Store, { readonly clock: Clock; readonly store: Store }>();

function withPatience(store: Store, clock: Clock): Store {
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void clock.schedule(ms, resolve));
  const patiently = async <Result>(ask: (isAgain: boolean) => Promise<Result>): Promise<Result> => {
    const until = clock.now() + storePatienceMs;
    for (let failures = 0; ; failures += 1)
      try {
        return await ask(failures > 0);
      } catch (error) {
        if (!isPassing(error) || clock.now() >= until) throw error;
        await wait(againAfterMs[failures] ?? againAfterMs.at(-1) ?? 0);
      }
  };
  return {
    sessions: {
      get: (sessionId) => patiently(() => store.sessions.get(sessionId)),
      list: (query) => patiently(() => store.sessions.list(query)),
      delete: (lease) => store.sessions.delete(lease),
    },
    steps: {
      create: (commit) => patiently((isAgain) => commitOnce(store, commit, isAgain)),
      list: (...given) => patiently(() => store.steps.list(...given)),
      listEvents: (...given) => patiently(() => store.steps.listEvents(...given)),
    },
    graphs: {
      save: (...given) => patiently(() => store.graphs.save(...given)),
      get: (hash) => patiently(() => store.graphs.get(hash)),
    },
    effects: {
      list: (sessionId) => patiently(() => store.effects.list(sessionId)),
      listOpen: (query) => patiently(() => store.effects.listOpen(query)),
      claim: (query) => store.effects.claim(query),
      update: (...given) => patiently(() => store.effects.update(...given)),
    },
    inbox: {
      post: (...given) => patiently(() => store.inbox.post(...given)),
      listDue: (query) => patiently(() => store.inbox.listDue(query)),
      nextDue: (sessionId) => patiently(() => store.inbox.nextDue(sessionId)),
      claim: (query) => store.inbox.claim(query),
      release: (claims) => store.inbox.release(claims),
      defer: (...given) => store.inbox.defer(...given),
      list: (query) => patiently(() => store.inbox.list(query)),
      repost: (...given) => store.inbox.repost(...given),
      withdraw: (key) => store.inbox.withdraw(key),
      isConsumed: (key) => patiently(() => store.inbox.isConsumed(key)),
      forgetConsumed: (consumedBefore) => store.inbox.forgetConsumed(consumedBefore),
      watch: (listener) => store.inbox.watch(listener),
    },
    audit: { list: (query) => patiently(() => store.audit.list(query)) },
    leases: {
      acquire: (request) => patiently(() => store.leases.acquire(request)),
      renew: (...given) => store.leases.renew(...given),
      release: (lease) => store.leases.release(lease),
    },
    calls: {
      save: (...given) => patiently(() => store.calls.save(...given)),
      list: (query) => store.calls.list(query),
      claimLost: (query) => store.calls.claimLost(query),
      delete: (sessionId) => patiently(() => store.calls.delete(sessionId)),
    },
    watch: (listener) => store.watch(listener),
    close: () => store.close(),
  };
}

/** Commits unless an earlier attempt succeeded. Only the owner commits under its lease, so the stored sequence number shows whether it did. */
async function commitOnce(store: Store, commit: StepCommit, isAgain: boolean): Promise<void> {
  const { lease, baseSeq, signals } = commit;
  const isMade = async (): Promise<boolean> =>
    signals.length > 0 && ((await store.sessions.get(lease.sessionId))?.seq ?? 0) === baseSeq + signals.length;
  if (isAgain && (await isMade())) return;
  try {
    await store.steps.create(commit);
  } catch (error) {
    // The first attempt succeeded meanwhile. A lost lease has a different code.
    const isConflict = error instanceof FlowError && error.code === 'store-conflict';
    if (!isAgain || !isConflict || !(await isMade())) throw error;
  }
}
