/** Removes a model's thoughts in `<think>` tags from its words while they stream. */
export interface ThoughtReader {
  /** Takes the next text in pieces of any size. Returns the words. Text that may still become a tag is held back. */
  push(written: string): string;
  /** Ends the text. Held-back text counts as words; an unfinished thought is dropped. */
  end(): string;
  /** A thought ended that never began, so the model starts its replies inside a thought. */
  readonly beganInThought: boolean;
}

const opening = /<(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>/i;
const closing = /<\/(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad)>/i;
/** The end of a text that may continue as a tag. */
const mayGoOn = /<\/?[a-z]{0,10}$/i;
/** Length of the longest closing tag. */
const longest = '</scratchpad>'.length;

/** `isInThought`: the reply may begin inside a thought, so all of it is held back until that is known. */
export function createThoughtReader({ isInThought = false } = {}): ThoughtReader {
  let held = '';
  let isThinking = false;
  let mayBeThought = isInThought;
  let beganInThought = false;
  /** Words that may be a thought. */
  let kept = '';
  /** Spaces after a thought become one between two words, and none elsewhere. */
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
          // Keeps only what may close the thought.
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
