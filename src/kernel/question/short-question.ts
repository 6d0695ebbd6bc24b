import type { Json } from '../../model/json.ts';
import { lastQuestionOf } from '../../flow/expression/sentences.ts';
import { confirmationIn } from '../state/draft.ts';
import { type Moment, sayValue } from '../state/names.ts';

/**
 * Returns the last sentence of a text if it is a question, else an empty text. Punctuation inside known values ("12 Oak
 * St. Flat 4", "4. Dezember") does not end a sentence.
 */
export function shortQuestion(moment: Moment, text: string): string {
  const masked = [...textsKnown(moment)].reduce(
    (rest, value) => rest.replaceAll(value, value.replace(ENDS, mask)),
    text,
  );
  const short = lastQuestionOf(masked);
  return masked === text ? short : short.replace(MASKS, unmask);
}

/** Yields the known texts with sentence punctuation inside. */
function* textsKnown(moment: Moment): Generator<string> {
  const { graph, state } = moment;
  const subject = confirmationIn(state)?.payload.subject;
  const told = Object.entries(state.knowledge.slots).map(([name, { value }]): [string, Json] => [name, value]);
  const named = subject?.kind === 'call' ? Object.entries(subject.call.arguments) : [];
  for (const [name, value] of [...told, ...named]) {
    const slot = graph.slots.get(name);
    const said = slot === undefined ? value : sayValue(moment, slot, value);
    for (const text of said === value ? [value] : [value, said])
      if (typeof text === 'string' && ENDS_INSIDE.test(text)) yield text;
  }
  for (const value of Object.values(state.knowledge.variables))
    if (typeof value === 'string' && ENDS_INSIDE.test(value)) yield value;
}

const ENDS = /[.!?？؟]/g;
const ENDS_INSIDE = /[.!?？؟](?:\s|$)/;
const signs = '.!?？؟';
/** Private-use characters, one for each sentence mark. */
const MASKS = /[\uE000-\uE004]/g;
const firstMask = 0xe000;

function mask(sign: string): string {
  return String.fromCharCode(firstMask + signs.indexOf(sign));
}

function unmask(masked: string): string {
  return signs.charAt(masked.charCodeAt(0) - firstMask);
}
