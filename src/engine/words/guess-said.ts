import { typeOf } from '../../flow/slots/slot-types.ts';
import type { GraphSlot } from '../../flow/graph/graph.ts';
import { confirmationIn, lastSaid } from '../../kernel/state/draft.ts';
import { type Moment, speak } from '../../kernel/state/names.ts';
import type { Json } from '../../model/json.ts';
import { askedAbout } from './asked-about.ts';
import { readingOptions } from './read-slot.ts';
import type { SaidSlot } from './value-said.ts';

/** A longer text in lower case is rather a sentence than a name. */
const mostSmallWords = 2;

/**
 * Returns the likely value of an answer to the slot's own question: an hour in either half of the day, or words that
 * have the form of a name. The flow reads it back if the model does not record another one.
 */
export function guessSaid(moment: Moment, slot: GraphSlot, text: string): SaidSlot {
  const { reader } = moment.graph;
  const kind = typeOf(slot).readAs;
  if ((kind !== 'time' && kind !== 'name') || !reader.isOwn(text)) return undefined;
  const found = reader.value(kind, text, readingOptions(slot, moment.civil));
  if (!found.ok || found.certain || (kind === 'time' && found.isOpen !== true)) return undefined;
  if (kind === 'name' && !looksLikeName(moment, found.said, text)) return undefined;
  const asked = slot.ask === null ? '' : speak(moment, slot.ask);
  const isAll = [text.slice(0, found.start), text.slice(found.end)].every((beside) =>
    reader.isConnecting(beside, asked),
  );
  return isAll ? { slot: slot.name, value: found.value, isUnsure: true } : undefined;
}

/** Checks the form of a name: capitals, or few words, in an answer without a negation or a question. */
function looksLikeName({ graph: { reader } }: Moment, said: string, text: string): boolean {
  const { negates, asks, unheard } = reader.consent(text);
  if (negates === true || asks === true || unheard === true || reader.request(text) !== null) return false;
  return /\p{Lu}/u.test(said) || reader.wordCount(said) <= mostSmallWords;
}

/** Returns the two values between which only a pause would decide: "cinco no cuatro". Undefined for other words. */
export function undecidedSaid(
  moment: Moment,
  text: string,
): { readonly slot: string; readonly problem: string; readonly candidates: readonly Json[] } | undefined {
  const { graph, state, civil } = moment;
  const slot = graph.slots.get(state.dialogue.pendingAskKey ?? '');
  if (slot === undefined || confirmationIn(state) !== undefined) return undefined;
  const found = graph.reader.value(typeOf(slot).readAs, text, readingOptions(slot, civil));
  if (found.ok || found.needsPause !== true || found.candidates === undefined) return undefined;
  if (askedAbout(graph, state, slot, lastSaid(state)) !== 'this') return undefined;
  return { slot: slot.name, problem: found.problem, candidates: found.candidates };
}
