import { describe, expect, it } from 'vitest';
import type { ValueKind } from '../../src/model/ports/reader.ts';
import { languages } from './languages.ts';
import { NOW } from './conformance.ts';

const readerOf = new Map(languages.map(([name, reader]) => [name, reader]));
const options = { now: NOW, asked: true, direction: 'future' } as const;

/** The language, the kind, a value, and words in which the value is taken back. */
const takenBack: readonly (readonly [string, ValueKind, string | number, string])[] = [
  ['English', 'integer', 2, 'Not two.'],
  ['English', 'integer', 2, 'There will never be two of us.'],
  ['English', 'integer', 4, 'Not four, I think.'],
  ['English', 'integer', 3, "It can't be three."],
  ['English', 'integer', 3, 'Any number except three.'],
  ['English', 'integer', 2, 'Two, but'],
  ['English', 'integer', 2, 'The other two are coming later.'],
  ['English', 'integer', 2, 'Two if my wife comes.'],
  ['English', 'integer', 5, 'Five or so people, or six.'],
  ['English', 'date', '2026-11-26', 'Friday not Thursday.'],
  ['English', 'date', '2026-11-27', 'Friday may not work.'],
  ['English', 'date', '2026-11-27', 'Friday is not good.'],
  ['English', 'date', '2026-11-25', "I can't on Wednesday."],
  ['English', 'date', '2026-11-25', "Wednesday I can't come."],
  ['English', 'date', '2026-11-27', 'Friday, but'],
  ['English', 'date', '2026-11-27', 'Any day except Friday.'],
  ['English', 'date', '2026-11-27', 'If it rains, Friday.'],
  ['English', 'date', '2026-11-27', 'Friday unless it rains.'],
  ['English', 'date', '2026-11-27', "My husband wouldn't want Friday."],
  ['English', 'time', '15:00', 'Never at 3 pm.'],
  ['English', 'time', '15:00', "We aren't free at 3 pm and on Monday."],
  ['English', 'phone', '+14155552671', 'The number of the other driver is 415 555 2671.'],
  ['English', 'phone', '+14155552671', "My wife's number is 415 555 2671."],
  ['English', 'phone', '+14155552671', 'My old number was 415 555 2671.'],
  ['English', 'phone', '+14155552671', "It's not 415 555 2671."],
  ['English', 'email', 'ann@example.com', "Don't use ann@example.com."],
  ['English', 'email', 'ann@example.com', 'Her address is ann@example.com.'],
  ['English', 'name', 'Ann Miller', "My name isn't Ann Miller."],
  ['English', 'name', 'Ann Miller', 'The other driver is called Ann Miller.'],
  ['Spanish', 'integer', 2, 'No somos dos.'],
  ['Spanish', 'integer', 2, 'Los otros dos vienen luego.'],
  ['Spanish', 'date', '2026-11-27', 'El viernes no puedo.'],
  ['Spanish', 'date', '2026-11-27', 'El viernes, pero'],
  ['Spanish', 'date', '2026-11-27', 'Cualquier día excepto el viernes.'],
  ['Spanish', 'phone', '+34612345678', 'El número de mi mujer es 612 345 678.'],
  ['German', 'integer', 2, 'Nicht zwei.'],
  ['German', 'integer', 2, 'Die anderen zwei kommen später.'],
  ['German', 'date', '2026-11-27', 'Am Freitag kann ich nicht.'],
  ['German', 'date', '2026-11-27', 'Freitag, wenn es nicht regnet.'],
  ['German', 'phone', '+4915112345678', 'Die Nummer vom anderen Fahrer ist 0151 12345678.'],
  ['French', 'integer', 2, 'On n’est pas deux.'],
  ['French', 'date', '2026-11-27', 'Pas vendredi.'],
  ['French', 'date', '2026-11-27', 'Tous les jours sauf vendredi.'],
  ['French', 'phone', '+33612345678', "Le numéro de l'autre conducteur est le 06 12 34 56 78."],
  ['Portuguese', 'integer', 2, 'Não somos dois.'],
  ['Portuguese', 'date', '2026-11-27', 'Na sexta não posso.'],
  ['Portuguese', 'date', '2026-11-27', 'Qualquer dia exceto sexta-feira.'],
  ['Portuguese', 'phone', '+5511987654321', 'O número do outro motorista é 11 98765-4321.'],
];

/** The same in words that only say the value. */
const said: readonly (readonly [string, ValueKind, string | number, string])[] = [
  ['English', 'integer', 3, 'Not two, three.'],
  ['English', 'integer', 3, 'Not two but three.'],
  ['English', 'integer', 2, "I don't smoke, and there are two of us."],
  ['English', 'integer', 4, 'No, four.'],
  ['English', 'integer', 0, 'None.'],
  ['English', 'date', '2027-05-05', 'The fifth of May not the fourth.'],
  ['English', 'date', '2026-11-27', 'Friday not Thursday.'],
  ['English', 'integer', 10, 'Lilies instead of roses, ten of them.'],
  ['English', 'time', '10:00', 'I could do ten am but not on Monday.'],
  ['English', 'date', '2026-11-23', 'Maybe on Monday?'],
  ['English', 'date', '2026-11-26', "Friday I can't, Thursday works."],
  ['English', 'date', '2026-11-27', 'Friday, if possible.'],
  ['English', 'date', '2026-11-27', 'No problem, Friday.'],
  ['English', 'date', '2026-11-27', "I can't on Wednesday, but Friday is fine."],
  ['English', 'phone', '+14155552671', "My number is 415 555 2671, I don't have another one."],
  ['English', 'name', 'Ann Miller', "It's Ann Miller, not Müller."],
  ['Spanish', 'date', '2026-11-26', 'El viernes no puedo, el jueves.'],
  ['German', 'date', '2026-11-26', 'Freitag kann ich nicht, Donnerstag.'],
  ['French', 'integer', 3, 'Pas deux, trois.'],
  ['Portuguese', 'integer', 3, 'Não dois, três.'],
];

function groundingOf([language, kind, value, text]: (typeof said)[number], about = 'value Which one?'): string | null {
  const reader = readerOf.get(language);
  return reader?.grounding(kind, value, { turns: [text], asked: true, about, options }) ?? null;
}

describe('a value that something in its clause takes back', () => {
  it.each(takenBack)('%s: a %s %s is not certain in "%s"', (...example) => {
    const [language, kind, value, text] = example;
    expect(groundingOf(example)).not.toBe('said');
    const read = readerOf.get(language)?.value(kind, text, options);
    const isOthers = /wife|mujer|Her address/.test(text);
    if (!isOthers) expect(read?.ok === true && read.value === value && read.certain).toBe(false);
  });

  it.each(said)('%s: a %s %s is said in "%s"', (...example) => {
    expect(groundingOf(example)).toBe('said');
  });

  it('of another person is said where its author asks for that one', () => {
    const about = "wife_phone What is your wife's number?";
    expect(groundingOf(['English', 'phone', '+14155552671', "My wife's number is 415 555 2671."], about)).toBe('said');
    expect(groundingOf(['English', 'phone', '+14155552671', 'Her number is 415 555 2671.'], about)).toBe('said');
  });
});
