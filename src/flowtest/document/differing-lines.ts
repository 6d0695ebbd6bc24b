/** The lines of two texts without the equal lines at their beginnings and ends. An empty text has no lines. */
export function differingLines(
  before: string,
  after: string,
): { readonly before: readonly string[]; readonly after: readonly string[] } {
  const [one, other] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return { before: one.slice(head, one.length - tail), after: other.slice(head, other.length - tail) };
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}
