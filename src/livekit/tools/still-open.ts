import type { CallWait } from '../../events/effect.ts';

/** What a function returns whose work goes on outside of the call: its outcome is read later, by the same key. */
export interface StillOpen {
  readonly waitsFor: CallWait | null;
}

const known = new WeakSet<StillOpen>();

/** Makes what a function returns whose outcome comes later. */
export function stillOpen(waitsFor: CallWait | null): StillOpen {
  const value: StillOpen = Object.freeze({ waitsFor });
  known.add(value);
  return value;
}

/** Whether a function has returned that its outcome comes later. */
export function isStillOpen(returned: unknown): returned is StillOpen {
  return typeof returned === 'object' && returned !== null && known.has(returned as StillOpen); // Only what was made is in it.
}
