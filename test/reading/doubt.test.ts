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

/** A value inside a question of the caller's, which chooses nothing. */
const askedAbout: typeof said = [
  ['English', 'date', '2026-11-27', 'Is it open on Friday?'],
  ['English', 'date', '2026-11-27', 'Are you open on Friday'],
  ['English', 'date', '2026-11-27', 'How much is it on Friday?'],
  ['English', 'date', '2026-11-27', 'On Friday, are you open?'],
  ['English', 'date', '2026-11-27', 'You are open on Friday, right?'],
  ['English', 'date', '2026-11-27', 'Open on Friday?'],
  ['English', 'integer', 4, 'Is it cheaper for four people?'],
  ['English', 'time', '15:00', 'Do you close at 3 pm?'],
  ['English', 'date', '2026-11-27', 'What time do you open on Friday?'],
  ['English', 'integer', 2, 'How long does it take for two of us?'],
  ['German', 'date', '2026-11-27', 'Haben Sie am Freitag offen?'],
  ['German', 'date', '2026-11-27', 'Am Freitag, haben Sie da offen?'],
  ['German', 'date', '2026-11-27', 'Was kostet das am Freitag?'],
  ['German', 'integer', 4, 'Kostet das für vier Personen mehr?'],
  ['German', 'date', '2026-11-27', 'wann machen Sie am Freitag auf'],
  ['German', 'date', '2026-11-27', 'Ist am Freitag geschlossen?'],
  ['German', 'time', '15:00', 'Schließen Sie um 15 Uhr?'],
  ['French', 'date', '2026-11-27', 'Vous êtes ouverts vendredi ?'],
  ['French', 'date', '2026-11-27', "C'est ouvert vendredi ?"],
  ['French', 'date', '2026-11-27', 'Est-ce que vous êtes ouverts le vendredi ?'],
  ['French', 'integer', 4, "C'est plus cher pour quatre personnes ?"],
  ['French', 'date', '2026-11-27', 'Combien ça coûte vendredi ?'],
  ['French', 'date', '2026-11-27', 'Êtes-vous ouverts vendredi'],
  ['Spanish', 'date', '2026-11-27', '¿Está abierto el viernes?'],
  ['Spanish', 'date', '2026-11-27', '¿Abren el viernes?'],
  ['Spanish', 'date', '2026-11-27', 'El viernes, ¿abren?'],
  ['Spanish', 'date', '2026-11-27', '¿Cuánto cuesta el viernes?'],
  ['Spanish', 'integer', 4, '¿Es más caro para cuatro personas?'],
  ['Spanish', 'date', '2026-11-27', 'están abiertos el viernes'],
  ['Portuguese', 'date', '2026-11-27', 'Abre na sexta-feira?'],
  ['Portuguese', 'date', '2026-11-27', 'Vocês abrem na sexta-feira?'],
  ['Portuguese', 'date', '2026-11-27', 'Quanto custa na sexta-feira?'],
  ['Portuguese', 'integer', 4, 'Custa mais para quatro pessoas?'],
  ['Portuguese', 'date', '2026-11-27', 'Está aberto na sexta-feira?'],
];

/** Questions that ask for the value. */
const askedFor: typeof said = [
  ['English', 'date', '2026-11-27', 'Can I have Friday?'],
  ['English', 'integer', 4, 'Could we do four?'],
  ['English', 'date', '2026-11-27', 'How about Friday?'],
  ['English', 'date', '2026-11-27', 'Is Friday okay?'],
  ['English', 'date', '2026-11-27', 'Does Friday work?'],
  ['English', 'date', '2026-11-27', 'Friday?'],
  ['English', 'date', '2026-11-27', 'Do you have anything on Friday?'],
  ['English', 'date', '2026-11-27', 'Could you put me down for Friday?'],
  ['English', 'date', '2026-11-27', 'Is it open? Friday then.'],
  ['English', 'date', '2026-11-27', 'Friday please, and how much is it?'],
  ['English', 'integer', 2, 'There are two of us, are you open on Friday?'],
  ['English', 'date', '2026-11-27', 'Would Friday be possible'],
  ['German', 'date', '2026-11-27', 'Geht Freitag?'],
  ['German', 'date', '2026-11-27', 'Geht es am Freitag?'],
  ['German', 'date', '2026-11-27', 'Kann ich am Freitag kommen?'],
  ['German', 'date', '2026-11-27', 'Passt Freitag?'],
  ['German', 'date', '2026-11-27', 'Haben Sie am Freitag noch etwas frei?'],
  ['German', 'date', '2026-11-27', 'Wie wäre es mit Freitag?'],
  ['German', 'date', '2026-11-27', 'Am Freitag?'],
  ['German', 'integer', 4, 'Können wir zu viert kommen?'],
  ['French', 'date', '2026-11-27', 'Vendredi, ça va ?'],
  ['French', 'date', '2026-11-27', 'Je peux venir vendredi ?'],
  ['French', 'date', '2026-11-27', 'Est-ce que vendredi est possible ?'],
  ['French', 'date', '2026-11-27', 'Vendredi ?'],
  ['French', 'integer', 4, 'On peut être quatre ?'],
  ['Spanish', 'date', '2026-11-27', '¿Puede ser el viernes?'],
  ['Spanish', 'date', '2026-11-27', '¿Puedo ir el viernes?'],
  ['Spanish', 'date', '2026-11-27', '¿Qué tal el viernes?'],
  ['Spanish', 'date', '2026-11-27', '¿El viernes?'],
  ['Spanish', 'integer', 4, '¿Podemos ser cuatro?'],
  ['Portuguese', 'date', '2026-11-27', 'Pode ser na sexta-feira?'],
  ['Portuguese', 'date', '2026-11-27', 'Posso ir na sexta-feira?'],
  ['Portuguese', 'date', '2026-11-27', 'Que tal sexta-feira?'],
  ['Portuguese', 'date', '2026-11-27', 'Na sexta-feira?'],
  ['Portuguese', 'integer', 4, 'Podemos ser quatro?'],
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

  it.each(askedAbout)('%s: a %s %s is not said in "%s"', (...example) => {
    const [language, kind, value, text] = example;
    expect(groundingOf(example)).toBe('unsaid');
    const read = readerOf.get(language)?.value(kind, text, options);
    expect(read?.ok === true && read.value === value && read.certain).toBe(false);
  });

  it.each(askedFor)('%s: a %s %s is said in "%s"', (...example) => {
    expect(groundingOf(example)).toBe('said');
  });

  it('was said before a question that names it', () => {
    const turns = ['On Friday.', 'Is it open on Friday?'];
    const said = { turns, asked: true, about: 'day Which day?', options };
    expect(readerOf.get('English')?.grounding('date', '2026-11-27', said)).toBe('said');
  });

  it('of another person is said where its author asks for that one', () => {
    const about = "wife_phone What is your wife's number?";
    expect(groundingOf(['English', 'phone', '+14155552671', "My wife's number is 415 555 2671."], about)).toBe('said');
    expect(groundingOf(['English', 'phone', '+14155552671', 'Her number is 415 555 2671.'], about)).toBe('said');
  });
});
