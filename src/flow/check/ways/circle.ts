/** Returns the shortest cycle from a vertex within its component. */
export function shortestCircle(
  successors: readonly (readonly number[])[],
  start: number,
  inside: (number: number) => boolean,
): readonly number[] {
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (const number of queue) {
    for (const next of successors[number] ?? []) {
      if (next === start) return wayBack(cameFrom, start, number);
      if (!inside(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, number);
      queue.push(next);
    }
  }
  return [];
}

function wayBack(cameFrom: ReadonlyMap<number, number>, start: number, end: number): readonly number[] {
  const way: number[] = [];
  for (let number: number | undefined = end; number !== undefined && number !== start; number = cameFrom.get(number))
    way.push(number);
  return [start, ...way.toReversed()];
}

const longestNamed = 8;

/** Returns `a -> b -> a`; for a long cycle, only the first names. */
export function circleText(names: readonly string[]): string {
  const shown =
    names.length <= longestNamed ? names : [...names.slice(0, longestNamed), `(${names.length - longestNamed} more)`];
  return [...shown, names[0]].join(' -> ');
}
