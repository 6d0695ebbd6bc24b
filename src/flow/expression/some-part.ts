/** Depth limit; flows do not use deeper values. */
const deepest = 6;

/** Checks whether a value, or any part of it down to `deepest`, passes a test. */
export function somePart(whole: unknown, passes: (part: unknown) => boolean, depth = 0): boolean {
  if (passes(whole)) return true;
  if (typeof whole !== 'object' || whole === null || depth > deepest) return false;
  return Object.values(whole).some((part: unknown) => somePart(part, passes, depth + 1));
}
