/** What a step has done to one entry. */
export type Change = 'added' | 'changed' | 'removed' | null;

/** An entry of a state with what has become of it. */
export interface Entry {
  readonly name: string;
  /** As it is now; as it was where it is removed. */
  readonly value: unknown;
  readonly change: Change;
  /** Before the step, where it has changed. */
  readonly before: unknown;
}

type Named = Readonly<Record<string, unknown>>;

/** The entries of a record after a step, with those that the step has removed, in the order of their names' coming. */
export function entriesOf(now: Named, before: Named | null): readonly Entry[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before ?? {})])];
  return names.map((name) => {
    if (before === null) return { name, value: now[name], change: null, before: undefined };
    if (!Object.hasOwn(now, name)) return { name, value: before[name], change: 'removed', before: before[name] };
    if (!Object.hasOwn(before, name)) return { name, value: now[name], change: 'added', before: undefined };
    const isSame = JSON.stringify(now[name]) === JSON.stringify(before[name]);
    return { name, value: now[name], change: isSame ? null : 'changed', before: before[name] };
  });
}
