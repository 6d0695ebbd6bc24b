import { anyText, patternOf, type SlotType } from './slot-type.ts';

export const text: SlotType = {
  readAs: 'text',
  rules: ['pattern'],
  schema: () => ({ type: 'string' }),
  limits: patternOf,
  form: anyText,
  ofKeys: (digits) => digits,
  isMeaning: true,
  isAnyWords: true,
};
