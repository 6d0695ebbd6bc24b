/** About fifteen seconds of speech, which Flite computes in less than half a second. */
const longest = 240;

/**
 * A sentence in pieces of at most `longest` characters, each cut after a comma, else at a blank. Nothing where there is no
 * text. A piece is heard before the next one is computed, and none keeps the thread busy for long.
 */
export function breathsOf(sentence: string): string[] {
  const breaths: string[] = [];
  let rest = sentence;
  while (rest.length > longest) {
    const head = rest.slice(0, longest);
    const at = Math.max(head.lastIndexOf(', ') + 1, 0) || Math.max(head.lastIndexOf(' '), 0) || longest;
    breaths.push(rest.slice(0, at));
    rest = rest.slice(at).trimStart();
  }
  return rest === '' ? breaths : [...breaths, rest];
}
