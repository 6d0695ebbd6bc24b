import { isEmailAddress } from '../../model/ports/written-forms.ts';
import { patternOf, type SlotType, textOf } from './slot-type.ts';

export const email: SlotType = {
  readAs: 'email',
  rules: ['pattern'],
  schema: () => ({ type: 'string', format: 'email' }),
  limits: patternOf,
  form: textOf(/^[^\s@]+@[^\s@]+$/),
  byForm: (given) => (isEmailAddress(given.trim()) ? given.trim().toLowerCase() : null),
  isRead: true,
  isPersonal: true,
  isTold: true,
};
