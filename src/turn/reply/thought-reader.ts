/** Takes what a model thinks, in `<think>` marks, out of its words while they stream in. */
export interface ThoughtReader {
  /** Takes what was written next, in pieces of any size; returns the words. What may still become a mark is held back. */
  push(written: string): string;
  /** Nothing more is written: what is held back are words, and a thought that has not ended is none. */
  end(): string;
}

const opening = /<(think|thinking)>/i;
const closing = /<\/(?:think|thinking)>/i;
/** The end of a text that may go on as a mark. */
const mayOpen = /<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?$/i;
/** As long as the longest mark that closes. */
const longest = '</thinking>'.length;

export function createThoughtReader(): ThoughtReader {
  let held = '';
  let isThinking = false;
  /** Spaces behind a thought are one between two words, and none elsewhere. */
  let isBehind = false;
  let endsInWord = false;

  const read = (isEnd: boolean): string => {
    let words = '';
    const say = (length: number): void => {
      const said = held.slice(0, length);
      words += said;
      held = held.slice(length);
      if (said !== '') endsInWord = /\S$/.test(said);
    };
    for (;;) {
      if (isThinking) {
        const end = closing.exec(held);
        if (end === null) {
          // No more of a thought is kept than what may close it.
          held = isEnd ? '' : held.slice(-longest);
          return words;
        }
        held = held.slice(end.index + end[0].length);
        isThinking = false;
        isBehind = true;
      }
      if (isBehind) {
        const rest = held.trimStart();
        if (rest === '') return words;
        held = rest.length < held.length && endsInWord ? ` ${rest}` : rest;
        isBehind = false;
      }
      if (held === '') return words;
      const begin = opening.exec(held);
      if (begin === null) {
        say(isEnd ? held.length : (mayOpen.exec(held)?.index ?? held.length));
        return words;
      }
      say(begin.index);
      held = held.slice(begin[0].length);
      isThinking = true;
    }
  };
  return {
    push(written) {
      held += written;
      return read(false);
    },
    end: () => read(true),
  };
}
