import type { Act, Utterance } from '../../events/dialogue.ts';
import { plainWords } from '../../kernel/dialogue/heard.ts';
import { answerActs } from '../../kernel/dialogue/old-reading.ts';
import { askedSlot } from '../../graph/generator-graph.ts';
import type { ToolPayload } from '../../events/effect.ts';
import type { GraphNode, GraphSlot } from '../../graph/graph.ts';
import { renewedSlots } from '../../graph/renewed-slots.ts';
import { typeOf } from '../../slots/slot-types.ts';
import { lastQuestionOf } from '../../expression/sentences.ts';
import { confirmationIn } from '../../kernel/draft.ts';
import { type Moment, speak } from '../../kernel/names.ts';
import { nodeOf } from '../../kernel/offers.ts';
import { movesAlone } from '../../kernel/said.ts';
import { questionOf } from '../../kernel/generator-frame.ts';
import { readingOptions, readText } from './read-slot.ts';
import { askedAbout } from './asked-about.ts';
import { declines } from './declines.ts';
import { codeIn } from './read-code.ts';
import type { Json } from '../../events/json.ts';
import type { Consent, Reader } from '../../ports/reader.ts';
import { valueOf, withinRules } from '../../kernel/slots.ts';
import { namesOfQuestion, slotsOfQuestion } from '../../kernel/waits.ts';

/** Reads a caller's words as dialogue acts in the current state of the session, before the step that folds them. Pure. */
export function readUtterance(moment: Moment, text: string): Utterance {
  const { reader } = moment.graph;
  const consent = reader.consent(text, questionPut(moment));
  const corrected = correctionSaid(moment, text);
  const value = oneOf(moment, slotSaid(moment, text), corrected);
  // Where the words are not known, the model may have understood them.
  const isBlank = reader.wordCount(text) === 0;
  const acts = [
    ...answerIn(consent),
    ...besideAnswer(moment, consent, value, text),
    ...(isBlank && text.trim() !== '' ? [rules({ act: 'noise' })] : []),
    ...(value === undefined ? [] : [valueAct(moment, value, text)]),
    ...mentionsIn(moment, consent, value, text),
    ...callMeant(moment, consent),
    ...(corrected === undefined && declines(moment, text) ? [rules({ act: 'decline' })] : []),
    ...requestIn(reader, consent, text),
    ...answeredIn(moment, text),
  ];
  const isCovered = consent.answer !== undefined || isBlank || value !== undefined || reader.saysNothing(text);
  const foreign = reader.lines === null || !reader.isOwn(text);
  return { acts, rest: !isCovered, unfinished: consent.isUnfinished === true || endsOpen(text), foreign };
}

type RulesAct = Act extends infer One ? (One extends Act ? Omit<One, 'by'> : never) : never;

function rules(act: RulesAct): Act {
  return { by: 'rules', ...act };
}

/** The question whose words an answer may repeat. */
function questionPut(moment: Moment): string {
  const { graph, state } = moment;
  const wait = confirmationIn(state);
  if (wait !== undefined) return wait.payload.say;
  const question = questionOf(state);
  if (question?.isConsent === true) return question.text;
  const node = nodeOf(graph, state, state.node);
  const line = node?.say == null ? '' : speak(moment, node.say);
  // "My bill is wrong" answers "It counts from your next bill. Is there anything else?" only if the bill is what is asked about.
  const asked = lastQuestionOf(line);
  return asked === '' ? line : asked;
}

function answerIn(consent: Consent): readonly Act[] {
  const side = consent.answer ?? (consent.leansYes === true ? 'yes' : consent.leansNo === true ? 'no' : undefined);
  if (side !== undefined) return [rules({ act: 'answer', yes: side === 'yes', strength: consent.strength ?? 'plain' })];
  return consent.usesVerb === true ? [rules({ act: 'echo' })] : [];
}

