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

describe('a denied value beside another one', () => {
  const values = new Map([
    ['small', ['small', 'pequeño', 'klein', 'petit', 'pequeno']],
    ['large', ['large', 'grande', 'groß', 'grand']],
  ]);
  const [wednesday, fifth] = ['2026-12-02', '2026-12-05'];

  it.each([
    ['English', 'date', wednesday, ['not Monday, Wednesday', 'Wednesday, not Monday', 'not on Monday, on Wednesday']],
    ['German', 'date', wednesday, ['nicht Montag, Mittwoch', 'nicht am Montag, am Mittwoch', 'Mittwoch, nicht Montag']],
    ['German', 'date', wednesday, ['Montag nicht, Mittwoch', 'nicht am Montag sondern am Mittwoch']],
    ['German', 'date', wednesday, ['nein, nicht diesen Montag, sondern nächsten Mittwoch']],
    [
      'German',
      'date',
      wednesday,
      ['nicht am Montag, dem dritten, sondern am Mittwoch', 'nicht am Montag dem dritten, am Mittwoch'],
    ],
    ['German', 'date', wednesday, ['nicht morgen, am Samstag, sondern am Mittwoch']],
    ['English', 'date', wednesday, ['not Monday the third, Wednesday', 'not on Monday, the third, but on Wednesday']],
    ['English', 'date', wednesday, ['not Monday, the third of January, but Wednesday']],
    ['French', 'date', wednesday, ['pas lundi, le trois, mais mercredi', 'pas le lundi trois janvier, mercredi']],
    ['Spanish', 'date', wednesday, ['no el lunes, día tres, sino el miércoles']],
    ['Portuguese', 'date', wednesday, ['não na segunda, dia três, mas na quarta']],
    ['German', 'integer', 5, ['nicht drei, vier, sondern fünf']],
    ['Spanish', 'integer', 5, ['no tres, cuatro, sino cinco']],
    ['German', 'date', fifth, ['nicht am dritten, am fünften', 'nicht den dritten, sondern den fünften']],
    [
      'German',
      'integer',
      5,
      ['nicht vier, fünf', 'nicht vier sondern fünf', 'fünf, nicht vier', 'nein, nicht vier, fünf'],
    ],
    ['German', 'time', '10:00', ['nicht um neun, um zehn', 'um zehn, nicht um neun', 'nicht um 9 Uhr, um 10 Uhr']],
    ['German', 'enum', 'large', ['nicht klein, groß', 'nicht klein sondern groß', 'groß, nicht klein']],
    ['French', 'date', wednesday, ['pas lundi, mercredi', 'pas le lundi, le mercredi', 'mercredi, pas lundi']],
    ['French', 'date', wednesday, ['pas ce lundi, mercredi prochain', 'non, pas lundi mais mercredi']],
    ['French', 'date', fifth, ['pas le trois, le cinq']],
    ['French', 'integer', 5, ['pas quatre, cinq', 'pas quatre mais cinq', 'cinq, pas quatre']],
    ['French', 'enum', 'large', ['pas petit, grand', 'pas le petit mais le grand', 'grand, pas petit']],
    ['Spanish', 'date', wednesday, ['no lunes, miércoles', 'no el lunes, el miércoles', 'el miércoles, no el lunes']],
    ['Spanish', 'date', wednesday, ['no el lunes sino el miércoles', 'el lunes no, el miércoles']],
    ['Spanish', 'integer', 5, ['no cuatro, cinco', 'no cuatro sino cinco', 'cinco, no cuatro', 'cuatro no, cinco']],
    ['Spanish', 'enum', 'large', ['no pequeño, grande', 'no el pequeño, sino el grande', 'grande, no pequeño']],
    ['Portuguese', 'date', wednesday, ['não segunda, quarta', 'não na segunda, na quarta', 'quarta, não segunda']],
    ['Portuguese', 'date', wednesday, ['não segunda, mas quarta', 'não na segunda-feira, e sim na quarta-feira']],
    ['Portuguese', 'integer', 5, ['não quatro, cinco', 'não quatro mas cinco', 'cinco, não quatro']],
    ['Portuguese', 'enum', 'large', ['não pequeno, grande', 'não o pequeno, mas o grande', 'grande, não pequeno']],
  ] as const)('is not read: %s, %s %s', (language, kind, value, texts) => {
    for (const text of texts)
      expect(readerOf.get(language)?.value(kind, text, { ...options, values }), text).toMatchObject({
        ok: true,
        value,
      });
  });

  it.each([
    ['German', 'date', ['nicht Montag', 'nicht am Montag', 'nein, nicht Montag']],
    ['German', 'integer', ['nicht vier', 'nein, nicht vier']],
    ['French', 'date', ['pas lundi', 'non, pas lundi']],
    ['Spanish', 'integer', ['no, no cuatro', 'cuatro no']],
    ['Portuguese', 'date', ['não, não na segunda', 'segunda não']],
  ] as const)('leaves nothing if there is no other: %s, %s', (language, kind, texts) => {
    for (const text of texts)
      expect(readerOf.get(language)?.value(kind, text, options), text).toMatchObject({ problem: 'not-found' });
  });

  it('is uncertain beside words that the rules do not know', () => {
    const reader = readerOf.get('German');
    expect(reader?.value('date', 'nicht am Montag, am Mittwoch', options)).toMatchObject({ certain: true });
    expect(reader?.value('date', 'nicht am ollen Montag, am Mittwoch', options)).toMatchObject({ certain: false });
    expect(reader?.value('date', 'ich weiß nicht, Montag', options)).toMatchObject({ certain: false });
    expect(readerOf.get('Spanish')?.value('integer', 'cinco, no cuatro', options)).toMatchObject({ certain: false });
  });

  it('is certain with a day of the month behind it', () => {
    const reader = readerOf.get('German');
    for (const text of [
      'nicht am Montag, dem dritten, am Mittwoch',
      'nicht am Montag dem dritten, sondern am Mittwoch',
    ])
      expect(reader?.value('date', text, options), text).toMatchObject({ value: wednesday, certain: true });
    expect(reader?.value('date', 'nicht am Montag, den dritten', options)).toMatchObject({ value: '2026-12-03' });
    expect(reader?.value('date', 'nicht am Montag den dritten', options)).toMatchObject({ problem: 'not-found' });
  });

  it.each([
    ['Spanish', 'cinco no cuatro'],
    ['Portuguese', 'cinco não quatro'],
  ])('is ambiguous without a pause: %s, "%s"', (language, text) => {
    expect(readerOf.get(language)?.value('integer', text, options)).toMatchObject({
      ...{ problem: 'ambiguous', candidates: [5, 4] },
    });
  });
});

