import { distance } from 'fastest-levenshtein';

/** Returns `Did you mean "done"?` for the closest name, or undefined if none is close. */
export function suggestion(wrong: string, names: Iterable<string>): string | undefined {
  const close = closestName(wrong, names);
  return close === undefined ? undefined : `Did you mean "${close}"?`;
}

/** Returns the closest name, or undefined if none is close. */
export function closestName(wrong: string, names: Iterable<string>): string | undefined {
  if (wrong.length > 64) return undefined;
  let best: string | undefined;
  // A third of the letters may differ; below that a suggestion confuses more than it helps.
  let bestDistance = Math.max(1, Math.floor(wrong.length / 3)) + 1;
  let looked = 0;
  for (const name of names) {
    if (++looked > 2_000) break;
    if (Math.abs(name.length - wrong.length) >= bestDistance) continue;
    const apart = slipsBetween(wrong.toLowerCase(), name.toLowerCase());
    if (apart < bestDistance) [best, bestDistance] = [name, apart];
  }
  return best;
}

/** Returns the edit distance of two words: inserted, missing or wrong letters. Two swapped neighbours count once. */
function slipsBetween(wrong: string, right: string): number {
  let at = 0;
  while (at < wrong.length && wrong[at] === right[at]) at += 1;
  const corrected = `${wrong.slice(0, at)}${wrong[at + 1] ?? ''}${wrong[at] ?? ''}${wrong.slice(at + 2)}`;
  return corrected === right && wrong !== right ? 1 : distance(wrong, right);
}
