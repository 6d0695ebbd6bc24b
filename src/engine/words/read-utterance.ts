import type { Act, Utterance } from '../../model/dialogue.ts';
import { plainWords } from '../../kernel/dialogue/question-line.ts';
import { answerActs } from '../../kernel/dialogue/old-reading.ts';
import { sideRead } from '../../kernel/dialogue/utterance.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import { renewedSlots } from '../../flow/graph/compile/renewed-slots.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import { lastQuestionOf, sentencesOf } from '../../flow/expression/sentences.ts';
import { confirmationIn, lastSaid } from '../../kernel/state/draft.ts';
import { type Moment, sayValue, speak } from '../../kernel/state/names.ts';
import { nodeOf } from '../../kernel/move/offers.ts';
import { movesAlone } from '../../kernel/state/values-in-words.ts';
import { questionOf } from '../../kernel/generator/frame.ts';
import { isSaidAlone, readingOptions, readText } from './read-slot.ts';
import { declines } from './declines.ts';
import type { Json } from '../../model/json.ts';
import type { Consent, Reader } from '../../model/ports/reader.ts';
import { undecidedSaid } from './guess-said.ts';
import { valueOf } from '../../kernel/state/slots.ts';
import { type SaidSlot, valueSaid } from './value-said.ts';
import { completedSaid, generatorSlot, partSaid } from './partial-number.ts';
import { rangeSaid } from './range-said.ts';
import { addedSaid, slotSaid, oneOf, correctionSaid } from './slot-said.ts';

/** Reads a caller's words as dialogue acts in the current state, before the step that folds them. Pure. */
export function readUtterance(moment: Moment, text: string): Utterance {
  const { reader } = moment.graph;
  const isOther = reader.isOther(text);
  const consent = reader.consent(text, questionPut(moment));
  const otherConsent = isOther ? (reader.consentOfOther?.(text) ?? null) : null;
  const side = otherConsent ?? consent;
  const corrected = correctionSaid(moment, text);
  const [ranged, partner] = rangeSaid(moment, text);
  const asked = ranged ?? oneOf(moment, slotSaid(moment, text), corrected);
  const added = asked === undefined ? addedSaid(moment, text) : undefined;
  const value = asked ?? added;
  const part = value === undefined ? (partSaid(moment, text) ?? undecidedSaid(moment, text)) : undefined;
  // In a language without rules, the model may still understand the words.
  const isBlank = reader.wordCount(text) === 0;
  const acts = [
    ...answerIn(moment, side),
    ...(part === undefined
      ? besideAnswer(moment, side, { value, isAdded: added !== undefined }, text)
      : [rules({ act: 'problem', ...part })]),
    ...(isBlank && text.trim() !== '' ? [rules({ act: 'noise' })] : []),
    ...[value, partner].flatMap((one) => (one === undefined ? [] : [valueAct(moment, one, text)])),
    ...mentionsIn(moment, consent, value, text),
    ...callMeant(moment, consent),
    ...(corrected === undefined && ranged === undefined && declines(moment, text) ? [rules({ act: 'decline' })] : []),
    ...requestIn(moment, consent, text),
    ...answeredIn(moment, text),
  ];
  const isCovered = consent.answer !== undefined || isBlank || value !== undefined || reader.saysNothing(text);
  const unfinished = consent.isUnfinished === true || endsOpen(text);
  const read = otherConsent === null ? {} : ({ consentRead: true } as const);
  return { acts, rest: !isCovered, unfinished, foreign: reader.lines === null || isOther, ...read };
}

type RulesAct = Act extends infer One ? (One extends Act ? Omit<One, 'by'> : never) : never;

function rules(act: RulesAct): Act {
  return { by: 'rules', ...act };
}

/** Returns the whole line of the flow that the caller hears after a request to repeat it. */
function lineToRepeat(moment: Moment): string {
  const { state } = moment;
  const asked = confirmationIn(state)?.payload.say ?? questionOf(state)?.text;
  return `${lastSaid(state)} ${asked ?? nodeLine(moment)}`;
}

/** Checks whether a line says a number, a day or a time, in digits or in words. */
function saysAnyValue({ graph: { reader }, civil }: Moment, line: string): boolean {
  if (/\p{N}/u.test(line)) return true;
  return sentencesOf(line).some((sentence) =>
    (['number', 'date', 'time'] as const).some((kind) => {
      // A sum of money is not a number to rules, unless a number was asked for.
      const found = reader.value(kind, sentence, { now: civil, asked: kind === 'number' });
      // "One" is also an article or a pronoun.
      return found.ok ? found.value !== 1 : found.problem === 'ambiguous';
    }),
  );
}

function nodeLine(moment: Moment): string {
  const node = nodeOf(moment.graph, moment.state, moment.state.position.node);
  return node?.say == null ? '' : speak(moment, node.say);
}

/** Returns the question whose words an answer may repeat. */
function questionPut(moment: Moment): string {
  const { state } = moment;
  const wait = confirmationIn(state);
  if (wait !== undefined) return wait.payload.say;
  const question = questionOf(state);
  if (question?.isConsent === true) return question.text;
  const line = nodeLine(moment);
  // "My bill is wrong" answers "It counts from your next bill. Is there anything else?" only if the question is about the bill.
  const asked = lastQuestionOf(line);
  return asked === '' ? line : asked;
}

