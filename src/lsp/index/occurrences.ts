import type { Occurrence } from './flow-index.ts';

/** The scope of each reference to a node: its own, or the nearest scope around it that has such a node. */
export function withScopes(found: readonly Occurrence[], scoped: ReadonlySet<string>): readonly Occurrence[] {
  return found.map((one) => {
    if (one.kind !== 'node' || one.isDeclaration || one.scope === '') return one;
    let { scope } = one;
    while (scope !== '' && !scoped.has(JSON.stringify([scope, one.name])))
      scope = scope.slice(0, scope.lastIndexOf('/'));
    return { ...one, scope };
  });
}

/** A file that is included twice is visited twice, with the same results for the same place. */
export function distinct(found: readonly Occurrence[]): readonly Occurrence[] {
  const first = new Map<string, Occurrence>();
  for (const one of found) {
    const key = `${one.file}\0${one.start}\0${one.end}\0${one.kind}\0${one.isDeclaration}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}
