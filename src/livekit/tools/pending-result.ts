import type { CallWait } from '../../model/outside-wait.ts';

/** Result of a function whose work continues outside the call. Its outcome is read later, by the same key. */
export interface PendingResult {
  readonly waitsFor: CallWait | null;
}

const known = new WeakSet<PendingResult>();

/** Creates the result of a function whose outcome comes later. */
export function pendingResult(waitsFor: CallWait | null): PendingResult {
  const value: PendingResult = Object.freeze({ waitsFor });
  known.add(value);
  return value;
}

/** Checks whether a function's outcome comes later. */
export function isPendingResult(returned: unknown): returned is PendingResult {
  return typeof returned === 'object' && returned !== null && known.has(returned as PendingResult); // Contains only created values.
}
