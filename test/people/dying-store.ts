import { wrappedStore } from '../durable/wrapped-store.ts';
import type { Store } from '../../src/model/ports/store.ts';

const writes: readonly string[] = [
  ...['leases.acquire', 'leases.release', 'steps.create', 'graphs.save', 'inbox.post', 'inbox.withdraw', 'inbox.defer'],
  ...['inbox.claim', 'effects.claim', 'effects.update'],
];

/** A write at which a process dies, before or after it is made. */
export interface DyingPoint {
  readonly nth: number;
  readonly after: boolean;
}

/** A store whose process dies at a write. After that it does not execute or answer anything. */
export function dyingStore(store: Store, point: DyingPoint | null, onDeath: () => void) {
  let count = 0;
  let isDead = false;
  const never = new Promise<never>(() => undefined);
  const dying =
    (write: boolean, work: (...given: never[]) => unknown) =>
    async (...given: never[]): Promise<unknown> => {
      if (isDead) return await never;
      if (write) count += 1;
      const isPoint = write && count === point?.nth;
      const die = async (): Promise<never> => {
        isDead = true;
        onDeath();
        return await never;
      };
      if (isPoint && !point.after) return await die();
      const result = await work(...given);
      if (isPoint) return await die();
      return isDead ? await never : result;
    };
  return {
    store: wrappedStore(store, (name, work) => (name.endsWith('watch') ? work : dying(writes.includes(name), work))),
    count: () => count,
  };
}
