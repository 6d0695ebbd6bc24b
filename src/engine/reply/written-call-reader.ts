import { beginsName, type WrittenCall, writtenAt } from './written-calls.ts';

/** A piece of a reply: the words to say, and the calls written among them. */
export interface ReadPiece {
  readonly text: string;
  readonly calls: readonly SourcedCall[];
}

/** A call with the text it was read from. */
export interface SourcedCall extends WrittenCall {
  readonly source: string;
}

/** Finds calls that a model writes as text while they stream, and removes them from the speech. */
export interface WrittenCallReader {
  /** Takes the next text in pieces of any size; the split does not affect the calls and words. */
  push(written: string): ReadPiece;
  /** Ends the text. Text that might have become a call is said; an unfinished call is dropped. */
  end(): ReadPiece;
}

/**
 * Creates the reader. Text that may still become a call is held back. A name is a call only by
 * what follows it. A call longer than `mostCharacters` is dropped with everything after it.
 */
export function createWrittenCallReader(names: ReadonlySet<string>, mostCharacters: number): WrittenCallReader {
  /** Text that may still become a call. */
  let held = '';
  let before = '';
  /** `closing`: after a call, its brackets close. `marked`: inside call tokens. `lost`: after an unfinished call, the rest is ignored. */
  let mode: 'words' | 'closing' | 'marked' | 'lost' = 'words';
  let markedName: string | null = null;

  const read = (isEnd: boolean): ReadPiece => {
    const calls: SourcedCall[] = [];
    let text = '';
    const drop = (count: number): void => {
      before = held.slice(0, count).at(-1) ?? before;
      held = held.slice(count);
    };
    const say = (count: number): void => {
      text += held.slice(0, count);
      drop(count);
    };
    while (held !== '') {
      if (mode === 'lost') {
        drop(held.length);
        break;
      }
      if (mode !== 'words') {
        drop(/^[\s,;)\]`]*/.exec(held)?.[0].length ?? 0);
        if (held === '') break;
      }
      const mark = markAt(held, isEnd);
      if (mark === 'open') break;
      if (mark !== null) {
        mode = mark.closes ? 'closing' : 'marked';
        markedName = mark.name;
        drop(mark.length);
        continue;
      }
      if (mode === 'closing') {
        mode = 'words';
        before = ' ';
      }
      const place = mode === 'marked' ? 0 : firstPlace(held, before, names);
      if (place > 0) {
        say(place);
        continue;
      }
      const given = markedName === null ? held : `${markedName}${held}`;
      const added = given.length - held.length;
      const found = writtenAt(given, 0, markedName === null ? names : new Set([markedName]));
      const isTooLong = (found.kind === 'calls' ? found.end - added : held.length) > mostCharacters;
      if (found.kind !== 'words' && isTooLong) mode = 'lost';
      else if (found.kind === 'calls') {
        const source = given.slice(0, found.end);
        calls.push(...found.calls.map((call) => ({ ...call, source })));
        drop(found.end - added);
        mode = 'closing';
        markedName = null;
      } else if (mode === 'marked') {
        if (found.kind === 'open' && !isEnd) break;
        drop(1);
      } else if (found.kind === 'words') say(1);
      else if (!isEnd) break;
      else if (found.isCall) mode = 'lost';
      else say(1);
    }
    return { text, calls };
  };
  return {
    push(written) {
      held += written;
      return read(false);
    },
    end: () => read(true),
  };
}

/** Returns where a call may begin first; the text's length if nowhere. */
function firstPlace(text: string, before: string, names: ReadonlySet<string>): number {
  for (const { index, 0: found } of text.matchAll(/[{<[`]|[\w.-]+/g)) {
    if ('{<[`'.includes(found)) return index;
    const isInside = index === 0 && /[\w.-]/.test(before);
    const mayGoOn = index + found.length === text.length;
    if (!isInside && (names.has(found.replace(/^functions\./, '')) || (mayGoOn && beginsName(found, names))))
      return index;
  }
  return text.length;
}

/** Tokens that models set around calls; never spoken. */
const marks = ['<tool', '<function', '<invoke', '<|tool', '<|function', '<|python', '[tool_call'].flatMap((mark) => [
  mark,
  mark.replace(/^(?:<\||<|\[)/, '$&/'),
]);

type Mark = { readonly length: number; readonly closes: boolean; readonly name: string | null };

/** Returns the token that a text begins with; `open` if it may become one, else null. */
function markAt(text: string, isEnd: boolean): Mark | 'open' | null {
  if (text[0] !== '<' && text[0] !== '[') return null;
  const lower = text.slice(0, longestMark).toLowerCase();
  if (!marks.some((mark) => lower.startsWith(mark)))
    return !isEnd && marks.some((mark) => mark.startsWith(lower)) ? 'open' : null;
  const written = text.slice(0, longestName);
  const last = written.search(text.startsWith('[') ? /\]/ : />/);
  if (last < 0 && text.length < longestName && !isEnd) return 'open';
  const length = last < 0 ? written.length : last + 1;
  const name = /^<function\s*=\s*"?([\w-]+)/i.exec(written)?.[1] ?? null;
  return { length, closes: /^(?:<\||<|\[)\//.test(text) || (text[1] !== '|' && written[last - 1] === '|'), name };
}

const longestMark = 12;
const longestName = 200;