/** What takes a yes away that stands beside it: a question, a condition, a fact. */
function besideAnswer(moment: Moment, consent: Consent, value: SaidSlot, text: string): readonly Act[] {
  const isFact = consent.answer === undefined && consent.leansYes !== true && tellsFact(moment, value, text);
  const isRepeated = value === undefined && consent.answer === undefined && isSaidAgain(moment, text);
  return [
    ...(consent.asks === true || text.trimEnd().endsWith('?') ? [rules({ act: 'ask' })] : []),
    // Where all words are those of a value, none of them is a condition.
    ...(consent.isHedged && (value === undefined || value.isUnsure === true) ? [rules({ act: 'hedge' })] : []),
    ...((isFact && value === undefined) || isRepeated ? [rules({ act: 'restate' })] : []),
    ...(consent.answer === undefined &&
    !consent.isHedged &&
    value === undefined &&
    moment.graph.reader.saysNothing(text)
      ? [rules({ act: 'stall' })]
      : []),
  ];
}

/** The same sentence as in the turn before: the caller believes that it was not heard. */
function isSaidAgain({ state, graph }: Moment, text: string): boolean {
  const before = plainWords(state.callerSaid.text);
  return graph.reader.wordCount(text) > 1 && before !== '' && before === plainWords(text);
}

function valueAct(moment: Moment, { slot: name, value, isUnsure }: NonNullable<SaidSlot>, text: string): Act {
  const { graph, state } = moment;
  const slot = graph.slots.get(name);
  const isReadBack = confirmationIn(state)?.payload.subject.kind === 'slot';
  // Any few words can be read as a name: it takes a no to make them another one than the one that was read back.
  const isOtherName = isReadBack && slot !== undefined && typeOf(slot).readAs === 'name';
  const certain = isUnsure !== true && !(isOtherName && graph.reader.leaning(text) !== 'no');
  const isKnown = slot !== undefined && Object.hasOwn(state.slots, name);
  return rules({ act: isKnown ? 'correct' : 'inform', slot: name, value, certain });
}

/** "Uh huh" is a yes before it is an "uh?". */
function requestIn(reader: Reader, consent: Consent, text: string): readonly Act[] {
  const request = consent.answer === undefined ? reader.request(text) : null;
  return request === null ? [] : [rules({ act: 'request', of: request === 'patience' ? 'time' : 'repeat' })];
}

function callMeant(moment: Moment, { answer }: Consent): readonly Act[] {
  const { graph, state } = moment;
  const node = nodeOf(graph, state, state.node);
  if (node === null || answer === undefined) return [];
  const line = node.say == null || confirmationIn(state) !== undefined ? '' : speak(moment, node.say);
  const name = functionMeant(moment, node, answer, line);
  return name === undefined ? [] : [rules({ act: 'call', function: name, arguments: {} })];
}

/** A sentence that ends in a comma, a dash or dots goes on. */
function endsOpen(text: string): boolean {
  return /(?:[,;:–—-]|\.\.\.|…)\s*$/u.test(text);
}

/** Reads the words as an answer to the typed question of a generator. */
function answeredIn({ graph, state, civil }: Moment, text: string): readonly Act[] {
  const question = questionOf(state);
  const slot = question === null ? null : askedSlot(question, graph.speech);
  if (slot === null || question === null) return [];
  const found = graph.reader.value(typeOf(slot).readAs, text, readingOptions(slot, civil));
  const isUnderstood = found.ok || found.problem === 'invalid' || found.problem === 'out-of-range';
  return answerActs({ ...readText(graph.reader, slot, text, civil), isUnderstood }, question.key);
}

