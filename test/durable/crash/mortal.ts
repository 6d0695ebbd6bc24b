import type { Store } from '../../../src/model/ports/store.ts';
import { createMortalStore, type WriteCount } from '../../../src/flowtest/play/mortal-store.ts';

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
  const count: WriteCount = { writes: 0 };
  let inferences = 0;
  const { store: wrapped, kill } = createMortalStore(store, point?.at === 'write' ? point : null, onDeath, count);
  const die = (): Promise<never> => {
    kill();
    onDeath();
    return new Promise(() => undefined);
  };
  /** The model is asked; false where it is never to answer. */
  const infer = (): boolean => {
    inferences += 1;
    if (point?.at !== 'inference' || inferences !== point.nth) return true;
    if (point.when === 'before') void die();
    else setTimeout(() => void die(), keptAfterMs);
    return false;
  };
  return { store: wrapped, steps: (): Steps => ({ writes: count.writes, inferences }), infer, die };
}