function answerIn({ state }: Moment, consent: Consent): readonly Act[] {
  const side = sideRead(consent);
  // "Yes, I am." answers the "Are you still there?" that preceded the question.
  const isPresence = consent.isPresence === true && state.dialogue.put?.afterSilence === true;
  const strength = isPresence ? 'weak' : (consent.strength ?? 'plain');
  if (side !== undefined) return [rules({ act: 'answer', yes: side === 'yes', strength })];
  return consent.usesVerb === true ? [rules({ act: 'echo' })] : [];
}

/** Returns the acts that weaken a yes: a question, a condition or a fact. */
function besideAnswer(
  moment: Moment,
  consent: Consent,
  { value, isAdded }: { readonly value: SaidSlot; readonly isAdded: boolean },
  text: string,
): readonly Act[] {
  const isFact = consent.answer === undefined && consent.leansYes !== true && tellsFact(moment, value, text);
  const isRepeated = value === undefined && consent.answer === undefined && isSaidAgain(moment, text);
  return [
    ...(consent.asks === true || text.trimEnd().endsWith('?') ? [rules({ act: 'ask' })] : []),
    // If all words belong to a value, none of them is a condition.
    ...((consent.isHedged && (value === undefined || value.isUnsure === true)) ||
    (!isAdded && saysOtherValue(moment, consent, text))
      ? [rules({ act: 'hedge' })]
      : []),
    ...((isFact && value === undefined) || isRepeated ? [rules({ act: 'restate' })] : []),
    ...(consent.answer === undefined &&
    !consent.isHedged &&
    value === undefined &&
    moment.graph.reader.saysNothing(text)
      ? [rules({ act: 'stall' })]
      : []),
  ];
}

/**
 * Checks whether a yes with other words says another value than the open question: "yes, the second" to "Shall I book
 * December 1?".
 */
function saysOtherValue(moment: Moment, { leansYes }: Consent, text: string): boolean {
  const { graph, state, civil } = moment;
  const question = confirmationIn(state)?.payload.say;
  if (leansYes !== true || question === undefined) return false;
  return Object.entries(state.knowledge.slots).some(([name, { value }]) => {
    const slot = graph.slots.get(name);
    if (slot === undefined || !COUNTED.has(typeOf(slot).readAs)) return false;
    if (!question.includes(sayValue(moment, slot, value))) return false;
    const found = graph.reader.value(typeOf(slot).readAs, text, readingOptions(slot, civil));
    return found.ok ? !sameValue(found.value, value) : found.problem !== 'not-found';
  });
}

/** Kinds of values that a few words give: "the second", "at ten", "five". */
const COUNTED: ReadonlySet<string> = new Set(['number', 'integer', 'date', 'time']);

/** Checks whether the caller repeats the previous turn, assuming that it was not heard. */
function isSaidAgain({ state, graph }: Moment, text: string): boolean {
  const before = plainWords(state.dialogue.callerSaid.text);
  return graph.reader.wordCount(text) > 1 && before !== '' && before === plainWords(text);
}

function valueAct(moment: Moment, said: NonNullable<SaidSlot>, text: string): Act {
  const { graph, state } = moment;
  const { slot: name, value, isUnsure, takesBack, agrees } = said;
  const slot = graph.slots.get(name);
  const isReadBack = confirmationIn(state)?.payload.subject.kind === 'slot';
  // Almost any few words can be read as a name, so replacing a name that was read back requires a no.
  const isOtherName = isReadBack && slot !== undefined && typeOf(slot).readAs === 'name';
  const certain = isUnsure !== true && !(isOtherName && graph.reader.leaning(text) !== 'no');
  const isKnown = slot !== undefined && Object.hasOwn(state.knowledge.slots, name);
  const act = isKnown ? 'correct' : 'inform';
  return rules({ ...{ act, slot: name, value, certain }, ...(takesBack && { takesBack }), ...(agrees && { agrees }) });
}

/** "Uh huh" is read as a yes rather than as "uh?". */
function requestIn(moment: Moment, consent: Consent, text: string): readonly Act[] {
  const request = consent.answer === undefined ? moment.graph.reader.request(text) : null;
  // "How much again?" asks for the last line only if it says a value.
  if (request === null || (request === 'value' && !saysAnyValue(moment, lineToRepeat(moment)))) return [];
  return [rules({ act: 'request', of: request === 'patience' ? 'time' : 'repeat' })];
}

function callMeant(moment: Moment, { answer }: Consent): readonly Act[] {
  const { graph, state } = moment;
  const node = nodeOf(graph, state, state.position.node);
  if (node === null || answer === undefined) return [];
  const line = node.say == null || confirmationIn(state) !== undefined ? '' : speak(moment, node.say);
  const name = functionMeant(moment, node, answer, line);
  return name === undefined ? [] : [rules({ act: 'call', function: name, arguments: {} })];
}