/** Values of slots that are not known, or may be told anew, whoever asks for them. */
function mentionsIn(moment: Moment, consent: Consent, whole: SaidSlot, text: string): readonly Act[] {
  const { graph, state, civil } = moment;
  if (consent.answer !== undefined || graph.reader.saysNothing(text)) return [];
  // The words are all of one value: they fill the slot that was asked for, and no other.
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

type SaidSlot = { readonly slot: string; readonly value: Json; readonly isUnsure?: true } | undefined;

/** The value that the text gives to the slot that is asked for or read back; undefined where the text has other words too. */
function slotSaid(moment: Moment, text: string): SaidSlot {
  const { graph, state } = moment;
  const subject = confirmationIn(state)?.payload.subject;
  if (subject?.kind === 'call') return slotCorrected(moment, subject.call, text);
  const name = subject?.kind === 'slot' ? subject.slot : state.pendingAskKey;
  const slot = name === null ? undefined : graph.slots.get(name);
  const value = slot === undefined ? undefined : (valueSaid(moment, slot, text) ?? valueKept(moment, slot, text));
  if (slot === undefined || value === undefined || subject !== undefined) return value;
  const said = state.said.text === '' ? state.saidBefore.text : state.said.text;
  return askedAbout(graph, state, slot, said) === 'this' ? value : { ...value, isUnsure: true };
}

/** "The same" to the question for a slot that is asked for again: its value. */
function valueKept({ graph, state }: Moment, { name }: GraphSlot, text: string): SaidSlot {
  const known = valueOf(state, name);
  if (known === undefined || !state.askAgain.includes(name) || !graph.reader.keeps(text)) return undefined;
  return { slot: name, value: known.value };
}

/** Chooses between two slots that the words may be for: the one whose rules take the value; neither where both do. */
function oneOf({ graph, state, civil }: Moment, one: SaidSlot, other: SaidSlot): SaidSlot {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.slot === other.slot || confirmationIn(state) !== undefined) return one;
  // "I meant thirty of us" is sure to be a number of people, and hardly the thirtieth.
  if (one.isUnsure === true && other.isUnsure !== true) return other;
  const fit = [one, other].filter(({ slot: name, value }) => {
    const slot = graph.slots.get(name);
    return slot !== undefined && withinRules(slot, { ok: true, value }, civil).ok;
  });
  return fit.length === 1 ? fit[0] : undefined;
}

/**
 * A new value for a slot that the caller has filled, the last one first, where the text takes the old one back: "no, sorry, I
 * meant". The slot that is asked for does not matter.
 */
function correctionSaid(moment: Moment, text: string): SaidSlot {
  const { graph, state } = moment;
  const told = Object.entries(state.slots).flatMap(([name, { value, source, grounded }]) => {
    const turn = grounded === false || (source?.kind !== 'said' && source?.kind !== 'correction') ? 0 : source.turn;
    return turn === 0 ? [] : [{ slot: graph.slots.get(name), value, turn }];
  });
  const last = Math.max(...told.map(({ turn }) => turn));
  const correctedIn = (some: typeof told): readonly NonNullable<SaidSlot>[] =>
    some.flatMap(({ slot, value }) => {
      if (slot === undefined || typeOf(slot).isYesOrNo === true) return [];
      const found = valueSaid(moment, slot, text, !tellsItself(moment, slot));
      if (found === undefined || found.value === value) return [];
      // Any few words can be read as a name, and may be the answer to what is asked by now.
      return [typeOf(slot).readAs === 'name' ? { ...found, isUnsure: true as const } : found];
    });
  const newest = correctedIn(told.filter(({ turn }) => turn === last));
  // What was told earlier is corrected by a value of its own kind, which no other known slot takes.
  const said = newest.length > 0 ? newest : correctedIn(told.filter(({ turn }) => turn !== last));
  return said.length === 1 ? said[0] : undefined;
}

/**
 * Whether a value of the slot is a correction also without words that correct: at a question that is about no other value of
 * its form. "My number is 415 555 0000" to "Shall I book Friday?" is about the number that is known.
 */
