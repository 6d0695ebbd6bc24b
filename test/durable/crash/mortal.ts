import type { Store } from '../../../src/ports/store.ts';

/**
 * Where a process dies: before or after the nth write into its store; or in the nth inference, before or after what is on
 * its way into the store by then.
 */
export interface CrashPoint {
  readonly at: 'write' | 'inference';
  readonly nth: number;
  readonly when: 'before' | 'after';
}

/** How much of each kind a conversation does. */
export interface Steps {
  readonly writes: number;
  readonly inferences: number;
}

/** Before and after each write, and in each inference. */
export function allPoints({ writes, inferences }: Steps): readonly CrashPoint[] {
  const points = (at: CrashPoint['at'], count: number): readonly CrashPoint[] =>
    Array.from({ length: count }, (_, index) => index + 1).flatMap((nth) => [
      { at, nth, when: 'before' } as const,
      { at, nth, when: 'after' } as const,
    ]);
  return [...points('write', writes), ...points('inference', inferences)];
}

export function nameOfPoint({ at, nth, when }: CrashPoint): string {
  return at === 'write' ? `${when} write ${nth}` : `in inference ${nth}, ${when} what it follows is kept`;
}

/** Long enough for what is on its way into a store, in milliseconds. */
const keptAfterMs = 100;

/** A store whose process dies at a point, or when it is told to: from there on nothing is done and nothing is answered. */
export function mortal(store: Store, point: CrashPoint | null, onDeath: () => void) {
  let writes = 0;
  let inferences = 0;
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
    const isPoint = point?.at === 'write' && mine === point.nth;
    if (isPoint && point.when === 'before') return await die();
    const result = await work();
    if (isPoint && point.when === 'after') return await die();
    return isDead ? await never : result;
  };
  /** A claim that finds nothing has written nothing; one that finds something has been made, whenever its process dies. */
  const claiming = async <Claimed>(work: () => Promise<readonly Claimed[]>): Promise<readonly Claimed[]> => {
    const claimed = await reading(work);
    return claimed.length === 0 ? claimed : await writing(() => Promise.resolve(claimed));
  };
  const wrapped: Store = {
    ...store,
    acquireLease: (...given) => writing(() => store.acquireLease(...given)),
    renewLease: (...given) => reading(() => store.renewLease(...given)),
    releaseLease: (...given) => writing(() => store.releaseLease(...given)),
    commit: (...given) => writing(() => store.commit(...given)),
    saveGraph: (...given) => writing(() => store.saveGraph(...given)),
    post: (...given) => writing(() => store.post(...given)),
    claimEntries: (...given) => claiming(() => store.claimEntries(...given)),
    deferEntry: (...given) => writing(() => store.deferEntry(...given)),
    withdraw: (...given) => writing(() => store.withdraw(...given)),
    repost: (...given) => writing(() => store.repost(...given)),
    claimEffects: (...given) => claiming(() => store.claimEffects(...given)),
    holdEffects: (...given) => writing(() => store.holdEffects(...given)),
    dueEntries: (...given) => reading(() => store.dueEntries(...given)),
    nextDue: (...given) => reading(() => store.nextDue(...given)),
    listEntries: (...given) => reading(() => store.listEntries(...given)),
    openEffects: (...given) => reading(() => store.openEffects(...given)),
    listSessions: (...given) => reading(() => store.listSessions(...given)),
    loadGraph: (...given) => reading(() => store.loadGraph(...given)),
    readAudit: (...given) => reading(() => store.readAudit(...given)),
    wasConsumed: (...given) => reading(() => store.wasConsumed(...given)),
    loadSnapshot: (...given) => reading(() => store.loadSnapshot(...given)),
    loadEffects: (...given) => reading(() => store.loadEffects(...given)),
    readLog: (...given) => reading(() => store.readLog(...given)),
    readEvents: (...given) => reading(() => store.readEvents(...given)),
    forgetInputs: (...given) => reading(() => store.forgetInputs(...given)),
  };
  /** The model is asked; false where it is never to answer. */
  const infer = (): boolean => {
    inferences += 1;
    if (point?.at !== 'inference' || inferences !== point.nth) return true;
    if (point.when === 'before') void die();
    else setTimeout(() => void die(), keptAfterMs);
    return false;
  };
  return { store: wrapped, steps: (): Steps => ({ writes, inferences }), infer, die };
}
