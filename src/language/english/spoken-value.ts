import type { Json } from '../../model/json.ts';
import type { SpokenOptions, ValueKind } from '../../model/ports/reader.ts';
import { phoneInGroups } from '../phone-groups.ts';
import { spokenForm } from './spoken-form.ts';

/** A value as people say it. A telephone number is said digit by digit in the groups of its country. */
export function spokenValue(kind: ValueKind, value: Json, options: SpokenOptions): string {
  return kind === 'phone' && typeof value === 'string'
    ? spokenPhone(value, options.region)
    : spokenForm(kind, value, options);
}

/** The plus sign and a country code of one digit are left out. */
function spokenPhone(text: string, region: string | undefined): string {
  return phoneInGroups(text, text.startsWith('+1') ? undefined : region).replace(/^\+(?:1, )?/, '');
}
