/** Whether a time names its offset, and so a moment; else it is one on the wall, of whatever zone counts where it is read. */
export function hasOffset(time: string): boolean {
  return /(?:Z|[+-]\d\d:\d\d)$/.test(time);
}
