import { accepted, refused, type SlotType } from './slot-type.ts';

export const boolean: SlotType = {
  readAs: 'boolean',
  rules: [],
  schema: () => ({ type: 'boolean' }),
  form: (given) => (typeof given === 'boolean' ? accepted(given) : refused('not true or false')),
  isMeaning: true,
  isYesOrNo: true,
};
