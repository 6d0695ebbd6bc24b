import { boundsOf, numberOf, type SlotType } from './slot-type.ts';

export const number: SlotType = {
  readAs: 'number',
  rules: ['minimum', 'maximum'],
  schema: () => ({ type: 'number' }),
  limits: boundsOf,
  form: numberOf(false),
  ofKeys: Number,
  isTold: true,
};