/** Checks whether a sentence continues: it ends in a comma, a dash or dots. */
function endsOpen(text: string): boolean {
  return /(?:[,;:–—-]|\.\.\.|…)\s*$/u.test(text);
}

/** Reads the words as an answer to a generator's typed question. */
function answeredIn(moment: Moment, text: string): readonly Act[] {
  const { graph, civil } = moment;
  const slot = generatorSlot(moment);
  if (slot === null) return [];
  const whole = completedSaid(moment, slot, text);
  if (whole !== undefined) return answerActs({ ok: true, value: whole.value, isUnderstood: true }, slot.name);
  const found = graph.reader.value(typeOf(slot).readAs, text, readingOptions(slot, civil));
  // "Is it open on Friday?" asks about a day and chooses none: the model answers.
  if (found.ok && !found.certain && (text.includes('?') || graph.reader.consent(text).asks === true)) return [];
  const isUnderstood = found.ok || found.problem === 'invalid' || found.problem === 'out-of-range';
  return answerActs({ ...readText(graph.reader, slot, text, civil), isUnderstood }, slot.name);
}

/** Returns values of other slots that are unknown or may be replaced, whether or not they were asked for. */
function mentionsIn(moment: Moment, consent: Consent, whole: SaidSlot, text: string): readonly Act[] {
  const { graph, state, civil } = moment;
  if (consent.answer !== undefined || graph.reader.saysNothing(text)) return [];
  // Words that are entirely one value fill the requested slot only.
  if (whole !== undefined && whole.isUnsure !== true) return [];
  const mentions: Act[] = [];
  const renewed = renewedSlots(graph);
  for (const slot of graph.slots.values()) {
    const known = valueOf(state, slot.name);
    if (typeOf(slot).isTold !== true || slot.name === whole?.slot) continue;
    if (known !== undefined && !renewed.has(slot.name)) continue;
    const found = graph.reader.value(typeOf(slot).readAs, text, { ...readingOptions(slot, civil), asked: false });
    if (found.ok && found.certain && found.value !== known?.value)
      mentions.push(rules({ act: 'inform', slot: slot.name, value: found.value, certain: true }));
  }
  return mentions;
}

/** Checks whether the words are only a fact, such as "December third.", and therefore not a consent. */
function tellsFact(moment: Moment, told: SaidSlot, text: string): boolean {
  const { graph, state } = moment;
  const subject = confirmationIn(state)?.payload.subject;
  if (subject?.kind === 'slot') {
    const slot = graph.slots.get(told?.slot ?? '');
    // Almost any few words can be read as a name, so replacing one requires a no.
    const isOther = slot !== undefined && told !== undefined && told.value !== subject.value;
    return isOther && (typeOf(slot).readAs !== 'name' || graph.reader.leaning(text) === 'no');
  }
  if (subject?.kind !== 'call') return false;
  if (told !== undefined) return true;
  return Object.entries(state.knowledge.slots).some(([name, { value }]) => {
    const slot = graph.slots.get(name);
    if (slot === undefined || typeOf(slot).isYesOrNo === true) return false;
    if (valueSaid(moment, slot, text)?.value === value || isOnly(graph.reader, text, value)) return true;
    // A choice may appear within other words: "my tooth hurts".
    const found =
      typeOf(slot).readAs === 'enum' ? graph.reader.value('enum', text, readingOptions(slot, moment.civil)) : null;
    return found?.ok === true && found.certain && found.value === value;
  });
}

/** Checks whether a text is the value itself, apart from connecting words. */
function isOnly(reader: Reader, text: string, value: Json): boolean {
  const at = typeof value !== 'string' || value === '' ? -1 : text.toLowerCase().indexOf(value.toLowerCase());
  if (typeof value !== 'string' || at < 0) return false;
  return isSaidAlone(reader, text, { start: at, end: at + value.length });
}

/**
 * Returns the one function that a plain answer calls: by the author's `answers`, or by descriptions that
 * mention agreeing or refusing. For a call that waits for consent, a no may call the function for refusals.
 */
function functionMeant(
  { graph, state }: Moment,
  node: GraphNode,
  answer: 'yes' | 'no',
  line: string,
): string | undefined {
  const subject = confirmationIn(state)?.payload.subject;
  if (subject !== undefined && (subject.kind !== 'call' || answer === 'yes')) return undefined;
  // The model has asked a later question than the node's line.
  if (state.dialogue.modelAsked || (subject === undefined && (node.say === null || node.collect.length > 0)))
    return undefined;
  const others = node.functions.filter(({ name }) => subject === undefined || name !== subject.call.name);
  const told = others.filter((offered) => offered.answers === answer);
  const asksYesOrNo = subject !== undefined || graph.reader.isYesNoQuestion(lastQuestionOf(line));
  const described = others.filter(({ answers }) => asksYesOrNo && answers === null);
  const descriptions = described.map(({ description }) => description);
  const meant =
    told.length > 0
      ? told
      : described.filter(({ description }) => graph.reader.answerMeant(description, descriptions) === answer);
  const [only] = meant;
  if (meant.length !== 1 || only === undefined || !movesAlone(only)) return undefined;
  return graph.nodes.has(only.target.to) ? only.name : undefined;
}
