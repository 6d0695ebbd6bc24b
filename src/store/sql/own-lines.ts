import { isJsonObject, type Json } from '../../model/json.ts';

/** The spoken lines that flow authors have written. */
export interface OwnLines {
  /** Adds the lines of a flow document. */
  learn(flow: Json): void;
  /** Returns a text that consists only of such lines, with `hole` for each filled-in value; null for any other text. */
  shown(text: string, hole: string): string | null;
}

/** Document members with spoken texts, in both spellings. */
const spokenMembers: ReadonlySet<string> = new Set([
  ...['say', 'ask', 'text', 'lines', 'confirm', 'confirmText', 'confirm_text', 'fallback', 'filler'],
]);

/** Creates an empty set of lines. */
export function createOwnLines(): OwnLines {
  /** The fixed parts of each line, between its filled-in values. */
  const lines = new Map<string, readonly string[]>();
  let tried: readonly (readonly string[])[] = [];
  const learn = (value: Json, isSpoken = false): void => {
    if (typeof value === 'string' && isSpoken && value.trim() !== '') lines.set(value, partsOf(value));
    else if (Array.isArray(value)) for (const item of value as readonly Json[]) learn(item, isSpoken);
    else if (isJsonObject(value))
      for (const [name, member] of Object.entries(value)) learn(member, isSpoken || spokenMembers.has(name));
  };
  return {
    learn(flow) {
      learn(flow);
      // A line that begins with a value matches nearly every text, so it is tried last.
      tried = [...lines.values()].toSorted(([a = ''], [b = '']) => b.length - a.length);
    },
    shown: (text, hole) => shownFrom(text.trim(), tried, hole, new Set()),
  };
}

/** Matches a text against a sequence of lines. `failed`: lengths of remainders without a match. */
function shownFrom(
  text: string,
  lines: readonly (readonly string[])[],
  hole: string,
  failed: Set<number>,
): string | null {
  if (failed.has(text.length)) return null;
  for (const line of lines) {
    const end = endOf(line, text);
    if (end === null) continue;
    const own = line.join(hole);
    const rest = text.slice(end).trimStart();
    if (rest === '') return own;
    const next = shownFrom(rest, lines, hole, failed);
    if (next !== null) return `${own} ${next}`;
  }
  failed.add(text.length);
  return null;
}

/** Returns the end of a line at the beginning of a text; null if the text does not begin with it. */
function endOf([first = '', ...others]: readonly string[], text: string): number | null {
  if (!text.startsWith(first)) return null;
  let end = first.length;
  for (const [index, part] of others.entries()) {
    if (part === '' && index === others.length - 1) return text.length;
    const found = text.indexOf(part, end);
    if (found === -1) return null;
    end = found + part.length;
  }
  return end === 0 ? null : end;
}

function partsOf(line: string): readonly string[] {
  return line.trim().split(/\{\{[^{}]*\}\}/);
}
