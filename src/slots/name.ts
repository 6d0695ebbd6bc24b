import { anyText, patternOf, type SlotType } from './slot-type.ts';

export const name: SlotType = {
  readAs: 'name',
  rules: ['pattern'],
  schema: () => ({ type: 'string' }),
  limits: patternOf,
  form: anyText,
  isRead: true,
  isPersonal: true,
  isTold: true,
};
