/** The change of an entry by a step. */
export type Change = 'added' | 'changed' | 'removed' | null;

/** An entry of a state with its change. */
export interface Entry {
  readonly name: string;
  /** The current value; the previous value if removed. */
  readonly value: unknown;
  readonly change: Change;
  /** The value before the step, if it changed. */
  readonly before: unknown;
}

type Named = Readonly<Record<string, unknown>>;

/** Returns the entries of a record after a step, including removed ones, in insertion order. */
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
