/** Returns lines as one label, escaped for Mermaid. */
export function quoted(lines: readonly string[]): string {
  const filled = lines.map(escaped).filter((line) => line !== '');
  return `"${filled.join('<br/>')}"`;
}

const LONGEST = 48;

/** Characters without a special meaning in Mermaid. */
const PLAIN = /[\p{L}\p{M}\p{N} .,_=≠≥≤…·~()[\]{}!?/’“”–—'-]/u;

/** The beginning of a list. */
const LIST_MARKER = /^(?:-|\d+[.)])(?= )/;

/** Returns one line of a label, with special characters as numeric entities. */
function escaped(text: string): string {
  const line = text
    .slice(0, 4 * LONGEST)
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  const short = characters.length > LONGEST ? [...characters.slice(0, LONGEST - 1), '…'] : characters;
  const marker = (LIST_MARKER.exec(line)?.[0].length ?? 0) - 1;
  return short
    .map((character, index) => {
      // A colon before a space starts neither an icon (`fa:fa-car`) nor a style.
      const isPlain = character === ':' ? short[index + 1] === ' ' : PLAIN.test(character) && index !== marker;
      return isPlain ? character : `#${character.codePointAt(0)};`;
    })
    .join('');
}
