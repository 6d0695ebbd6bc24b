/** Returns one of several wordings in rotation by `count`. */
export function lineInTurn([first, ...more]: readonly [string, ...string[]], count: number): string {
  const index = count % (more.length + 1);
  return index === 0 ? first : (more[index - 1] ?? first);
}

/** Fills `{name}` in a line; names without a value are removed. */
export function fillLine(line: string, values: Readonly<Record<string, string>>): string {
  return line
    .replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns the sentences of a text, each with its punctuation. */
export function sentencesOf(text: string): readonly string[] {
  const sentences = text.match(/[^.!?？؟]+(?:[.!?？؟](?!\s|$)[^.!?？؟]*)*[.!?？؟]*/g) ?? [];
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}

/** Returns the last sentence of a text if it ends in a question mark, otherwise an empty text. */
export function lastQuestionOf(text: string): string {
  const last = sentencesOf(text).at(-1) ?? '';
  return /[?？؟]$/.test(last) ? last : '';
}
