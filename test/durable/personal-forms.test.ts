import { expect, test } from 'vitest';
import { personalForms } from '../../src/store/personal-forms.ts';

test.each([
  ['Maria Delgado', 'D-E-L-G-A-D-O'],
  ['Maria Delgado', 'it is spelled d e l g a d o, Maria'],
  ['Maria Delgado', 'D as in Delta, E as in Echo, L, G for golf, A, D, O'],
  ['Maria Delgado', 'delta echo lima golf'],
  ['Ann Wood', 'W, double O, D'],
  ['Ada Day', 'D. A. Y.'],
  ['O’Hara', 'O apostrophe H A R A'],
  ['Müller', 'M Ü double L E R'],
  ['+14155552671', 'four one five, five five five, two six seven one'],
  ['+14155552671', 'triple five, two six seven one, no: five five five two six seven one'],
  ['+4915123456', 'null eins fünf eins zwei drei vier fünf sechs'],
  ['AB1234', 'A B one two three four'],
])('%s is found where it is spelled: %s', (value, text) => {
  expect(personalForms([value]).isIn(text)).toBe(true);
});

test.each([
  ['Maria Delgado', 'I have a question'],
  ['Maria Delgado', 'two of us at eight'],
  ['Ada Day', 'plan B or plan C'],
  ['+14155552671', 'table for four, one o’clock'],
  ['AB1234', 'the A and the B'],
])('%s is not found in "%s"', (value, text) => {
  expect(personalForms([value]).isIn(text)).toBe(false);
});
