import { type SlotType, textOf } from './slot-type.ts';

export const time: SlotType = {
  readAs: 'time',
  rules: ['before', 'after'],
  schema: () => ({ type: 'string', format: 'time' }),
  hint: () => 'HH:MM, 24 hours.',
  form: textOf(/^\d{2}:\d{2}$/),
  isRead: true,
  isTold: true,
  isMoment: true,
};
