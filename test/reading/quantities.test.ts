import { describe, expect, it } from 'vitest';
import { languages } from './languages.ts';
import { NOW } from './conformance.ts';

const readerOf = new Map(languages.map(([name, reader]) => [name, reader]));
const options = { now: NOW, asked: true } as const;

/** The whole phrase counts: a part of it is another number. */
const whole: readonly (readonly [string, string, number])[] = [
  ['English', '10k', 10_000],
  ['English', '2.5 k', 2500],
  ['English', 'half a million', 500_000],
  ['English', 'a quarter of a million', 250_000],
  ['English', 'one and a half million', 1_500_000],
  ['English', 'two point five million', 2_500_000],
  ['English', 'two dozen', 24],
  ['English', 'half a dozen', 6],
  ['English', 'a couple hundred', 200],
  ['English', 'a couple of thousand', 2000],
  ['English', 'five grand', 5000],
  ['English', 'twelve dollars and fifty cents', 12.5],
  ['English', '12 euros 5 cents', 12.05],
  ['Spanish', 'un millón y medio', 1_500_000],
  ['Spanish', 'medio millón', 500_000],
  ['Spanish', 'dos millones quinientos mil', 2_500_000],
  ['Spanish', 'dos docenas', 24],
  ['Spanish', 'un par de cientos', 200],
  ['Spanish', '10k', 10_000],
  ['Spanish', 'doce euros con cincuenta', 12.5],
  ['German', 'anderthalb Millionen', 1_500_000],
  ['German', 'eine halbe Million', 500_000],
  ['German', 'zweieinhalb Tausend', 2500],
  ['German', 'zwei Dutzend', 24],
  ['German', '10 Tausend', 10_000],
  ['German', 'zwölf Euro fünfzig', 12.5],
  ['French', 'un million et demi', 1_500_000],
  ['French', 'un demi-million', 500_000],
  ['French', 'deux millions cinq cent mille', 2_500_000],
  ['French', 'deux douzaines', 24],
  ['French', 'douze euros et cinquante centimes', 12.5],
  ['Portuguese', 'um milhão e meio', 1_500_000],
  ['Portuguese', 'meio milhão', 500_000],
  ['Portuguese', 'duas dúzias', 24],
  ['Portuguese', 'doze reais e cinquenta centavos', 12.5],
];

describe('a number and the words that multiply it', () => {
  it.each(whole)('%s: "%s" is %d', (language, text, value) => {
    expect(readerOf.get(language)?.value('number', text, options)).toMatchObject({ ok: true, value, certain: true });
  });

  it.each(whole)('%s: "%s" is said for %d', (language, text, value) => {
    const said = { turns: [text], asked: true, about: 'amount How much?', options };
    expect(readerOf.get(language)?.grounding('number', value, said)).toBe('said');
  });
});

describe('a number beside a unit that is not read', () => {
  it.each([
    ['English', '20mg'],
    ['English', '3x'],
    ['English', '50%'],
    ['English', 'three weeks'],
    ['English', 'a few hundred'],
    ['English', 'fifty cents'],
    ['Spanish', 'tres semanas'],
    ['Spanish', 'unos cientos'],
    ['Spanish', '20%'],
    ['German', 'drei Wochen'],
    ['German', 'ein paar hundert'],
    ['German', '20 Prozent'],
    ['French', 'trois semaines'],
    ['French', 'quelques centaines'],
    ['French', '20mg'],
    ['Portuguese', 'três semanas'],
    ['Portuguese', 'umas centenas'],
  ])('is not certain: %s, "%s"', (language, text) => {
    const read = readerOf.get(language)?.value('number', text, { ...options, about: 'people How many people?' });
    expect(read).not.toMatchObject({ certain: true });
  });

  it('is certain if its author names the unit', () => {
    const read = (text: string, about: string): unknown =>
      readerOf.get('English')?.value('integer', text, { ...options, about });
    expect(read('three weeks', 'weeks How many weeks?')).toMatchObject({ value: 3, certain: true });
    expect(read('34 years', 'age How old is the patient?')).toMatchObject({ value: 34, certain: true });
    expect(read('50 dollars', 'budget What is your budget?')).toMatchObject({ value: 50, certain: true });
  });

  it('and a place in a row are read back', () => {
    for (const text of ['Third grade.', 'third', 'the third'])
      expect(
        readerOf.get('English')?.value('integer', text, { ...options, about: 'grade Which grade?' }),
      ).toMatchObject({
        value: 3,
        certain: false,
      });
  });
});
