/** A directed link between two positions. */
export interface Link {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns a check whether one position precedes another. `order` lists all positions topologically. Uses one bit per
 * pair.
 */
export function precedenceOf(
  order: readonly number[],
  links: readonly Link[],
): (first: number, second: number) => boolean {
  const words = Math.ceil(order.length / 32);
  const before = new Uint32Array(order.length * words);
  const leading: number[][] = order.map(() => []);
  for (const { from, to } of links) leading[to]?.push(from);
  for (const place of order) {
    for (const earlier of leading[place] ?? []) {
      for (let word = 0; word < words; word += 1)
        before[place * words + word] = at(before, place * words + word) | at(before, earlier * words + word);
      const word = place * words + (earlier >>> 5);
      before[word] = at(before, word) | (1 << (earlier & 31));
    }
  }
  return (first, second) => ((at(before, second * words + (first >>> 5)) >>> (first & 31)) & 1) === 1;
}

function at(bits: Uint32Array, word: number): number {
  return bits[word] ?? 0;
}
