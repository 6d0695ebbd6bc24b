import { writtenCode } from '../../model/ports/written-forms.ts';
import { patternOf, type SlotType, textOf } from './slot-type.ts';

export const code: SlotType = {
  readAs: 'code',
  rules: ['pattern'],
  schema: () => ({ type: 'string', format: 'code' }),
  limits: patternOf,
  hint: () => 'Letters and digits in capitals, without spaces and marks.',
  form: textOf(/^[A-Z0-9]{1,64}$/),
  byForm: writtenCode,
  ofKeys: (digits) => digits,
  isRead: true,
  isPersonal: true,
  isTold: true,
};
