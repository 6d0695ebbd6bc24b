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
      sessions: {
        ...store.sessions,
        get: (...given) => reading(() => store.sessions.get(...given)),
        list: (...given) => reading(() => store.sessions.list(...given)),
      },
      steps: {
        create: (...given) => writing(() => store.steps.create(...given)),
        list: (...given) => reading(() => store.steps.list(...given)),
        listEvents: (...given) => reading(() => store.steps.listEvents(...given)),
      },
      graphs: {
        save: (...given) => writing(() => store.graphs.save(...given)),
        get: (...given) => reading(() => store.graphs.get(...given)),
      },
      effects: {
        list: (...given) => reading(() => store.effects.list(...given)),
        listOpen: (...given) => reading(() => store.effects.listOpen(...given)),
        claim: (...given) => claiming(() => store.effects.claim(...given)),
        update: (...given) => writing(() => store.effects.update(...given)),
      },
      inbox: {
        ...store.inbox,
        post: (...given) => writing(() => store.inbox.post(...given)),
        claim: (...given) => claiming(() => store.inbox.claim(...given)),
        release: (...given) => reading(() => store.inbox.release(...given)),
        defer: (...given) => writing(() => store.inbox.defer(...given)),
        withdraw: (...given) => writing(() => store.inbox.withdraw(...given)),
        repost: (...given) => writing(() => store.inbox.repost(...given)),
        listDue: (...given) => reading(() => store.inbox.listDue(...given)),
        nextDue: (...given) => reading(() => store.inbox.nextDue(...given)),
        list: (...given) => reading(() => store.inbox.list(...given)),
        isConsumed: (...given) => reading(() => store.inbox.isConsumed(...given)),
        forgetConsumed: (...given) => reading(() => store.inbox.forgetConsumed(...given)),
      },
      audit: { list: (...given) => reading(() => store.audit.list(...given)) },
      leases: {
        acquire: (...given) => writing(() => store.leases.acquire(...given)),
        renew: (...given) => reading(() => store.leases.renew(...given)),
        release: (...given) => writing(() => store.leases.release(...given)),
      },
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
