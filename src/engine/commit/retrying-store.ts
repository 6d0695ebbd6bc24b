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
    acquireLease: (...given) => patiently(() => store.acquireLease(...given)),
    renewLease: (...given) => store.renewLease(...given),
    releaseLease: (lease) => store.releaseLease(lease),
    wasConsumed: (key) => patiently(() => store.wasConsumed(key)),
    loadSnapshot: (sessionId) => patiently(() => store.loadSnapshot(sessionId)),
    loadEffects: (sessionId) => patiently(() => store.loadEffects(sessionId)),
    readLog: (...given) => patiently(() => store.readLog(...given)),
    readEvents: (...given) => patiently(() => store.readEvents(...given)),
    listSessions: (...given) => patiently(() => store.listSessions(...given)),
    openEffects: (query) => patiently(() => store.openEffects(query)),
    claimEffects: (query) => store.claimEffects(query),
    holdEffects: (...given) => patiently(() => store.holdEffects(...given)),
    keepCall: (...given) => patiently(() => store.keepCall(...given)),
    claimLostCalls: (query) => store.claimLostCalls(query),
    heldCalls: (query) => store.heldCalls(query),
    dropCall: (sessionId) => patiently(() => store.dropCall(sessionId)),
    commit: (commit) => patiently((isAgain) => commitOnce(store, commit, isAgain)),
    saveGraph: (...given) => patiently(() => store.saveGraph(...given)),
    loadGraph: (hash) => patiently(() => store.loadGraph(hash)),
    deleteSession: (lease) => store.deleteSession(lease),
    forgetInputs: (consumedBefore) => store.forgetInputs(consumedBefore),
    watch: (listener) => store.watch(listener),
    post: (...given) => patiently(() => store.post(...given)),
    dueEntries: (query) => patiently(() => store.dueEntries(query)),
    nextDue: (sessionId) => patiently(() => store.nextDue(sessionId)),
    claimEntries: (query) => store.claimEntries(query),
    endClaims: (claims) => store.endClaims(claims),
    deferEntry: (...given) => store.deferEntry(...given),
    listEntries: (query) => patiently(() => store.listEntries(query)),
    repost: (...given) => store.repost(...given),
    withdraw: (key) => store.withdraw(key),
    readAudit: (query) => patiently(() => store.readAudit(query)),
    watchInbox: (listener) => store.watchInbox(listener),
    close: () => store.close(),
  };
}

/** Commits unless an earlier attempt succeeded. Only the owner commits under its lease, so the stored sequence number shows whether it did. */
async function commitOnce(store: Store, commit: StepCommit, isAgain: boolean): Promise<void> {
  const { lease, baseSeq, signals } = commit;
  const isMade = async (): Promise<boolean> =>
    signals.length > 0 && ((await store.loadSnapshot(lease.sessionId))?.seq ?? 0) === baseSeq + signals.length;
  if (isAgain && (await isMade())) return;
  try {
    await store.commit(commit);
  } catch (error) {
    // The first attempt succeeded meanwhile. A lost lease has a different code.
    const isConflict = error instanceof FlowError && error.code === 'store-conflict';
    if (!isAgain || !isConflict || !(await isMade())) throw error;
  }
}
