/** Returns an id as one part of a key. Slashes are escaped, so different pairs of ids give different keys. */
export function keyPart(id: string): string {
  return id.replace(/[%/]/g, encodeURIComponent);
}
