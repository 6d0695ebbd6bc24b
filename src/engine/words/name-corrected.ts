import type { JsonObject } from '../../model/json.ts';
import { isSameText } from '../../flow/expression/same-value.ts';
import type { GraphSlot } from '../../flow/graph/graph.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { saysValue } from '../../kernel/dialogue/utterance.ts';
import { questionOf } from '../../kernel/generator/frame.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import { confirmationIn, lastSaid } from '../../kernel/state/draft.ts';
import { type Moment, sayValue, speak } from '../../kernel/state/names.ts';
import { valueOf } from '../../kernel/state/slots.ts';
import { namesOfQuestion } from '../../kernel/wait/waits.ts';
import { askedAbout } from './asked-about.ts';
import type { Heard } from './ground-values.ts';
import { readingOptions } from './read-slot.ts';

/**
 * Checks whether words surely replace a known name. At a question about something else, a capitalised word behind a no
 * may mean anything ("No, Allergy."), so the words must introduce the name ("No, my name is Young").
 */
export function mayCorrectName(moment: Moment, slot: GraphSlot, text: string): boolean {
  if (typeOf(slot).readAs !== 'name') return true;
  const question = openQuestionText(moment);
  return question === null || isAboutName(moment, slot, question) || introducesName(moment, slot, text);
}

/** Returns the open question; null if a generator asks for a value. */
function openQuestionText(moment: Moment): string | null {
  const { graph, state } = moment;
  const wait = confirmationIn(state);
  if (wait !== undefined) return wait.payload.say;
  const asked = questionOf(state);
  if (asked !== null) return asked.isConsent === true ? asked.text : null;
  const slot = graph.slots.get(state.dialogue.pendingAskKey ?? '');
  if (slot !== undefined) return slot.ask === null ? '' : speak(moment, slot.ask);
  const node = nodeOf(graph, state, state.position.node);
  return node?.say == null ? '' : speak(moment, node.say);
}

/** Checks whether the question says the name, or a question of the model asks for it. */
function isAboutName(moment: Moment, slot: GraphSlot, question: string): boolean {
  const { graph, state } = moment;
  const subject = confirmationIn(state)?.payload.subject;
  if (subject?.kind === 'slot' && subject.slot === slot.name) return true;
  if (subject?.kind === 'call' && namesOfQuestion(graph, state, subject.call)?.includes(slot.name) === true)
    return true;
  if (state.dialogue.modelAsked && askedAbout(graph, state, slot, lastSaid(state)) === 'this') return true;
  const known = valueOf(state, slot.name);
  const heard = `${question} ${lastSaid(state)}`;
  return [known?.value, known?.proposed?.value].some(
    (value) => value !== undefined && value !== '' && heard.includes(sayValue(moment, slot, value)),
  );
}

/** Checks whether the words introduce a name, so that it is found without its question and without a no before it. */
function introducesName({ graph, civil }: Moment, slot: GraphSlot, text: string): boolean {
  const options = { ...readingOptions(slot, civil), asked: false };
  return [...text.matchAll(/[\p{L}\p{M}'’-]+/gu)].some(({ index }) => {
    const found = graph.reader.value('name', text.slice(index), options);
    return found.ok && found.corrects !== true;
  });
}

/**
 * Checks whether a call gives the words of a name to a slot of another kind too, and the words are no name to the rules.
 * One word of the caller fills one slot: "No, allergy." is a note and not also a name.
 */
export function isGivenTwice({ graph, state }: Heard, slot: GraphSlot, given: JsonObject): boolean {
  const value = given[slot.name] ?? null;
  if (typeOf(slot).readAs !== 'name' || state.turn.words?.asked === slot.name) return false;
  if (saysValue(state.turn.words?.utterance, slot.name, value)) return false;
  return Object.entries(given).some(([name, also]) => {
    const other = graph.slots.get(name);
    return other !== undefined && typeOf(other).readAs !== 'name' && isSameText(also, value);
  });
}
