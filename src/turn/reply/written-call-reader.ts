import { beginsName, type WrittenCall, writtenAt } from './written-calls.ts';

/** A piece of a reply: the words to say, and the calls that were written among them. */
export interface ReadPiece {
  readonly text: string;
  readonly calls: readonly SourcedCall[];
}

/** A call, and the text that it was read from. */
export interface SourcedCall extends WrittenCall {
  readonly source: string;
}

/** Finds the calls that a model writes into its words while they stream in, and takes them out of what is said. */
export interface WrittenCallReader {
  /** Takes what was written next, in pieces of any size: the same text gives the same calls and words. */
  push(written: string): ReadPiece;
  /** Nothing more is written: what could still have become a call is said, what was one and broke off is not. */
  end(): ReadPiece;
}

/**
 * What may still become a call is held back, other words are not. Of the names only what follows them tells a call from
 * a word. A call longer than `mostCharacters` is dropped, and what follows it too.
 */
export function createWrittenCallReader(names: ReadonlySet<string>, mostCharacters: number): WrittenCallReader {
  /** Text that may still become a call. */
  let held = '';
  let before = '';
  /** Behind a call its brackets close; inside of marks all is a call; behind one that never ended nothing is read. */
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

/** Where in a text a call may begin first; its length where nowhere. */
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

/** Marks that models set around calls; nobody says them. */
const marks = ['<tool', '<function', '<invoke', '<|tool', '<|function', '<|python', '[tool_call'].flatMap((mark) => [
  mark,
  mark.replace(/^(?:<\||<|\[)/, '$&/'),
]);

type Mark = { readonly length: number; readonly closes: boolean; readonly name: string | null };

/** The mark that a text begins with; `open` where it may become one, null where it is none. */
function markAt(text: string, isEnd: boolean): Mark | 'open' | null {
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
