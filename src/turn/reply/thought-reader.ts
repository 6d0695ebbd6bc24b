/** Takes what a model thinks, in `<think>` marks, out of its words while they stream in. */
export interface ThoughtReader {
  /** Takes what was written next, in pieces of any size; returns the words. What may still become a mark is held back. */
  push(written: string): string;
  /** Nothing more is written: what is held back are words, and a thought that has not ended is none. */
  end(): string;
}

const opening = /<(think|thinking)>/i;
const closing = /<\/(?:think|thinking)>\s*/i;
/** The end of a text that may go on as a mark. */
const mayOpen = /<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?$/i;
/** As long as the longest mark that closes. */
const longest = '</thinking>'.length;

export function createThoughtReader(): ThoughtReader {
  let held = '';
  let isThinking = false;
  /** Spaces behind a thought belong to it. */
  let isBehind = false;

  const read = (isEnd: boolean): string => {
    let words = '';
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
      if (isBehind) held = held.trimStart();
      if (held === '') return words;
      isBehind = false;
      const begin = opening.exec(held);
      if (begin === null) {
        const kept = isEnd ? held.length : (mayOpen.exec(held)?.index ?? held.length);
        words += held.slice(0, kept);
        held = held.slice(kept);
        return words;
      }
      words += held.slice(0, begin.index);
      held = held.slice(begin.index + begin[0].length);
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
