import { RE2JS } from 're2js';

/** A regular expression that always terminates, or the reason why the source is invalid. */
export type Pattern =
  | { readonly ok: true; readonly source: string; readonly test: (text: string) => boolean }
  | { readonly ok: false; readonly reason: string; readonly hint?: string };

/**
 * Compiles a JavaScript regular expression (flags i, m, s and u) for a search in time linear in the text; `^` and `$`
 * anchor it. Texts over ten thousand characters never match. Unlike in JavaScript, `\s` is ASCII white space.
 */
export function compilePattern(source: string, flags: string = ''): Pattern {
  if (source.length > MAX_SOURCE)
    return refused(`It is longer than ${MAX_SOURCE} characters.`, 'Split it into several patterns.');
  if (!/^[imsu]{0,8}$/.test(flags))
    return refused('Its flags are not among i, m, s and u.', 'Leave the others out; the text is searched once.');
  const unsupported = findUnsupported(source);
  if (unsupported !== undefined) return unsupported;
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source), flagBits(flags));
    if (compiled.programSize() > MAX_PROGRAM)
      return refused('Its repetitions make it too large.', 'Lower the counts in {…}.');
    return { ok: true, source, test: (text) => text.length <= MAX_TEXT && compiled.test(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : 'unreadable';
    return refused(
      `It cannot be read: ${reason}.`,
      String.raw`Fix it; write \ before a character that is meant literally.`,
    );
  }
}

const MAX_SOURCE = 1_000;
const MAX_TEXT = 10_000;
// Time is text × program. The worst program found of this size takes half a second on ten thousand characters.
const MAX_PROGRAM = 2_500;

const HALF_OF_PAIR = /^\\u[dD][89a-fA-F]/;
const ESCAPED_LETTERS = 'bBcdDfnpPrsStuvwWx0';

function refused(reason: string, hint?: string): Pattern {
  return hint === undefined ? { ok: false, reason } : { ok: false, reason, hint };
}

function flagBits(flags: string): number {
  const bit = (flag: string, value: number): number => (flags.includes(flag) ? value : 0);
  return bit('i', RE2JS.CASE_INSENSITIVE) | bit('m', RE2JS.MULTILINE) | bit('s', RE2JS.DOTALL);
}

/** Finds constructs that re2 rejects without a reason, or reads differently from JavaScript. */
function findUnsupported(source: string): Pattern | undefined {
  let inClass = false;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index];
    if (character === '\\') {
      const refusal = refusedEscape(source.slice(index, index + 6));
      if (refusal !== undefined) return refusal;
      index += 1;
    } else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '(' && !inClass && /^\(\?<?[=!]/.test(source.slice(index, index + 4))) {
      return refused(
        'A lookahead or lookbehind cannot, in general, be evaluated in linear time.',
        'Write two patterns under all, one of them under not.',
      );
    }
  }
  return undefined;
}

function refusedEscape(text: string): Pattern | undefined {
  const escaped = text[1] ?? '';
  if (/[1-9k]/.test(escaped))
    return refused('A backreference cannot be evaluated in linear time.', 'Compare the two values with equals.');
  if (HALF_OF_PAIR.test(text))
    return refused(`${text} is half of a character.`, 'Write the character itself, or \\u{1F600}.');
  if (/[A-Za-z0]/.test(escaped) && !ESCAPED_LETTERS.includes(escaped)) {
    return refused(`\\${escaped} is not known.`, 'Anchors are ^ and $, classes \\d, \\w, \\s and \\p{L}.');
  }
  return undefined;
}
