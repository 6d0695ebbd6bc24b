import type { Random } from '../../src/model/ports/time.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';

/** Choices of one seed. */
export interface Chance extends Random {
  /** True this often, between 0 and 1. */
  often(share: number): boolean;
  /** A whole number from 0 up to, but not including, `count`. */
  below(count: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** One of the items; undefined where there is none. */
  any<Item>(items: readonly Item[]): Item | undefined;
  /** One of the items, the heavier the likelier. */
  weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item | undefined;
}

export function createChance(seed: number): Chance {
  const random = createSeededRandom(seed);
  const below = (count: number): number => Math.floor(random.next() * count);
  return {
    next: () => random.next(),
    often: (share) => random.next() < share,
    below,
    pick: (items) => items[below(items.length)] ?? items[0],
    any: (items) => items[below(items.length)],
    weighted(items) {
      let left = random.next() * items.reduce((sum, [weight]) => sum + weight, 0);
      return items.find(([weight]) => (left -= weight) < 0)?.[1];
    },
  };
}
