/** Takes what a model thinks, in `<think>` marks, out of its words while they stream in. */
export interface ThoughtReader {
  /** Takes what was written next, in pieces of any size; returns the words. What may still become a mark is held back. */
  push(written: string): string;
  /** Nothing more is written: what is held back are words, and a thought that has not ended is none. */
  end(): string;
  /** A thought has ended that never began: the model begins its replies with one. */
  readonly beganInThought: boolean;
}

const opening = /<(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>/i;
const closing = /<\/(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>/i;
/** The end of a text that may go on as a mark. */
const mayGoOn = /<\/?[a-z]{0,10}$/i;
/** As long as the longest mark that closes. */
const longest = '</scratchpad>'.length;

/** `isInThought`: the reply may begin in the middle of a thought, so all of it is held back until that is known. */
export function createThoughtReader({ isInThought = false } = {}): ThoughtReader {
  let held = '';
  let isThinking = false;
  let mayBeThought = isInThought;
  let beganInThought = false;
  /** Words that may be a thought. */
  let kept = '';
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
      const end = closing.exec(held);
      if (end !== null && (begin === null || end.index < begin.index)) {
        held = held.slice(end.index + end[0].length);
        [words, kept] = ['', ''];
        endsInWord = false;
        [mayBeThought, beganInThought, isBehind] = [false, true, true];
        continue;
      }
      if (begin === null) {
        say(isEnd ? held.length : (mayGoOn.exec(held)?.index ?? held.length));
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
      const words = read(false);
      if (!mayBeThought) return words;
      kept += words;
      return '';
    },
    end() {
      const words = read(true);
      return `${kept}${words}`;
    },
    get beganInThought() {
      return beganInThought;
    },
  };
}
