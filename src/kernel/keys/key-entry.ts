import type { KeyedDigits } from '../../flow/graph/graph.ts';

/** Digits that the caller has pressed so far. */
export interface KeyEntry {
  readonly digits: string;
  /** `end`: by the end key; `length`: the last possible digit; null while more digits may follow. */
  readonly endedBy: 'end' | 'length' | null;
}

export const noKeys: KeyEntry = { digits: '', endedBy: null };

/** Adds one key to an entry. Letters mean nothing in it. */
export function enterKey({ digits }: KeyEntry, key: string, { most, end, clear }: KeyedDigits): KeyEntry {
  if (key === end) return { digits, endedBy: 'end' };
  if (key === clear) return noKeys;
  if (!/^\d$/.test(key)) return { digits, endedBy: null };
  const all = `${digits}${key}`;
  return { digits: all, endedBy: all.length >= most ? 'length' : null };
}
