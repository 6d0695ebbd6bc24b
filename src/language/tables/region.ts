/** Returns the country of a BCP 47 tag; undefined if it has none or is invalid. */
export function regionOf(language: string): string | undefined {
  return /^[a-z]{2,3}(?:-[A-Za-z]{4})?-([A-Z]{2})(?:-|$)/.exec(language)?.[1];
}
