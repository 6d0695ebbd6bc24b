import { describe, expect, test } from 'vitest';
import { languageOf } from '../../src/language/language-of.ts';
import { chosenBy } from '../../src/kernel/dialogue/choice.ts';
import type { Reader } from '../../src/model/ports/reader.ts';
import { choiceQuestion, readChoice } from '../../src/engine/words/read-choice.ts';

const chosen = (reader: Reader, words: string, choices: readonly string[], question = ''): string | undefined => {
  const asked = choiceQuestion(reader, { question, choices });
  const decided = chosenBy(asked, readChoice(reader, asked, words), { heard: 'heard', isOver: true });
  return typeof decided === 'string' ? undefined : decided.choice;
};
const choose = (language: string, words: string, choices: readonly string[], question?: string): string | undefined =>
  chosen(languageOf(language).reader, words, choices, question);

describe('a choice in the words of an answer', () => {
  test.each([
    ['Yes please', 'yes'],
    ['go ahead', 'yes'],
    ['No thanks', 'no'],
    ['maybe', undefined],
    ['well, I think yes', undefined],
  ])('yes or no: %s', (words, choice) => {
    expect(choose('en', words, ['yes', 'no'])).toBe(choice);
  });

  test.each([
    ['the second one', 'Reject'],
    ['approve it', 'Approve'],
    ['Approve.', 'Approve'],
    ['I do not think we should approve it', undefined],
    ['do not approve', undefined],
    ['just a second', undefined],
    ['approve it if it is under fifty', undefined],
    ['should I approve it?', undefined],
    ['maybe approve', undefined],
    ['either', undefined],
    ['__proto__', undefined],
  ])('by name or place: %s', (words, choice) => {
    expect(choose('en', words, ['Approve', 'Reject'])).toBe(choice);
  });

  test.each([
    ['de', 'Freigeben, bitte', 'freigeben', ['freigeben', 'ablehnen']],
    ['fr', 'Approuver', 'approuver', ['approuver', 'refuser']],
    ['pt', 'Aprovar', 'aprovar', ['aprovar', 'recusar']],
    ['es', 'Aprobar', 'aprobar', ['aprobar', 'rechazar']],
    ['de', 'Ja, bitte', 'ja', ['ja', 'nein']],
    ['fr', 'Non merci', 'non', ['oui', 'non']],
    ['nl', 'Goedkeuren', 'goedkeuren', ['goedkeuren', 'weigeren']],
  ])('in the language of the flow (%s): %s', (language, words, choice, choices) => {
    expect(choose(language, words, choices)).toBe(choice);
  });

  test.each([
    ['de', 'nicht freigeben', ['freigeben', 'ablehnen']],
    ['de', 'Das sollten wir auf keinen Fall freigeben', ['freigeben', 'ablehnen']],
    ['de', 'Ich glaube nicht, dass wir das freigeben sollten', ['freigeben', 'ablehnen']],
    ['fr', 'ne pas approuver', ['approuver', 'refuser']],
    ['fr', "je n'approuve pas", ['approuver', 'refuser']],
    ['pt', 'não aprovar', ['aprovar', 'recusar']],
    ['es', 'no aprobar', ['aprobar', 'rechazar']],
    ['nl', 'niet goedkeuren', ['goedkeuren', 'weigeren']],
  ])('not where it is denied (%s): %s', (language, words, choices) => {
    expect(choose(language, words, choices)).toBeUndefined();
  });

  test.each([
    ['en', 'Shall I approve it?', 'no that is too much', ['approve', 'reject'], 'reject'],
    ['en', 'Shall I approve it?', 'I do not think we should approve it', ['approve', 'reject'], 'reject'],
    ['de', 'Soll ich das freigeben?', 'nein das ist zu viel', ['freigeben', 'ablehnen'], 'ablehnen'],
    [
      'de',
      'Soll ich das freigeben?',
      'Ich glaube nicht, dass wir das freigeben sollten',
      ['freigeben', 'ablehnen'],
      'ablehnen',
    ],
    ['fr', 'Je dois approuver ?', "non c'est trop", ['approuver', 'refuser'], 'refuser'],
    ['fr', 'Dois-je approuver ?', 'Je ne pense pas que nous devrions approuver', ['approuver', 'refuser'], 'refuser'],
    ['es', '¿Lo apruebo?', 'no eso es demasiado', ['aprobar', 'rechazar'], 'rechazar'],
    ['es', '¿Lo apruebo?', 'No creo que debamos aprobarlo', ['aprobar', 'rechazar'], 'rechazar'],
    ['pt', 'Posso aprovar?', 'não isso é demais', ['aprovar', 'recusar'], 'recusar'],
    ['pt', 'Posso aprovar?', 'Não acho que devamos aprovar', ['aprovar', 'recusar'], 'recusar'],
  ])(
    'refuses without a pause, and by a denial of the question (%s): %s / %s',
    (language, question, words, choices, choice) => {
      expect(choose(language, words, choices, question)).toBe(choice);
    },
  );

  test.each([
    [
      'Soll ich die Rechnung über fünfzig Euro jetzt wirklich freigeben oder ablehnen?',
      'nicht freigeben',
      ['freigeben', 'ablehnen'],
    ],
    [
      'Est-ce que je dois approuver la facture de cinquante euros ou la refuser ?',
      'ne pas approuver',
      ['approuver', 'refuser'],
    ],
    ['Devo aprovar a fatura de cinquenta euros ou você quer recusar?', 'não aprovar', ['aprovar', 'recusar']],
  ])('is taken word for word where the language is not named: %s', (question, denial, choices) => {
    const { reader } = languageOf('en');
    expect(chosen(reader, denial, choices, question)).toBeUndefined();
    expect(chosen(reader, `${choices[0]}.`, choices, question)).toBe(choices[0]);
  });

  test('that itself holds a negation is chosen by it', () => {
    expect(choose('en', 'Not now, please', ['now', 'not now'])).toBe('not now');
    expect(choose('de', 'Nicht freigeben', ['freigeben', 'nicht freigeben'])).toBe('nicht freigeben');
  });
});