function tellsItself({ graph, state }: Moment, slot: GraphSlot): boolean {
  const subject = confirmationIn(state)?.payload.subject;
  const { isPersonal, readAs } = typeOf(slot);
  // Any few words can be read as a name.
  if (subject === undefined || state.modelAsked || isPersonal !== true || readAs === 'name') return false;
  const asked = subject.kind === 'slot' ? graph.slots.get(subject.slot) : undefined;
  return asked === undefined || typeOf(asked).readAs !== readAs;
}

/** The new value for a slot of the call that waits for a yes; undefined unless the text changes exactly one slot. */
function slotCorrected(moment: Moment, call: ToolPayload, text: string): SaidSlot {
  const { graph, state } = moment;
  const about = slotsOfQuestion(graph, state, call);
  const names = namesOfQuestion(graph, state, call);
  const named = about.filter(({ name }) => names === null || names.includes(name));
  const said = about.flatMap((slot) => {
    // "Yesterday" to a question that names a day is about that day: it takes words that correct to make it another date.
    const mustCorrect = !named.includes(slot) && named.some((one) => typeOf(one).readAs === typeOf(slot).readAs);
    const value = typeOf(slot).isYesOrNo === true ? undefined : valueSaid(moment, slot, text, mustCorrect);
    if (value === undefined || value.value === state.slots[slot.name]?.value) return [];
    // "Yes, we have one" agrees to a thing, and counts none.
    if (value.value === 1 && graph.reader.consent(text).leansYes === true) return [];
    // Any few words can be read as a name: it takes a no to make them a correction of one.
    const isName = typeOf(slot).readAs === 'name';
    return isName && (value.isUnsure === true || graph.reader.leaning(text) !== 'no') ? [] : [value];
  });
  return said.length === 1 ? said[0] : undefined;
}

/** Whether the words are a fact and nothing else, which is no consent to what is asked about: "December third.". */
function tellsFact(moment: Moment, told: SaidSlot, text: string): boolean {
  const { graph, state } = moment;
  const subject = confirmationIn(state)?.payload.subject;
  if (subject?.kind === 'slot') {
    const slot = graph.slots.get(told?.slot ?? '');
    // Any few words can be read as a name: it takes a no to make them another one.
    const isOther = slot !== undefined && told !== undefined && told.value !== subject.value;
    return isOther && (typeOf(slot).readAs !== 'name' || graph.reader.leaning(text) === 'no');
  }
  if (subject?.kind !== 'call') return false;
  if (told !== undefined) return true;
  return Object.entries(state.slots).some(([name, { value }]) => {
    const slot = graph.slots.get(name);
    if (slot === undefined || typeOf(slot).isYesOrNo === true) return false;
    if (valueSaid(moment, slot, text)?.value === value || isOnly(graph.reader, text, value)) return true;
    // A choice is told in any words around those that mean it: "my tooth hurts".
    const found = slot.type === 'enum' ? graph.reader.value('enum', text, readingOptions(slot, moment.civil)) : null;
    return found?.ok === true && found.certain && found.value === value;
  });
}

/** Whether a text is the value itself, and words that lead to it. */
function isOnly(reader: Reader, text: string, value: Json): boolean {
  const at = typeof value !== 'string' || value === '' ? -1 : text.toLowerCase().indexOf(value.toLowerCase());
  if (typeof value !== 'string' || at < 0) return false;
  return reader.isConnecting(text.slice(0, at), '') && reader.isConnecting(text.slice(at + value.length), '');
}

