/** Characters; about fifteen seconds of speech, which Flite computes in less than half a second. */
const longest = 240;

/**
 * Splits a sentence into pieces of at most `longest` characters, after a comma or else at a blank. The first piece can
 * be played while the next one is computed, and no piece occupies the thread for long.
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
