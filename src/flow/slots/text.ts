import { anyText, patternOf, type SlotType } from './slot-type.ts';

export const text: SlotType = {
  readAs: 'text',
  rules: ['pattern'],
  schema: () => ({ type: 'string' }),
  limits: patternOf,
  form: anyText,
  isMeaning: true,
  isAnyWords: true,
};
