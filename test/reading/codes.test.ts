import { describe, expect, it } from 'vitest';
import { NOW } from './conformance.ts';
import { languages, unknown } from './languages.ts';

/** What callers say to "What is your booking code?", and the code; null if the rules read none. */
const spelled: Readonly<Record<string, readonly (readonly [string, string | null])[]>> = {
  English: [
    ['A B 1 2 3 4', 'AB1234'],
    ["It's A as in Alpha, B for boy, double seven, triple 0", 'AB77000'],
    ['my code is alpha bravo, forty-two eleven', 'AB4211'],
    ['the booking number is AB-123-456 please', 'AB123456'],
    ['x ray double u three three, thank you', 'XW33'],
    ['double A four oh seven', 'AA407'],
    ['capital K dash nine L', 'K9L'],
    ['AB1234', 'AB1234'],
    ['no, it is A B 1 2 3 5', 'AB1235'],
    ['I do not have it here', null],
    ['Friday', null],
    ['five', null],
  ],
  German: [
    ['A wie Anton, B wie Berta, doppel sieben, eins', 'AB771'],
    ['Meine Buchungsnummer ist Anton Berta siebenundvierzig elf', 'AB4711'],
    ['K Strich 9 L, bitte', 'K9L'],
    ['zwomal', null],
    ['nein, A B 1 2 3 5', 'AB1235'],
    ['Das weiß ich nicht', null],
  ],
  French: [
    ['A comme Anatole, B comme Berthe, double sept, zéro', 'AB770'],
    ["c'est le deux fois A, quarante-sept onze", 'AA4711'],
    ['ma référence est K tiret 9 L', 'K9L'],
    ['double vé trois trois', 'W33'],
    ['non, A B 1 2 3 5', 'AB1235'],
    ['je ne sais pas', null],
  ],
  Spanish: [
    ['A de Antonio, B de Barcelona, doble siete, cero', 'AB770'],
    ['mi localizador es jota ka cuarenta y siete once', 'JK4711'],
    ['es uve doble tres tres', 'W33'],
    ['i griega guion nueve L', 'Y9L'],
    ['no, A B 1 2 3 5', 'AB1235'],
    ['no lo sé', null],
  ],
  Portuguese: [
    ['A de Aveiro, B de Braga, duas vezes sete, zero', 'AB770'],
    ['o meu código é jota agá quarenta e sete onze', 'JH4711'],
    ['dábliu três três, por favor', 'W33'],
    ['K traço nove L', 'K9L'],
    ['não, A B 1 2 3 5', 'AB1235'],
    ['não sei', null],
  ],
};

/** Words that hold a code without being certain of it. */
const unclear: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  English: [
    ['A oh 5', 'A05'],
    ['A B 1 2 and the day is Friday', 'AB12'],
    ['I think A B 1 2', 'AB12'],
    ['A B 1 2. A B 1 2', 'AB12'],
  ],
  German: [['A B 1 2 und es ist der Freitag', 'AB12']],
  French: [['A B 1 2 pour vendredi', 'AB12']],
  Spanish: [['A B 1 2 para el viernes', 'AB12']],
  Portuguese: [['A B 1 2 para sexta', 'AB12']],
};

const asked = { now: NOW, asked: true };
const said = (turns: readonly string[]) => ({ turns, asked: true, about: '', options: asked });

describe.each(languages)('a code in %s', (language, reader) => {
  it.each(spelled[language] ?? [])('is read in %j as %s', (text, value) => {
    const read = reader.value('code', text, asked);
    if (value === null) expect(read).not.toMatchObject({ certain: true });
    else expect(read).toMatchObject({ ok: true, value, certain: true });
    if (value !== null) expect(reader.grounding('code', value, said([text]))).toBe('said');
  });

  it.each(unclear[language] ?? [])('is not certain in %j', (text, value) => {
    expect(reader.value('code', text, asked)).toMatchObject({ ok: true, value, certain: false });
  });

  it('is said in groups, and read again', () => {
    for (const value of ['AB123456', 'K9L', '20417', 'XYZ', 'A1B2C3D4', '4O7']) {
      const spoken = reader.spoken('code', value, { today: () => NOW.slice(0, 10) });
      expect(reader.value('code', spoken, asked), spoken).toMatchObject({ ok: true, value });
    }
    expect(reader.spoken('code', 'AB123456', { today: () => NOW })).toBe('A B, 1 2 3, 4 5 6');
  });

  it('that no words of a caller hold is not grounded', () => {
    expect(reader.grounding('code', 'AB1234', said(['A B 1 2 3 5']))).toBe('unsaid');
    expect(reader.grounding('code', 'AB1234', said(['A B 1 2', '3 4']))).toBe('said');
  });

  it('is recognized without a question only by letters beside digits', () => {
    const plain = { now: NOW };
    expect(reader.value('code', 'A B 1 2 3 4', plain)).toMatchObject({ value: 'AB1234' });
    for (const text of ['4 1 5 5 5 5 2 6 7 1', 'A B', '12'])
      expect(reader.value('code', text, plain), text).toMatchObject({ ok: false });
  });
});

it('two codes are read as neither', () => {
  for (const [, reader] of languages)
    expect(reader.value('code', 'A B 1 2, no wait, A C 1 3', asked)).not.toMatchObject({ certain: true });
});

it('a written code is read in a language without rules', () => {
  expect(unknown.reader.value('code', 'ab-1234', asked)).toMatchObject({ ok: false });
  expect(unknown.reader.value('code', 'AB-1234', asked)).toMatchObject({ value: 'AB1234' });
});
