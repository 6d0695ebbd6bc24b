/** An id as one part of a key: without a slash, so that no two ids make the key of two others. */
export function keyPart(id: string): string {
  return id.replace(/[%/]/g, encodeURIComponent);
}