describe('a choice in another grammatical form', () => {
  const values = new Map([
    ['small', ['klein', 'petit', 'pequeño', 'pequeno']],
    ['large', ['groß', 'grand', 'grande']],
    ['white', ['weiß', 'blanc', 'blanco', 'branco']],
    ['dark', ['dunkel', 'foncé', 'oscuro', 'escuro']],
    ['blue', ['blau', 'bleu', 'azul']],
  ]);

  it.each([
    ['German', 'large', ['die große', 'den großen bitte', 'ein großes', 'nicht die kleine, die große']],
    ['German', 'dark', ['die dunkle', 'ein dunkles']],
    ['French', 'large', ['la grande', 'les grandes', 'pas la petite, la grande']],
    ['French', 'white', ['la blanche', 'les blancs']],
    ['Spanish', 'small', ['la pequeña', 'los pequeños', 'no la grande, la pequeña']],
    ['Spanish', 'blue', ['los azules']],
    ['Portuguese', 'small', ['a pequena', 'os pequenos', 'não a grande, a pequena']],
    ['Portuguese', 'blue', ['os azuis']],
  ])('is read: %s, %s', (language, value, texts) => {
    for (const text of texts)
      expect(readerOf.get(language)?.value('enum', text, { ...options, values }), text).toMatchObject({
        ...{ ok: true, value, certain: true },
      });
  });

  it('counts only as it was written where two values share the form', () => {
    const cats = new Map([
      ['tom', ['gato']],
      ['queen', ['gata']],
    ]);
    const read = (text: string) => readerOf.get('Spanish')?.value('enum', text, { ...options, values: cats });
    expect(read('la gata')).toMatchObject({ value: 'queen' });
    expect(read('los gatos')).toMatchObject({ problem: 'not-found' });
  });

  it('does not match another word of the language', () => {
    const late = new Map([
      ['late', ['spät']],
      ['all', ['alle']],
    ]);
    for (const text of ['später', 'das ist alles'])
      expect(readerOf.get('German')?.value('enum', text, { ...options, values: late }), text).toMatchObject({
        problem: 'not-found',
      });
  });
});

describe('an hour without a half of the day', () => {
  const evening = { after: '17:00', before: '23:00' };
  it.each([
    ['English', "ten o'clock", '22:00'],
    ['English', 'five', '17:00'],
    ['German', 'um zehn', '22:00'],
    ['Spanish', 'a las diez', '22:00'],
    ['French', 'dix heures', '22:00'],
    ['Portuguese', 'às dez', '22:00'],
  ])('is the one within the bounds: %s, "%s"', (language, text, value) => {
    expect(readerOf.get(language)?.value('time', text, { ...options, bounds: evening })).toMatchObject({
      ...{ ok: true, value, certain: true },
    });
  });

  it.each([
    ['English', "eleven o'clock"],
    ['German', 'um elf'],
  ])('is certainly out of bounds in either half: %s, "%s"', (language, text) => {
    const bounds = { after: '12:00', before: '17:00' };
    expect(readerOf.get(language)?.value('time', text, { ...options, bounds })).toMatchObject({
      ...{ value: '11:00', certain: true },
    });
    expect(readerOf.get(language)?.value('time', text, options)).toMatchObject({ certain: false, isOpen: true });
  });
});

describe('a name without an introduction', () => {
  it.each([
    ['English', 'Anna Mueller', true],
    ['French', 'Anne Dupont', true],
    ['Spanish', 'Ana García', true],
    ['Portuguese', 'Ana da Silva', true],
    ['French', 'anne dupont', false],
    ['Spanish', 'Otra reserva', false],
    ['Portuguese', 'Boa Tarde', false],
    // German nouns have a capital too.
    ['German', 'Anna Müller', false],
    ['German', 'Neue Reservierung', false],
  ])('is certain if its capitals show it: %s, "%s": %j', (language, text, certain) => {
    const read = readerOf.get(language)?.value('name', text, options);
    expect(read?.ok === true && read.certain).toBe(certain);
  });
});
