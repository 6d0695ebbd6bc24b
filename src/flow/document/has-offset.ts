/** Checks whether a time has an offset. Without one it is a local time in the reader's zone. */
export function hasOffset(time: string): boolean {
  return /(?:Z|[+-]\d\d:\d\d)$/.test(time);
}
