import type { Reader } from '../../ports/reader.ts';

/**
 * The choice that an answer to `question` means: by its name or a word that only it has, by its place, or by a plain yes or
 * no where that is a choice. Undefined where the words leave room, or deny or doubt what they name; the question is then
 * asked again. If the language has no rules, or the words or the question are of another one, only a choice word for word is
 * an answer.
 */
export function spokenChoice(
  reader: Reader,
  text: string,
  choices: readonly string[],
  question = '',
): string | undefined {
  const named = choices.find((choice) => bare(choice) === bare(text));
  const hasRules = reader.lines !== null;
  if (named !== undefined || !hasRules || !reader.isOwn(text) || !reader.isOwn(question)) return named;
  const { answer, isHedged, negates, asks } = reader.consent(text, question);
  const isMeant = (choice: string): boolean => answer !== undefined && reader.consent(choice).answer === answer;
  const plain = choices.filter(isMeant);
  if (plain.length === 1) return plain[0];
  // "I do not think that we should approve it" names a choice, and does not mean it.
  if (negates === true && !choices.some((choice) => reader.consent(choice).negates === true)) return undefined;
  const values = new Map(choices.map((choice) => [choice, []]));
  const reading = reader.value('enum', text, { now: '', asked: true, values });
  if (!reading.ok || typeof reading.value !== 'string') return undefined;
  const { value, certain, start, end } = reading;
  const beside = bare(`${text.slice(0, start)} ${text.slice(end)}`);
  const isAll = beside === '' || reader.isConnecting(beside, question);
  if ((isHedged || asks === true) && !isAll) return undefined;
  return certain || reader.consent(value).answer === undefined ? value : undefined;
}

/** Whether a choice is a refusal, which nobody has to hear the whole question for. */
export function isRefusal(reader: Reader, choice: string): boolean {
  return reader.consent(choice).answer === 'no' || reader.answerMeant(choice) === 'no';
}

function bare(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');
}
