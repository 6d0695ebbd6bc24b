import { describe, expect, it } from 'vitest';
import { read } from '../../src/language/reading.ts';
import { outcome, type Row } from './outcome.ts';
import { NOW } from './unseen-sentences.ts';

describe('a name asked for', () => {
  const rows: Row[] = [
    ['maria delgado', 'Maria Delgado'],
    ['Maria Delgado.', 'Maria Delgado'],
    ['MARIA DELGADO', 'Maria Delgado'],
    ['Maria', 'Maria'],
    ['my name is maria delgado', 'Maria Delgado'],
    ["it's maria delgado", 'Maria Delgado'],
    ["yes, it's Maria Delgado, thank you", 'Maria Delgado'],
    ['uh maria um delgado', 'Maria Delgado'],
    ["I'm Maria", 'Maria'],
    ['this is maria delgado speaking', 'Maria Delgado'],
    ['maria delgado is my name', 'Maria Delgado'],
    ['my name is Ann, I mean Anna Reed', 'Anna Reed'],
    ['Maria Delgado, no, Delgada', 'Maria Delgada'],
    ['no sorry Anna Reed', 'Anna Reed'],
    ['Ronald McDonald', 'Ronald McDonald'],
    ['ronald mcdonald', 'Ronald McDonald'],
    ["shaquille o'neal", "Shaquille O'Neal"],
    ["Sinéad O'Connor", "Sinéad O'Connor"],
    ['vincent van der berg', 'Vincent van der Berg'],
    ['Oscar de la Renta', 'Oscar de la Renta'],
    ['mary smith-jones', 'Mary Smith-Jones'],
    ['john f kennedy', 'John F Kennedy'],
    ['J. R. Smith', 'J R Smith'],
    ['Dr. Helen Cho', 'Helen Cho'],
    ['will young', 'Will Young'],
    ['grace short', 'Grace Short'],
    ['first name maria, last name delgado', 'Maria Delgado'],
    ['my first name is maria and my last name is delgado', 'Maria Delgado'],
    ["delgado, that's d e l g a d o", 'Delgado'],
    ["maria delgato, that's D-E-L-G-A-D-O", 'Maria Delgado'],
    ['d e l g a d o', 'Delgado'],
    ['my last name is d e l g a d o', 'Delgado'],
    ['maria delgado m a r i a d e l g a d o', 'Maria Delgado'],
    ['xochitl', 'Xochitl'],
    ['nguyen van minh', 'Nguyen van Minh'],
    ['his name is bob', 'Bob'],
    ['Ann or Anna', 'not-found'],
    ['no', 'not-found'],
    ['yes', 'not-found'],
    ['hello', 'not-found'],
    ['sorry what', 'not-found'],
    ['what is this about', 'not-found'],
    ['who are you', 'not-found'],
    ["I'm fine", 'not-found'],
    ["I'm calling about my bill", 'not-found'],
    ["I don't want to say", 'not-found'],
    ['this is great', 'not-found'],
    ["it's for tomorrow", 'not-found'],
    ["I'm not sure", 'not-found'],
    ["I'm driving", 'not-found'],
    ["I'm a new patient", 'not-found'],
    ['four people', 'not-found'],
    ['reschedule please', 'not-found'],
    ['talk to a human', 'not-found'],
    ['next tuesday', 'not-found'],
    ['checkup', 'not-found'],
    ['speak up', 'not-found'],
    ['Maria?', 'not-found'],
    ['um', 'not-found'],
    ['', 'not-found'],
    ['4155552671', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('name', text, { asked: true })).toBe(expected);
  });
});

describe('a name that was not asked for', () => {
  const rows: Row[] = [
    ['hi my name is maria delgado and I need a checkup', 'Maria Delgado'],
    ['hello this is maria delgado calling', 'Maria Delgado'],
    ['Hello, this is Maria Delgado from Acme', 'Maria Delgado'],
    ["Hi, I'm Xochitl Reyes", 'Xochitl Reyes'],
    ['please call me Ann', 'Ann'],
    ['my name is will young', 'Will Young'],
    ['maria delgado', 'not-found'],
    ["I'm fine", 'not-found'],
    ["I'm exhausted", 'not-found'],
    ["I'm vegan", 'not-found'],
    ["I'm xochitl", 'not-found'],
    ["it's Friday", 'not-found'],
    ["It's Delta", 'not-found'],
    ["I'm American", 'not-found'],
    ['this is terrible', 'not-found'],
    ['this is great', 'not-found'],
    ["it's for tomorrow", 'not-found'],
    ['this is about my invoice', 'not-found'],
    ["my wife's name is ann", 'not-found'],
    ['call me back tomorrow', 'not-found'],
    ['call me tomorrow', 'not-found'],
    ['my name is spelled wrong', 'not-found'],
    ['my name is not important', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('name', text)).toBe(expected);
  });
});

it('a name is reported with its place in the text', () => {
  const reading = read('name', 'Hi, my name is Maria Delgado, hello', { now: NOW });
  expect(reading).toMatchObject({ said: 'Maria Delgado', start: 15, end: 28, certain: true });
});
