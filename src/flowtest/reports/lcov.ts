import type { Covered, FlowCoverage } from '../coverage.ts';

/**
 * Coverage as lcov: a node is a function, everything else is a branch, and a line counts the parts that begin on it.
 */
export function lcovOf(coverages: readonly FlowCoverage[]): string {
  return coverages.flatMap(recordsOf).join('');
}

/** A record for each file: the parts of an included file are in its own record. */
function recordsOf({ items }: FlowCoverage): readonly string[] {
  const files = new Map<string, Covered[]>();
  for (const item of items) {
    if (item.place === null) continue;
    files.set(item.place.file, [...(files.get(item.place.file) ?? []), item]);
  }
  return [...files].map(([file, own]) => recordOf(file, own));
}

function recordOf(file: string, items: readonly Covered[]): string {
  const lineOf = ({ place }: Covered): number => place?.line ?? 1;
  const nodes = items.filter(({ kind }) => kind === 'nodes');
  const branches = items.filter(({ kind }) => kind !== 'nodes');
  const lines = new Map<number, number>();
  for (const item of items) lines.set(lineOf(item), Math.max(lines.get(lineOf(item)) ?? 0, item.hits));
  const places = new Map<number, number>();
  const branchLines = branches.map((item) => {
    const nth = places.get(lineOf(item)) ?? 0;
    places.set(lineOf(item), nth + 1);
    return `BRDA:${lineOf(item)},0,${nth},${item.hits}`;
  });
  const hit = (all: readonly { readonly hits: number }[]): number => all.filter(({ hits }) => hits > 0).length;
  const text = [
    'TN:',
    `SF:${file}`,
    ...nodes.map((item) => `FN:${lineOf(item)},${item.name}`),
    ...nodes.map((item) => `FNDA:${item.hits},${item.name}`),
    `FNF:${nodes.length}`,
    `FNH:${hit(nodes)}`,
    ...branchLines,
    `BRF:${branches.length}`,
    `BRH:${hit(branches)}`,
    ...[...lines].toSorted(([one], [other]) => one - other).map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${lines.size}`,
    `LH:${[...lines.values()].filter((hits) => hits > 0).length}`,
    'end_of_record',
  ];
  return `${text.join('\n')}\n`;
}
