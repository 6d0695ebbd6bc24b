import type { Store } from '../../ports/store.ts';

/** A write into a store at which a process dies: before it, or once it is kept. `nth` counts from 1. */
export interface CrashPoint {
  readonly nth: number;
  readonly when: 'before' | 'after';
}

/** Before and after each of so many writes. */
export function crashPoints(writes: number): readonly CrashPoint[] {
  return Array.from({ length: writes }, (_, index) => index + 1).flatMap((nth) => [
    { nth, when: 'before' } as const,
    { nth, when: 'after' } as const,
  ]);
}

/** A store as one process of a scenario sees it. */
export interface ProcessStore {
  readonly store: Store;
  /** Writes so far. */
  readonly writes: number;
  /** Whether something is on its way to the store. */
  readonly isBusy: boolean;
  /** Resolves when nothing is. */
  quiet(): Promise<void>;
  /** From here on nothing is done and nothing is answered. */
  kill(): void;
}

/**
 * The store of a process that dies at a point, or when it is killed. Work on its way is counted, so that virtual time
 * waits for what a disk or a network takes.
 */
export function createProcessStore(store: Store, point: CrashPoint | null, onDeath: () => void): ProcessStore {
  let writes = 0;
  let isDead = false;
  const underWay = new Set<Promise<unknown>>();
  const never = new Promise<never>(() => undefined);
  const count = <Result>(work: Promise<Result>): Promise<Result> => {
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
    const result = await count(work());
    return isDead ? await never : result;
  };
  const die = (): Promise<never> => {
    isDead = true;
    onDeath();
    return never;
  };
  const writing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isDead) return await never;
    writes += 1;
    const isPoint = point?.nth === writes;
    if (isPoint && point.when === 'before') return await die();
    const result = await count(work());
    if (isPoint && point.when === 'after') return await die();
    return isDead ? await never : result;
  };
  return {
    store: {
      ...store,
      acquireLease: (...given) => writing(() => store.acquireLease(...given)),
      renewLease: (...given) => reading(() => store.renewLease(...given)),
      releaseLease: (...given) => writing(() => store.releaseLease(...given)),
      commit: (...given) => writing(() => store.commit(...given)),
      saveGraph: (...given) => writing(() => store.saveGraph(...given)),
      post: (...given) => reading(() => store.post(...given)),
      withdraw: (...given) => reading(() => store.withdraw(...given)),
      dueEntries: (...given) => reading(() => store.dueEntries(...given)),
      wasConsumed: (...given) => reading(() => store.wasConsumed(...given)),
      loadSnapshot: (...given) => reading(() => store.loadSnapshot(...given)),
      loadEffects: (...given) => reading(() => store.loadEffects(...given)),
      readLog: (...given) => reading(() => store.readLog(...given)),
      readEvents: (...given) => reading(() => store.readEvents(...given)),
      loadGraph: (...given) => reading(() => store.loadGraph(...given)),
      forgetInputs: (...given) => reading(() => store.forgetInputs(...given)),
    },
    get writes() {
      return writes;
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
