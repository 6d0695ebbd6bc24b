import { describe, expect, it } from 'vitest';
import { settle, versionsOf, type Mention } from '../../../src/language/english/answers/corrections.ts';
import { tokensOf, type Token } from '../../../src/language/english/numbers/spoken-numbers.ts';

function versions(text: string, noDenies = false): string[] {
  return versionsOf(tokensOf(text), { noDenies }).map(({ pieces, correction }) => {
    const words = pieces.filter((piece) => !piece.mark).map((piece) => piece.text);
    return [correction, ...words].filter((part) => part !== undefined).join(' ');
  });
}

/** Returns every word in capitals as a value. */
function shouted(tokens: readonly Token[]): Mention<string>[] {
  return tokens.flatMap((token, from) =>
    token.capital ? [{ value: token.text, from, to: from + 1, start: token.start, end: token.end, certain: true }] : [],
  );
}

describe('a text with corrections', () => {
  it.each([
    ['one, no wait, two', ['1', 'withdraws 2']],
    ['one, sorry, two', ['1', 'replaces 2']],
    ['one, I mean two', ['1', 'replaces 2']],
    ['one, make that two', ['1', 'replaces 2']],
    ['one, no, sorry, I meant two', ['1', 'replaces 2']],
    ['one. scratch that. two', ['1', 'withdraws 2']],
    ['one, no', ['1', 'withdraws']],
    ['one, no no', ['1', 'replaces']],
    ['one, sorry', ['1', 'replaces']],
    ['one no problem', ['1 no problem']],
    ['I have no car', ['i have no car']],
    ["I can't wait for one", ["i can't wait for 1"]],
    ["I don't actually want one", ["i don't actually want 1"]],
  ])('%j is cut into %j', (text, expected) => {
    expect(versions(text)).toEqual(expected);
  });

  it('keeps a "no" before a noun where it denies', () => {
    expect(versions('pain no fever')).toEqual(['pain', 'replaces fever']);
    expect(versions('pain no fever', true)).toEqual(['pain no fever']);
    expect(versions('pain, no, fever', true)).toEqual(['pain', 'replaces fever']);
  });
});

describe('the values that hold in the end', () => {
  const held = (text: string): string[] => {
    const { mentions, unsettled } = settle(versionsOf(tokensOf(text)), shouted);
    return [...mentions.map((mention) => mention.value), ...(unsettled ? ['unsettled'] : [])];
  };
  it.each([
    ['Red', ['red']],
    ['Red, sorry, Blue', ['blue']],
    ['Red, sorry, it is the Blue', ['blue']],
    ['Red, sorry, my aunt likes Blue', ['red', 'blue']],
    ['Red, scratch that, my aunt likes Blue', ['blue']],
    ['Red, scratch that', []],
    ['Red, sorry', ['red']],
    ['Red, sorry about the noise', ['red', 'unsettled']],
    ['Red and Green, no, Blue', ['red', 'blue']],
    ['Red, no, Green, no, Blue', ['blue']],
  ])('in %j are %j', (text, expected) => {
    expect(held(text)).toEqual(expected);
  });
});
