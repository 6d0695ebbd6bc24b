/** The country that a BCP 47 tag names; undefined where it names none, or is none. */
export function regionOf(language: string): string | undefined {
  return /^[a-z]{2,3}(?:-[A-Za-z]{4})?-([A-Z]{2})(?:-|$)/.exec(language)?.[1];
}
