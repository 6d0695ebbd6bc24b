import type { Store } from '../../../src/ports/store.ts';

/** Where a process dies: before or after the nth of its writes. */
export interface CrashPoint {
  readonly write: number;
  readonly when: 'before' | 'after';
}

/** Before and after each of so many writes. */
export function allPoints(writes: number): readonly CrashPoint[] {
  return Array.from({ length: writes }, (_, index) => index + 1).flatMap((write) => [
    { write, when: 'before' } as const,
    { write, when: 'after' } as const,
  ]);
}

/** A store whose process dies at a point, or when it is told to: from there on nothing is done and nothing is answered. */
export function mortal(store: Store, point: CrashPoint | null, onDeath: () => void) {
  let writes = 0;
  let isDead = false;
  const never = new Promise<never>(() => undefined);
  const die = (): Promise<never> => {
    isDead = true;
    onDeath();
    return never;
  };
  const reading = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isDead) return await never;
    const result = await work();
    return isDead ? await never : result;
  };
  const writing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (isDead) return await never;
    writes += 1;
    const mine = writes;
    if (mine === point?.write && point.when === 'before') return await die();
    const result = await work();
    if (mine === point?.write && point.when === 'after') return await die();
    return isDead ? await never : result;
  };
  const wrapped: Store = {
    ...store,
    acquireLease: (...given) => writing(() => store.acquireLease(...given)),
    renewLease: (...given) => reading(() => store.renewLease(...given)),
    releaseLease: (...given) => writing(() => store.releaseLease(...given)),
    commit: (...given) => writing(() => store.commit(...given)),
    saveGraph: (...given) => writing(() => store.saveGraph(...given)),
    wasConsumed: (...given) => reading(() => store.wasConsumed(...given)),
    loadSnapshot: (...given) => reading(() => store.loadSnapshot(...given)),
    loadEffects: (...given) => reading(() => store.loadEffects(...given)),
    readLog: (...given) => reading(() => store.readLog(...given)),
    readEvents: (...given) => reading(() => store.readEvents(...given)),
    forgetInputs: (...given) => reading(() => store.forgetInputs(...given)),
  };
  return { store: wrapped, count: () => writes, die };
}
