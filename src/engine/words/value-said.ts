import type { GraphNode, GraphSlot } from '../../flow/graph/graph.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { confirmationIn } from '../../kernel/state/draft.ts';
import { type Moment, speak } from '../../kernel/state/names.ts';
import { readingOptions } from './read-slot.ts';
import { codeIn } from './read-code.ts';
import type { Json } from '../../model/json.ts';
import type { Consent } from '../../model/ports/reader.ts';

/** A value that a text gives to a slot; undefined if it gives none. */
export type SaidSlot =
  | {
      readonly slot: string;
      readonly value: Json;
      readonly isUnsure?: true;
      /** The preceding words withdraw an earlier value. */
      readonly takesBack?: true;
      /** The preceding words agree to the open read-back of another slot. */
      readonly agrees?: true;
    }
  | undefined;

/** Reads the words as a value of a slot and nothing else. With `mustCorrect`, only as a correction. */
export function valueSaid(
  { graph, state, civil }: Moment,
  slot: GraphSlot,
  text: string,
  mustCorrect = false,
): SaidSlot {
  const subject = confirmationIn(state)?.payload.subject;
  // Any words are a valid text, and only a model can judge whether they answer. A pattern distinguishes a code from other words.
  if (text.includes('?')) return undefined;
  if (typeOf(slot).isAnyWords === true) return codeSaid({ graph, state, civil }, slot, text, mustCorrect);
  // In another language, almost any few words can be read as a name.
  if (typeOf(slot).readAs === 'name' && !graph.reader.isOwn(text)) return undefined;
  if (typeOf(slot).isYesOrNo === true) {
    const answer =
      subject === undefined && !state.dialogue.modelAsked
        ? plainAnswerTo({ graph, state, civil }, slot.ask, text)
        : undefined;
    if (answer === undefined) return undefined;
    // A yes to "You don't smoke, do you?" or to "Cash or card?" is ambiguous.
    const isOpen = slot.ask !== null && graph.reader.isNegativeOrEitherOr(speak({ graph, state, civil }, slot.ask));
    // "Cancel" refuses something and does not answer a question about a fact.
    const isFact = graph.reader.value('boolean', text, readingOptions(slot, civil)).ok;
    return { slot: slot.name, value: answer === 'yes', ...(isOpen || !isFact ? { isUnsure: true as const } : {}) };
  }
  const found = graph.reader.value(typeOf(slot).readAs, text, readingOptions(slot, civil));
  // "No, the fourth": the read-back or the question about the changed call shows which fourth.
  const isMoment = typeOf(slot).readAs === 'date' || typeOf(slot).readAs === 'time';
  const isWrittenName = found.ok && typeOf(slot).readAs === 'name' && isCapitalised(text.slice(found.start, found.end));
  const isGuess = found.ok && !found.certain;
  // "No, Anna Berg.": an uncertain name with capitals is proposed and read back.
  if (!found.ok || (isGuess && !((isMoment || isWrittenName) && found.corrects === true))) return undefined;
  const asked = slot.ask === null ? '' : speak({ graph, state, civil }, slot.ask);
  const isLed =
    found.corrects === true || (!mustCorrect && graph.reader.isConnecting(text.slice(0, found.start), asked));
  // "Six people" may repeat words of the slot's description.
  const isCount = typeOf(slot).readAs === 'integer' || typeOf(slot).readAs === 'number';
  const counted = isCount ? `${asked} ${slot.description}` : asked;
  const rest = text.slice(found.end);
  // "The large table": the question offers tables.
  const isNamed = typeOf(slot).readAs === 'enum' && hasOnlyWordsOf(rest, asked);
  if (!isLed || !(isNamed || graph.reader.isConnecting(rest, counted))) return undefined;
  const isUnsure = isGuess || (typeOf(slot).readAs === 'name' && !isWrittenName);
  return {
    ...{ slot: slot.name, value: found.value },
    ...(isUnsure ? { isUnsure } : {}),
    ...(found.corrects === true ? { takesBack: true as const } : {}),
  };
}

function hasOnlyWordsOf(text: string, question: string): boolean {
  const asked = new Set(question.toLowerCase().match(WORDS));
  return (text.toLowerCase().match(WORDS) ?? []).every((word) => asked.has(word));
}

const WORDS = /[\p{L}\p{M}\d]+/gu;

/** Reads a text that matches a slot's pattern, apart from connecting words. */
function codeSaid(moment: Moment, slot: GraphSlot, text: string, mustCorrect: boolean): SaidSlot {
  const { reader } = moment.graph;
  const found = codeIn(slot, text);
  if (found === undefined) return undefined;
  const asked = slot.ask === null ? '' : speak(moment, slot.ask);
  const lead = text.slice(0, found.start);
  const isLed = mustCorrect ? reader.leaning(lead) === 'no' : reader.isConnecting(lead, asked);
  if (!isLed || !reader.isConnecting(text.slice(found.end), asked)) return undefined;
  return { slot: slot.name, value: found.value };
}

/** Checks whether all words are capitalised like names. */
function isCapitalised(text: string): boolean {
  return (text.match(/\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*/gu) ?? []).every((word) => /^\p{Lu}/u.test(word));
}

function plainAnswerTo(moment: Moment, question: GraphNode['say'], text: string): Consent['answer'] {
  return moment.graph.reader.consent(text, question === null ? '' : speak(moment, question)).answer;
}
