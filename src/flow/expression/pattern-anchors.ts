/** Returns an alternative of a pattern that has only one of `^` and `$`; undefined if there is none. */
export function halfAnchored(source: string): string | undefined {
  return alternativesOf(source).find((one) => one.startsWith('^') !== /(?<!\\)(?:\\\\)*\$$/.test(one));
}

/** Returns the parts between `|` outside groups and classes. */
function alternativesOf(source: string): readonly string[] {
  const parts: string[] = [];
  let begin = 0;
  let depth = 0;
  let inClass = false;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index];
    if (character === '\\') index += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) {
      parts.push(source.slice(begin, index));
      begin = index + 1;
    }
  }
  return [...parts, source.slice(begin)];
}
