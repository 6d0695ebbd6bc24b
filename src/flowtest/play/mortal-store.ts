import type { Store } from '../../model/ports/store.ts';

/** A write to a store during which a process dies: before it, or once it is stored. `nth` counts from 1. */
export interface WritePoint {
  readonly nth: number;
  readonly when: 'before' | 'after';
}

/** The number of writes by the processes of one kind so far, one process after the other. */
export interface WriteCount {
  writes: number;
}

/** The points before and after each of the writes. */
export function writePoints(writes: number): readonly WritePoint[] {
  return Array.from({ length: writes }, (_, index) => index + 1).flatMap((nth) => [
    { nth, when: 'before' } as const,
    { nth, when: 'after' } as const,
  ]);
}

/** A store as one process sees it. */
export interface MortalStore {
  readonly store: Store;
  /** Whether the store is working. */
  readonly isBusy: boolean;
  /** Resolves when it is not working. */
  quiet(): Promise<void>;
  /** After this, nothing is done and nothing is answered. */
  kill(): void;
}

/**
 * The store of a process that dies at a write, or when it is killed. Writes are commits, leases, graphs, and posting
 * to, claiming from, delaying in or removing from the inbox. Open work is counted, so that virtual time waits for a
 * disk or a network.
 */
export function createMortalStore(
  store: Store,
  point: WritePoint | null,
  onDeath: () => void,
  count: WriteCount = { writes: 0 },
): MortalStore {
  let isDead = false;
  const underWay = new Set<Promise<unknown>>();
  const never = new Promise<never>(() => undefined);
  const follow = <Result>(work: Promise<Result>): Promise<Result> => {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(settled);
    void settled.then(() => underWay.delete(settled));
    return work;
  };
  const reading = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isDead) return await never;
    const result = await follow(work());
    return isDead ? await never : result;
  };
  const die = (): Promise<never> => {
    isDead = true;
    onDeath();
    return never;
  };
  const writing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isDead) return await never;
    count.writes += 1;
    const isPoint = point?.nth === count.writes;
    if (isPoint && point.when === 'before') return await die();
    const result = await follow(work());
    if (isPoint && point.when === 'after') return await die();
    return isDead ? await never : result;
  };
  /** A claim without a result has written nothing. A claim with a result is stored, whenever its process dies. */
  const claiming = async <Claimed>(work: () => Promise<readonly Claimed[]>): Promise<readonly Claimed[]> => {
    const claimed = await reading(work);
    return claimed.length === 0 ? claimed : await writing(() => Promise.resolve(claimed));
  };
  return {
    store: {
      ...store,
      acquireLease: (...given) => writing(() => store.acquireLease(...given)),
      renewLease: (...given) => reading(() => store.renewLease(...given)),
      releaseLease: (...given) => writing(() => store.releaseLease(...given)),
      commit: (...given) => writing(() => store.commit(...given)),
      saveGraph: (...given) => writing(() => store.saveGraph(...given)),
      post: (...given) => writing(() => store.post(...given)),
      claimEntries: (...given) => claiming(() => store.claimEntries(...given)),
      endClaims: (...given) => reading(() => store.endClaims(...given)),
      deferEntry: (...given) => writing(() => store.deferEntry(...given)),
      withdraw: (...given) => writing(() => store.withdraw(...given)),
      repost: (...given) => writing(() => store.repost(...given)),
      claimEffects: (...given) => claiming(() => store.claimEffects(...given)),
      holdEffects: (...given) => writing(() => store.holdEffects(...given)),
      openEffects: (...given) => reading(() => store.openEffects(...given)),
      dueEntries: (...given) => reading(() => store.dueEntries(...given)),
      nextDue: (...given) => reading(() => store.nextDue(...given)),
      listEntries: (...given) => reading(() => store.listEntries(...given)),
      listSessions: (...given) => reading(() => store.listSessions(...given)),
      wasConsumed: (...given) => reading(() => store.wasConsumed(...given)),
      loadSnapshot: (...given) => reading(() => store.loadSnapshot(...given)),
      loadEffects: (...given) => reading(() => store.loadEffects(...given)),
      loadGraph: (...given) => reading(() => store.loadGraph(...given)),
      readLog: (...given) => reading(() => store.readLog(...given)),
      readEvents: (...given) => reading(() => store.readEvents(...given)),
      readAudit: (...given) => reading(() => store.readAudit(...given)),
      forgetInputs: (...given) => reading(() => store.forgetInputs(...given)),
    },
    get isBusy() {
      return underWay.size > 0;
    },
    async quiet() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    kill: () => void (isDead = true),
  };
}
