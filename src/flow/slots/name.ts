import { isPersonName } from '../../model/ports/written-forms.ts';
import { anyText, patternOf, type SlotType } from './slot-type.ts';

export const name: SlotType = {
  readAs: 'name',
  rules: ['pattern'],
  schema: () => ({ type: 'string' }),
  limits: patternOf,
  form: anyText,
  byForm: (given) => (isPersonName(given) ? given.trim() : null),
  isRead: true,
  isPersonal: true,
  isTold: true,
};
