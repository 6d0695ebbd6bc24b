import { describe, expect, it } from 'vitest';
import { describeExamples, describeReader, NOW } from './conformance.ts';
import { languages, unknown } from './languages.ts';
import { numberWords } from './number-words.ts';
import { isBroad } from '../tries.ts';

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

describe('numbers in words', () => {
  it.each(Object.entries(numberWords))('in %s are read from 0 to 9999', (language, say) => {
    const reader = languages.find(([, each]) => each.language === language)?.[1];
    const wrong: string[] = [];
    for (let value = 0; value < 10_000; value += isBroad || value < 1_000 ? 1 : 7) {
      const read = reader?.value('integer', say(value), { now: NOW, asked: true });
      if (read?.ok !== true || read.value !== value || !read.certain) wrong.push(say(value));
    }
    expect(wrong).toEqual([]);
  });
});

describe('typed days', () => {
  const readers = languages.filter(([name]) => name !== 'English');
  it.each(readers)('of two years are read in %s', (_name, reader) => {
    const wrong: string[] = [];
    for (let at = Date.UTC(2026, 10, 23); at < Date.UTC(2028, 10, 23); at += (isBroad ? 1 : 3) * 86_400_000) {
      const day = new Date(at).toISOString().slice(0, 10);
      const [year = '', month = '', date = ''] = day.split('-');
      const short = new Intl.DateTimeFormat(reader.language, { month: 'short', timeZone: 'UTC' }).format(at);
      for (const text of [
        `${Number(date)}/${Number(month)}/${year}`,
        `${date}.${month}.${year}`,
        `${Number(date)}-${Number(month)}-${year.slice(2)}`,
        `${Number(date)}. ${short} ${year}`,
        `${Number(date)} ${short} ${year}`,
      ]) {
        const read = reader.value('date', text, { now: NOW, asked: true, direction: 'future' });
        if (!read.ok || read.value !== day || !read.certain) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
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
