import type { Act, ChoiceQuestion, Utterance } from '../../model/dialogue.ts';
import type { Consent, Reader } from '../../model/ports/reader.ts';
import { sideRead } from '../../kernel/dialogue/utterance.ts';

/** Creates a question with choices, and finds the choices that a plain yes and a plain no mean. */
export function choiceQuestion(reader: Reader, asked: Omit<ChoiceQuestion, 'affirms' | 'denies'>): ChoiceQuestion {
  const { question, choices, takesText } = asked;
  const affirms =
    onlyOne(choices, (choice) => reader.consent(choice).answer === 'yes') ?? verbIn(reader, question, choices);
  const refusal = onlyOne(choices, (choice) => isRefusal(reader, choice));
  // If a yes means one of two choices, a no means the other.
  const other =
    affirms !== undefined && choices.length === 2 ? choices.find((choice) => choice !== affirms) : undefined;
  const denies = refusal ?? other;
  return {
    ...{ question, choices },
    ...(takesText === undefined ? {} : { takesText }),
    ...(affirms === undefined ? {} : { affirms }),
    ...(denies === undefined || denies === affirms ? {} : { denies }),
  };
}

/** Reads an answer to a task's question as dialogue acts. In a language without rules, only the name or number of a choice is recognised. */
export function readChoice(reader: Reader, asked: ChoiceQuestion, text: string): Utterance {
  const { question, choices } = asked;
  const consent = reader.consent(text, question);
  const strength = consent.isPresence === true ? 'weak' : (consent.strength ?? 'plain');
  const choice = choiceMeant(reader, asked, text, consent);
  const isBlank = reader.wordCount(text) === 0 && text.trim() !== '';
  const foreign = !isRead(reader, asked, text);
  const side = foreign || choices.length === 0 ? undefined : sideRead(consent);
  const request = consent.answer === undefined && choice === undefined ? reader.request(text) : null;
  const acts: Act[] = [
    ...(choice === undefined ? [] : [{ by: 'rules', act: 'choose', choice } as const]),
    ...(side === undefined ? [] : [{ by: 'rules', act: 'answer', yes: side === 'yes', strength } as const]),
    ...(isBlank ? [{ by: 'rules', act: 'noise' } as const] : []),
    ...(consent.asks === true ? [{ by: 'rules', act: 'ask' } as const] : []),
    ...(consent.isHedged ? [{ by: 'rules', act: 'hedge' } as const] : []),
    ...(request === null
      ? []
      : [{ by: 'rules', act: 'request', of: request === 'patience' ? 'time' : 'repeat' } as const]),
  ];
  const isPlain = side !== undefined && consent.answer !== undefined;
  const isCovered = choice !== undefined || isPlain || isBlank || reader.saysNothing(text);
  return { acts, rest: !isCovered, unfinished: consent.isUnfinished === true, foreign };
}

/**
 * Returns the choice that the words name by its name, number, position or a
 * word that only it has. Undefined if they are ambiguous, negated or doubtful.
 */
function choiceMeant(reader: Reader, asked: ChoiceQuestion, text: string, consent: Consent): string | undefined {
  const { question, choices } = asked;
  const said = bare(text);
  const named = choices.find((choice) => bare(choice) === said);
  if (named !== undefined) return named;
  if (/^[1-9]\d{0,3}$/.test(said)) return choices[Number(said) - 1];
  if (choices.length === 0 || !isRead(reader, asked, text)) return undefined;
  // "Just a second" does not choose the second one.
  if (reader.request(text) !== null) return undefined;
  // The question decides what a yes or a no means.
  if (consent.answer !== undefined && (consent.answer === 'yes' ? asked.affirms : asked.denies) !== undefined)
    return undefined;
  // "I do not think that we should approve it" names a choice without choosing it.
  if (consent.negates === true && !choices.some((choice) => reader.consent(choice).negates === true)) return undefined;
  const values = new Map(choices.map((choice) => [choice, []]));
  const reading = reader.value('enum', text, { now: '', asked: true, values });
  if (!reading.ok || typeof reading.value !== 'string') return undefined;
  const { value, certain, start, end } = reading;
  const beside = bare(`${text.slice(0, start)} ${text.slice(end)}`);
  const isAll = beside === '' || reader.isConnecting(beside, question);
  if ((consent.isHedged || consent.asks === true) && !isAll) return undefined;
  return certain || reader.consent(value).answer === undefined ? value : undefined;
}

/** Returns the one choice with the verb of a yes-no question: "release" to "Shall I release it?". */
function verbIn(reader: Reader, question: string, choices: readonly string[]): string | undefined {
  return reader.isOwn(question)
    ? onlyOne(choices, (choice) => reader.consent(choice, question).answer === 'yes')
    : undefined;
}

/** Checks whether the language has rules for words that answer a question. */
function isRead(reader: Reader, { question }: ChoiceQuestion, text: string): boolean {
  return reader.lines !== null && !reader.isOther(text) && reader.isOwn(question);
}

function isRefusal(reader: Reader, choice: string): boolean {
  return reader.consent(choice).answer === 'no' || reader.answerMeant(choice) === 'no';
}

function onlyOne(choices: readonly string[], isOne: (choice: string) => boolean): string | undefined {
  const found = choices.filter(isOne);
  return found.length === 1 ? found[0] : undefined;
}

function bare(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');
}