/** Reads the words as a value of a slot and nothing else; as a correction only where they say no. */
function valueSaid({ graph, state, civil }: Moment, slot: GraphSlot, text: string, mustCorrect = false): SaidSlot {
  const subject = confirmationIn(state)?.payload.subject;
  // Any words are a text: whether they are the answer only a model can tell. A pattern tells a code from other words.
  if (text.includes('?')) return undefined;
  if (typeOf(slot).isAnyWords === true) return codeSaid({ graph, state, civil }, slot, text, mustCorrect);
  // Any few words of another language are a name as well.
  if (typeOf(slot).readAs === 'name' && !graph.reader.isOwn(text)) return undefined;
  if (typeOf(slot).isYesOrNo === true) {
    const answer =
      subject === undefined && !state.modelAsked ? plainAnswerTo({ graph, state, civil }, slot.ask, text) : undefined;
    if (answer === undefined) return undefined;
    // A yes to "You don't smoke, do you?" or to "Cash or card?" may mean either.
    const isOpen = slot.ask !== null && graph.reader.isNegativeOrEitherOr(speak({ graph, state, civil }, slot.ask));
    // "Cancel" refuses something, and answers no question about a fact.
    const isFact = graph.reader.value('boolean', text, readingOptions(slot, civil)).ok;
    return { slot: slot.name, value: answer === 'yes', ...(isOpen || !isFact ? { isUnsure: true as const } : {}) };
  }
  const found = graph.reader.value(typeOf(slot).readAs, text, readingOptions(slot, civil));
  // "No, the fourth": which fourth is read back, or named by the question about the call that it changes.
  const isMoment = typeOf(slot).readAs === 'date' || typeOf(slot).readAs === 'time';
  const isWrittenName = found.ok && typeOf(slot).readAs === 'name' && isCapitalised(text.slice(found.start, found.end));
  const isGuess = found.ok && !found.certain;
  // "No, Anna Berg.": a guess that is written as a name is proposed, and read back.
  if (!found.ok || (isGuess && !((isMoment || isWrittenName) && found.corrects === true))) return undefined;
  const asked = slot.ask === null ? '' : speak({ graph, state, civil }, slot.ask);
  const isLed =
    found.corrects === true || (!mustCorrect && graph.reader.isConnecting(text.slice(0, found.start), asked));
  if (!isLed || !graph.reader.isConnecting(text.slice(found.end), asked)) return undefined;
  const isUnsure = isGuess || (slot.type === 'name' && !isWrittenName);
  return { slot: slot.name, value: found.value, ...(isUnsure ? { isUnsure } : {}) };
}

/** A text of a slot's pattern, where all other words only lead to it. */
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

/** Whether all words are written like names. */
function isCapitalised(text: string): boolean {
  return (text.match(/\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*/gu) ?? []).every((word) => /^\p{Lu}/u.test(word));
}

function plainAnswerTo(moment: Moment, question: GraphNode['say'], text: string): Consent['answer'] {
  return moment.graph.reader.consent(text, question === null ? '' : speak(moment, question)).answer;
}

/**
 * The one function that a plain answer calls: by the author's word, or by what descriptions say of whoever agrees or
 * refuses. To a call that is asked about, a no may call the function of whoever refuses.
 */
function functionMeant(
  { graph, state }: Moment,
  node: GraphNode,
  answer: 'yes' | 'no',
  line: string,
): string | undefined {
  const subject = confirmationIn(state)?.payload.subject;
  if (subject !== undefined && (subject.kind !== 'call' || answer === 'yes')) return undefined;
  // What the model has asked since is not the line of the node.
  if (state.modelAsked || (subject === undefined && (node.say === null || node.collect.length > 0))) return undefined;
  const others = node.functions.filter(({ name }) => subject === undefined || name !== subject.call.name);
  const told = others.filter((offered) => offered.answers === answer);
  const asksYesOrNo = subject !== undefined || graph.reader.isYesNoQuestion(lastQuestionOf(line));
  const meant =
    told.length > 0
      ? told
      : others.filter(
          ({ answers, description }) =>
            answers === null && asksYesOrNo && graph.reader.answerMeant(description) === answer,
        );
  const [only] = meant;
  if (meant.length !== 1 || only === undefined || !movesAlone(only)) return undefined;
  return graph.nodes.has(only.target.to) ? only.name : undefined;
}
