import { balancedEnd } from './written-calls.ts';

/**
 * Passes speech and removes code: tags, empty brackets and calls of unknown functions.
 * Words, numbers, signs, brackets around words and addresses in angle brackets remain.
 */
export interface SpeechReader {
  /** Takes the next text in pieces of any size. Returns what to say. Text that may still become code is held back. */
  push(written: string): string;
  /** Ends the text and returns the rest. */
  end(): string;
}

/** How many characters at the beginning of a text are code, or `open` if it is too short to decide. */
type Code = number | 'open';

export function createSpeechReader(): SpeechReader {
  let held = '';
  let before = '';
  /** The space around removed code becomes one space; null elsewhere. */
  let space: string | null = null;

  const read = (isEnd: boolean): string => {
    let said = '';
    const say = (count: number): void => {
      let text = held.slice(0, count);
      held = held.slice(count);
      if (space !== null) {
        const rest = text.trimStart();
        if (rest.length < text.length && /\S$/.test(before)) space = ' ';
        if (rest === '') return;
        text = `${space}${rest}`;
        space = null;
      }
      said += text;
      before = `${before}${text}`.slice(-mostBefore);
    };
    while (held !== '') {
      const place = held.search(isEnd ? candidate : candidateOrOpen);
      if (place !== 0) {
        say(place < 0 ? held.length : place);
        continue;
      }
      const code = codeAt(held, before, isEnd);
      if (code === 'open' && !isEnd) break;
      if (code === 'open' || code === 0) say(code === 'open' ? held.length : wordLength(held));
      else {
        held = held.slice(code);
        space ??= '';
      }
    }
    return said;
  };
  return {
    push(written) {
      held += written;
      return read(false);
    },
    end: () => read(true),
  };
}

/** How many preceding characters influence the decision. */
const mostBefore = 40;

/** Possible start of code: a bracket, or a name that only occurs in programs. */
const candidate = /[<[{(]|(?<![\w@.])(?:[A-Za-z]\w*_\w*|[a-z]+[A-Z]\w*)/;

/** The same, or the end of a text that may continue as such a name. */
const candidateOrOpen = new RegExp(`${candidate.source}|(?<![\\w@.])[A-Za-z]\\w*$`);

function wordLength(text: string): number {
  return /^\w+/.exec(text)?.[0].length ?? 1;
}

function codeAt(text: string, before: string, isEnd: boolean): Code {
  switch (text[0]) {
    case '<':
      return tagAt(text, before, isEnd);
    case '[':
      return listAt(text, isEnd);
    case '{':
      return /^\{\s*\}/.exec(text)?.[0].length ?? (/^\{\s*$/.test(text) && !isEnd ? 'open' : 0);
    case '(':
      return /\w$/.test(before) ? argumentsAt(text, 0, false, isEnd) : 0;
    default:
      return namedAt(text, before, isEnd);
  }
}

/** SSML elements, which are part of the speech although they are not words. */
const ofVoices =
  /^\/?(?:speak|break|prosody|emphasis|say-as|phoneme|sub|voice|audio|mark|lang|emotion|speed|volume|spell|p)\b/i;

function tagAt(text: string, before: string, isEnd: boolean): Code {
  const [all, inner = ''] = /^<([a-z/!?|｜][^<>\n]{0,119})>/i.exec(text) ?? [];
  if (all === undefined) return /^<(?:[a-z/!?|｜][^<>\n]{0,119})?$/i.test(text) && !isEnd ? 'open' : 0;
  if (/@|:\/\//.test(inner) || ofVoices.test(inner)) return 0;
  if (/[|｜=_]|^[/!?]|\/$/.test(inner)) return all.length;
  if (!/^[a-z][a-z\d-]*$/i.test(inner)) return 0;
  // A placeholder such as a key to press stands between words; a tag stands before them.
  if (all.length === text.length && !isEnd) return 'open';
  const isBetween = /[\p{L}\p{N},:;'"’(][^\S\n]*$/u.test(before) && !/^\p{L}/u.test(text.slice(all.length));
  return isBetween ? 0 : all.length;
}

function listAt(text: string, isEnd: boolean): Code {
  const [all] = /^\[(?:\s*|\/[^[\]\n]{0,40}|[A-Z][A-Z_]{2,40})\]/.exec(text) ?? [];
  if (all !== undefined) return all.length;
  return /^\[(?:\s*|\/[^[\]\n]{0,40}|[A-Z][A-Z_]{0,40})$/.test(text) && !isEnd ? 'open' : 0;
}

/** `get_weather(city="Paris")`; a name alone is a word. */
function namedAt(text: string, before: string, isEnd: boolean): Code {
  const [name = ''] = /^\w*/.exec(text) ?? [];
  if (/[\w@.]$/.test(before)) return 0;
  if (name.length === text.length) return isEnd ? 0 : 'open';
  return text[name.length] === '(' ? argumentsAt(text, name.length, true, isEnd) : 0;
}

/** Arguments in parentheses after a name. `isProgram`: no ordinary word looks like the name. */
function argumentsAt(text: string, at: number, isProgram: boolean, isEnd: boolean): Code {
  const inside = text.slice(at + 1).trimStart();
  if (inside === '' || /^[A-Za-z_]\w*\s*=?$/.test(inside)) return isEnd ? 0 : 'open';
  const isCode = /^(?:[A-Za-z_]\w*\s*=(?!=)|["'{])/.test(inside) || (isProgram && inside.startsWith(')'));
  if (!isCode) return 0;
  const end = balancedEnd(text, at);
  if (end !== null) return end;
  return isEnd || text.length > longestCall ? text.length : 'open';
}

const longestCall = 4_000;
