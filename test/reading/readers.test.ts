import { describe, expect, it } from 'vitest';
import { describeExamples, describeReader, NOW } from './conformance.ts';
import { languages, unknown } from './languages.ts';

for (const [name, reader, examples] of languages)
  describe(`the reader of ${name}`, () => {
    const { agreements, refusals, neither, moments, numbers } = examples;
    describeReader(reader, [...agreements, ...refusals, ...neither, ...[...moments, ...numbers].map(([text]) => text)]);
    describeExamples(reader, examples);
  });

it.each(languages)('a number that no words of a caller hold is unsaid in %s', (_name, reader, { names }) => {
  const turns = [names[0]?.[0] ?? ''];
  for (const kind of ['integer', 'number', 'date', 'time'] as const) {
    const value = { integer: 4, number: 4.5, date: '2026-12-05', time: '20:00' }[kind];
    const said = { turns, asked: true, about: '', options: { now: NOW, asked: true } };
    expect(reader.grounding(kind, value, said), kind).toBe('unsaid');
  }
});

it.each([
  ['German', 'ein, zwei Leute'],
  ['German', 'ein zwei'],
  ['Spanish', 'una, dos personas'],
  ['French', 'une, deux personnes'],
  ['Portuguese', 'uma, duas pessoas'],
] as const)('one or two are no certain number in %s: %j', (language, text) => {
  const reader = languages.find(([name]) => name === language)?.[1];
  expect(reader?.value('integer', text, { now: NOW, asked: true })).toMatchObject({ candidates: [1, 2] });
});

it.each([
  ['German', 'eine große'],
  ['Spanish', 'una grande, por favor'],
  ['French', 'un grand'],
  ['Portuguese', 'uma grande'],
] as const)('an article before a choice is not another word in %s', (language, text) => {
  const [, reader, examples] = languages.find(([name]) => name === language) ?? [];
  const values = examples?.sizes ?? new Map<string, readonly string[]>();
  expect(reader?.value('enum', text, { now: NOW, asked: true, values })).toMatchObject({
    value: 'large',
    certain: true,
  });
});

it.each([
  ['English', 'The caller wants the suite.', 'The caller does not want the suite.'],
  ['English', 'They have a dog', "They don't have a dog"],
  ['English', 'The guest can come.', 'The guest cannot come.'],
  ['English', 'The patient has an appointment.', 'The patient has no appointment.'],
  ['German', 'Der Anrufer nimmt die Suite.', 'Der Anrufer nimmt die Suite nicht.'],
  ['German', 'Die Kundin hat einen Hund.', 'Die Kundin hat keinen Hund.'],
  ['Spanish', 'El cliente quiere la suite.', 'El cliente no quiere la suite.'],
  ['French', 'Le client prend la suite.', 'Le client ne prend pas la suite.'],
  ['Portuguese', 'O cliente quer a suíte.', 'O cliente não quer a suíte.'],
  ['Portuguese', 'The caller wants the suite.', "The caller doesn't want the suite."],
] as const)('a function whose description denies the other one is its no, in %s: %s', (language, yes, no) => {
  const reader = languages.find(([name]) => name === language)?.[1];
  const all = [yes, no, 'The caller asks for a person.'];
  expect(all.map((text) => reader?.answerMeant(text, all))).toEqual(['yes', 'no', null]);
});

it.each([
  ['The caller wants another day.', 'The caller does not want the suite.'],
  ['The caller wants a person.', 'The caller wants nothing else.'],
])('a description beside a denial of something else is not an answer: %s', (other, no) => {
  const english = languages[0]?.[1];
  expect(english?.answerMeant(other, [other, no])).toBeNull();
});

describe('the reader of a language without rules', () => {
  const { reader, sentences } = unknown;
  describeReader(reader, sentences);

  it('knows no yes, no no and no value', () => {
    for (const text of sentences) {
      expect(reader.consent(text).answer).toBeUndefined();
      expect(reader.value('boolean', text, { now: NOW, asked: true }).ok).toBe(false);
    }
    expect(reader.lines).toBeNull();
  });
});

describe('a yes or a no of one language', () => {
  /** Words that several languages share, or that mean the same in both. */
  const shared =
    /^(?:ok|okay|okey|no|nope|si|sí|super|perfect|correct|exact|claro|perfecto|perfeito|bueno|nada|impossible|nunca|absolut(?:e|a)ment(?:e)?|natural(?:ly)?|no,? no|confirmo|negativo|afirmativo|positivo|bien|la|gut|nickel|exacto|correcto|mhm|génial)$/i;
  it('is none in another, unless both have it', () => {
    const taken: string[] = [];
    for (const [name, , { agreements, refusals }] of languages)
      for (const [other, reader] of languages) {
        if (name === other) continue;
        for (const [side, texts] of [
          ['yes', agreements],
          ['no', refusals],
        ] as const)
          for (const text of texts) {
            const { answer } = reader.consent(text);
            if (answer === undefined || (answer === side && shared.test(text.replaceAll(/[.,!]/g, '')))) continue;
            taken.push(`${name} "${text}" is ${answer} in ${other}`);
          }
      }
    expect(taken).toEqual([]);
  });
});
