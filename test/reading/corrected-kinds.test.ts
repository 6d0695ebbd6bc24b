import { describe, expect, it } from 'vitest';
import { languages } from './languages.ts';

const options = { now: '2026-11-27T10:00', asked: true, direction: 'future' } as const;
const readerOf = new Map(languages.map(([name, reader]) => [name, reader]));

describe('a correction of a number of people, a room or an hour', () => {
  it.each([
    ['English', 'hold on, five, no, six people'],
    ['English', 'wait, six of us'],
    ['English', 'no, five guests'],
    ['English', 'sorry, I meant room 12'],
    ['English', 'no, flight 204'],
    ['English', 'no sorry, two nights'],
    ['Spanish', 'espera, cinco, no, seis personas'],
    ['German', 'Moment, fünf, nein, sechs Personen'],
    ['French', 'attendez, cinq, non, six personnes'],
    ['Portuguese', 'espera, cinco, não, seis pessoas'],
  ])('is not a day and not a time: %s, "%s"', (language, text) => {
    const reader = readerOf.get(language);
    expect(reader?.value('date', text, options).ok).toBe(false);
    expect(reader?.value('time', text, options).ok).toBe(false);
  });

  it('of an hour is not a day', () => {
    expect(readerOf.get('English')?.value('date', 'no, at seven', options).ok).toBe(false);
    expect(readerOf.get('English')?.value('time', 'no, at seven', options)).toMatchObject({ value: '07:00' });
  });

  it('of a day is a day', () => {
    for (const text of ['no, the fifth', 'no, five', 'sorry, I meant the fifth'])
      expect(readerOf.get('English')?.value('date', text, options)).toMatchObject({ value: '2026-12-05' });
  });
});

describe('a choice that is corrected', () => {
  const values = new Map([
    ['small', ['pequeño', 'klein', 'petit', 'pequeno']],
    ['large', ['grande', 'groß', 'grand']],
  ]);
  it.each([
    ['English', 'small no large'],
    ['English', 'small, no, the large one please'],
    ['English', 'small no no large'],
    ['Spanish', 'pequeño, no, grande'],
    ['Spanish', 'pequeño, perdón, grande'],
    ['German', 'klein nein groß'],
    ['German', 'klein, nein, groß bitte'],
    ['French', 'petit, non, grand'],
    ['Portuguese', 'pequeno, não, grande'],
  ])('is the last one: %s, "%s"', (language, text) => {
    expect(readerOf.get(language)?.value('enum', text, { ...options, values })).toMatchObject({
      ok: true,
      value: 'large',
    });
  });

  it.each([
    ['English', 'small not large', 'small'],
    ['German', 'klein, nicht groß', 'small'],
    ['French', 'petit, pas grand', 'small'],
  ])('is told from one that is denied: %s, "%s"', (language, text, value) => {
    expect(readerOf.get(language)?.value('enum', text, { ...options, values })).toMatchObject({ ok: true, value });
  });

  it('is asked for where a pause would tell', () => {
    for (const [language, text] of [
      ['Spanish', 'pequeño no grande'],
      ['Portuguese', 'pequeno não grande'],
    ] as const)
      expect(readerOf.get(language)?.value('enum', text, { ...options, values })).toMatchObject({
        problem: 'ambiguous',
      });
  });
});

describe('words that take back what was said, with or without a no', () => {
  const said: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    English: { name: 'Robert Smith', date: 'December third', integer: 'four', phone: '415 555 2671' },
    Spanish: { name: 'Roberto García', date: 'el tres de diciembre', integer: 'cuatro', phone: '612 345 678' },
    German: { name: 'Robert Schmidt', date: 'der dritte Dezember', integer: 'vier', phone: '0151 12345678' },
    French: { name: 'Robert Martin', date: 'le trois décembre', integer: 'quatre', phone: '06 12 34 56 78' },
    Portuguese: { name: 'Roberto Silva', date: 'três de dezembro', integer: 'quatro', phone: '11 91234 5678' },
  };
  it.each([
    ['English', ['No, ', 'Oh, wait, it is ', 'Sorry, I meant ', 'Yes, sorry, it is ']],
    ['Spanish', ['No, ', 'Ah, espere, es ', 'Perdón, es ', 'No, perdón, quería decir ', 'Sí, perdón, es ']],
    [
      'German',
      ['Nein, ', 'Ach, Moment, es ist ', 'Entschuldigung, ich meinte ', 'Warten Sie, es ist ', 'Doch lieber '],
    ],
    ['French', ['Non, ', "Ah, attendez, c'est ", 'Excusez-moi, je voulais dire ', 'Non, pardon, ']],
    ['Portuguese', ['Não, ', 'Ah, espere, é ', 'Desculpe, quis dizer ', 'Aliás, ']],
  ] as const)('make the value behind them a correction of each kind: %s', (language, heads) => {
    for (const head of heads)
      for (const [kind, words] of Object.entries(said[language] ?? {})) {
        const text = `${head}${words}.`;
        const plain = readerOf.get(language)?.value(kind as 'name', words, options); // The kinds above.
        const value = plain?.ok === true ? plain.value : undefined;
        const certain = kind === 'name' ? {} : { certain: true };
        expect(value, words).toBeDefined();
        expect(readerOf.get(language)?.value(kind as 'name', text, options), text).toMatchObject({
          ...{ ok: true, corrects: true, value, ...certain },
        });
      }
  });

  it.each([
    ['Spanish', 'No dos.'],
    ['Portuguese', 'Não dois.'],
    ['German', 'Nicht zwei.'],
    ['French', 'Pas deux.'],
  ])('are not a denial without a pause: %s, "%s"', (language, text) => {
    expect(readerOf.get(language)?.value('integer', text, options)).not.toMatchObject({ corrects: true });
  });
});
