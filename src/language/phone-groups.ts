import { inSmallGroups } from './code-groups.ts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Returns an E.164 number digit by digit, in the groups of its country; without country code for the `home` country. */
export function phoneInGroups(text: string, home: string | undefined): string {
  const number = parsePhoneNumberFromString(text);
  if (number === undefined) return text;
  const isHome = number.country !== undefined && number.country === home;
  const written = isHome ? number.formatNational() : number.formatInternational();
  const groups = (written.match(/\d+/g) ?? []).flatMap(inSmallGroups);
  return `${isHome ? '' : '+'}${groups.map((each) => each.split('').join(' ')).join(', ')}`;
}
