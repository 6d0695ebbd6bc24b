import { accepted, refused, type SlotType } from './slot-type.ts';

export const enumeration: SlotType = {
  readAs: 'enum',
  rules: ['values'],
  schema: ({ values }) => ({ type: 'string', enum: [...values.keys()] }),
  form: (given, { values }) =>
    typeof given !== 'object' && values.has(String(given)) ? accepted(String(given)) : refused('not-found'),
  isMeaning: true,
  isTold: true,
};
