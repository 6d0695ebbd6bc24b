import { type SlotType, textOf } from './slot-type.ts';

export const phone: SlotType = {
  readAs: 'phone',
  rules: ['region'],
  schema: () => ({ type: 'string', format: 'phone' }),
  hint: ({ region }) => `Without a country code it is read as one of ${region}.`,
  form: textOf(/^\+\d{4,15}$/),
  ofKeys: (digits) => digits,
  isRead: true,
  isPersonal: true,
  isTold: true,
};
