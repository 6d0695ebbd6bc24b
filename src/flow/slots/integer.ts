import { boundsOf, numberOf, type SlotType } from './slot-type.ts';

export const integer: SlotType = {
  readAs: 'integer',
  rules: ['minimum', 'maximum'],
  schema: () => ({ type: 'integer' }),
  limits: boundsOf,
  form: numberOf(true),
  ofKeys: Number,
  isTold: true,
};
