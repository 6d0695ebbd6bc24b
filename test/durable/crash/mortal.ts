import type { Store } from '../../../src/model/ports/store.ts';
import { createMortalStore, type WriteCount } from '../../../src/flowtest/play/mortal-store.ts';

/**
 * When a process dies: before or after the nth write to its store; or in the nth inference, before or after pending
 * writes are stored.
 */
export interface CrashPoint {
  readonly at: 'write' | 'inference';
  readonly nth: number;
  readonly when: 'before' | 'after';
}

/** How many writes and inferences a conversation makes. */
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

/** Long enough for pending writes, in milliseconds. */
const keptAfterMs = 100;

/** A store whose process dies at a point or on command. After that it does not execute or answer anything. */
export function mortal(store: Store, point: CrashPoint | null, onDeath: () => void) {
  const count: WriteCount = { writes: 0 };
  let inferences = 0;
  const { store: wrapped, kill } = createMortalStore(store, point?.at === 'write' ? point : null, onDeath, count);
  const die = (): Promise<never> => {
    kill();
    onDeath();
    return new Promise(() => undefined);
  };
  /** Called for each request to the model. False: the request is never answered. */
  const infer = (): boolean => {
    inferences += 1;
    if (point?.at !== 'inference' || inferences !== point.nth) return true;
    if (point.when === 'before') void die();
    else setTimeout(() => void die(), keptAfterMs);
    return false;
  };
  return { store: wrapped, steps: (): Steps => ({ writes: count.writes, inferences }), infer, die };
}
