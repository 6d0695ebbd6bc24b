import type { CallWait } from '../../model/effect.ts';

/** Result of a function whose work continues outside the call. Its outcome is read later, by the same key. */
export interface StillOpen {
  readonly waitsFor: CallWait | null;
}

const known = new WeakSet<StillOpen>();

/** Creates the result of a function whose outcome comes later. */
export function stillOpen(waitsFor: CallWait | null): StillOpen {
  const value: StillOpen = Object.freeze({ waitsFor });
  known.add(value);
  return value;
}

/** Checks whether a function's outcome comes later. */
export function isStillOpen(returned: unknown): returned is StillOpen {
  return typeof returned === 'object' && returned !== null && known.has(returned as StillOpen); // Contains only created values.
}
