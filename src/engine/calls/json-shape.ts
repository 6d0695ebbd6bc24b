/** Returns the nesting depth of a JSON text without parsing it, because `JSON.parse` and recursive code would need a stack of that depth. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  forEachToken(json, (token) => {
    if (token === '{' || token === '[') deepest = Math.max(deepest, (depth += 1));
    else if (token === '}' || token === ']') depth -= 1;
  });
  return deepest;
}

/** Returns the first key that an object of a valid JSON text repeats, or null. `JSON.parse` takes the last one. */
export function repeatedKey(json: string): string | null {
  /** The keys so far of each open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  let text: string | null = null;
  let repeated: string | null = null;
  forEachToken(json, (token) => {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && text !== null) {
      const key = JSON.parse(text) as string; // The token is a JSON string.
      const keys = open.at(-1);
      if (keys?.has(key) === true) repeated ??= key;
      keys?.add(key);
    }
    text = token.startsWith('"') ? token : null;
  });
  return repeated;
}

/** Visits the strings and punctuation of a JSON text. */
function forEachToken(json: string, take: (token: string) => void): void {
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/gs)) take(token);
}
