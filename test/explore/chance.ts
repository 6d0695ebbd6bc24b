import type { Random } from '../../src/model/ports/time.ts';
import { createSeededRandom } from '../../src/testing/seeded-random.ts';

/** The random choices of one seed. */
export interface Chance extends Random {
  /** Returns true with this probability, between 0 and 1. */
  often(share: number): boolean;
  /** Returns an integer from 0 to `count` - 1. */
  below(count: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** Returns one of the items; undefined if there are none. */
  any<Item>(items: readonly Item[]): Item | undefined;
  /** Returns one of the items with a probability proportional to its weight. */
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
