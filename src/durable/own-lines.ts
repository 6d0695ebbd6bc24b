import { isJsonObject, type Json } from '../events/json.ts';

/** The lines that the authors of flows have written to be spoken. */
export interface OwnLines {
  /** Takes the lines of a flow's document. */
  learn(flow: Json): void;
  /** A text that consists of such lines alone, with `hole` for each value that was filled in; null for any other text. */
  shown(text: string, hole: string): string | null;
}

/** Members of a flow's document that hold spoken texts, in either spelling. */
const spokenMembers: ReadonlySet<string> = new Set([
  ...['say', 'ask', 'text', 'lines', 'confirm', 'confirmText', 'confirm_text', 'fallback', 'filler'],
]);

/** Begins with no line. */
export function createOwnLines(): OwnLines {
  /** The fixed parts of a line, between the values that are filled in. */
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
      // A line that begins with a value fits nearly every text: it is tried last.
      tried = [...lines.values()].toSorted(([a = ''], [b = '']) => b.length - a.length);
    },
    shown: (text, hole) => shownFrom(text.trim(), tried, hole, new Set()),
  };
}

/** Several lines may be spoken as one text. `failed`: the rests, by their length, that consist of no lines. */
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

/** The index behind a line that a text begins with; null if it begins otherwise. */
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
