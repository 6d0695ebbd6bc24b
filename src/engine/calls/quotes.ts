import type { Signal } from '../../model/signals/signal.ts';
import type { Session } from '../session.ts';
import type { WrittenCall } from '../reply/written-calls.ts';

/** Texts from others that a model may repeat. A call that it repeats from them is not its own. */
export interface Quotes {
  /** Records the caller's words and the results of functions and tasks. */
  hear(signal: Signal): void;
  /** Checks whether a call, or the text it was read from, appears in one of the texts. */
  hold(call: WrittenCall, source: string): boolean;
}

/** How many characters of such texts are searched, newest first. */
const mostCharacters = 200_000;

export function createQuotes(session: Pick<Session, 'state'>): Quotes {
  let texts: string[] = [];
  let length = 0;
  const add = (value: unknown): void => {
    if (value === undefined || value === null) return;
    const text = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, mostCharacters);
    texts.push(text);
    length += text.length;
    while (length > mostCharacters) length -= texts.shift()?.length ?? length;
  };
  return {
    hear(signal) {
      if (signal.type === 'user:turn') add(signal.text);
      else if (signal.type === 'effect:settled') add(signal.result);
      else if (signal.type === 'batch:settled') for (const { result, error } of signal.calls) add(result ?? error);
    },
    hold({ name }, source) {
      const wanted = bare(source);
      const { input, slots, variables } = session.state.knowledge;
      return [...texts, JSON.stringify([input, slots, variables])].some((text) => {
        const given = bare(text);
        return given.includes(wanted) || given.includes(`${bare(name)}(`) || given.includes(`${bare(name)}{`);
      });
    },
  };
}

/** Removes what quoting changes: white space, quotation marks, escapes and letter case. */
function bare(text: string): string {
  return text.replaceAll(/[\s"'`\\“”„‘’«»]/g, '').toLowerCase();
}
