import type { Signal } from '../../events/signal.ts';
import type { SessionState } from '../../kernel/state.ts';
import type { WrittenCall } from '../reply/written-calls.ts';

/** The texts of others that a model may repeat: a call that it repeats from them is not its own. */
export interface Quotes {
  /** Takes in what the caller says and what functions and tasks return. */
  hear(signal: Signal): void;
  /** Whether a call, or the text that it was read from, stands in one of them. */
  hold(call: WrittenCall, source: string): boolean;
}

/** How many characters of such texts are searched, from the last one back. */
const mostCharacters = 200_000;

export function createQuotes(state: () => Pick<SessionState, 'input' | 'slots' | 'variables'>): Quotes {
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
      const { input, slots, variables } = state();
      return [...texts, JSON.stringify([input, slots, variables])].some((text) => {
        const given = bare(text);
        return given.includes(wanted) || given.includes(`${bare(name)}(`) || given.includes(`${bare(name)}{`);
      });
    },
  };
}

/** A text without what changes where it is quoted: white space, quotation marks, escapes and letter case. */
function bare(text: string): string {
  return text.replaceAll(/[\s"'`\\“”„‘’«»]/g, '').toLowerCase();
}
