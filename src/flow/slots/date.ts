import { type SlotType, textOf } from './slot-type.ts';

export const date: SlotType = {
  readAs: 'date',
  rules: ['before', 'after'],
  schema: () => ({ type: 'string', format: 'date' }),
  hint: () => 'YYYY-MM-DD; leave it out unless day, month and year were said or are certain.',
  form: textOf(/^\d{4}-\d{2}-\d{2}$/),
  isRead: true,
  isTold: true,
  isMoment: true,
};
