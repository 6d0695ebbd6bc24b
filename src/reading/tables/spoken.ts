import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Json } from '../../events/json.ts';
import type { Reader, SpokenOptions } from '../../ports/reader.ts';
import { aYearAfter } from '../english/spoken-form.ts';
import type { SpokenWords, Tables } from './tables.ts';
import { nameWords } from '../../ports/name-words.ts';

/** Says values as people of the language do; what a voice would stumble over, such as thin blanks, is left out. */
export function spokenBy({ spoken, region }: Tables): Reader['spoken'] {
  const day = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(spoken.locale, { ...options, timeZone: 'UTC' });
  const plain = day({ year: 'numeric', month: 'long', day: 'numeric' });
  const coming = day({ weekday: 'long', month: 'long', day: 'numeric' });
  const far = day({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
  return (kind, value, options) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    switch (kind) {
      case 'date': {
        const at = Date.parse(`${text}T00:00:00Z`);
        if (Number.isNaN(at)) return text;
        const format = options.isAhead !== true ? plain : text >= aYearAfter(options.today()) ? far : coming;
        return sayDay(format, at, spoken);
      }
      case 'time': {
        const found = /^(\d\d):(\d\d)$/.exec(text);
        return found === null ? text : spoken.time(Number(found[1]), Number(found[2]));
      }
      case 'phone':
        return sayPhone(text, options, region, spoken.phoneGroup);
      case 'number':
      case 'integer':
        return spoken.decimalMark === ',' && typeof value === 'number' ? text.replace('.', ',') : text;
      case 'enum':
        return nameWords(text);
      case 'boolean':
        return sayBoolean(value, spoken);
      case 'name':
      case 'email':
      case 'text':
        return text;
    }
  };
}

function sayBoolean(value: Json, { yes, no }: SpokenWords): string {
  return value === true ? yes : no;
}

function sayDay(format: Intl.DateTimeFormat, at: number, { firstDay }: SpokenWords): string {
  return format
    .formatToParts(at)
    .map(({ type, value }) => (type === 'day' && value === '1' && firstDay !== null ? firstDay : value))
    .join('')
    .replaceAll(/[\u00A0\u202F]/g, ' ');
}

/** Digit by digit in small groups; a number of the region without its country code. */
function sayPhone(text: string, options: SpokenOptions, home: string, group: 2 | 3): string {
  const number = parsePhoneNumberFromString(text);
  if (number === undefined) return text;
  const isHome = number.country === (options.region ?? home);
  const national = number.formatNational().replaceAll(/\D/g, '');
  const digits = isHome ? national : number.number.replaceAll(/\D/g, '');
  // Pairs are counted from the end, where a trunk zero makes the first of them.
  const groups = digits.match(group === 2 ? /\d{1,2}/g : /\d{1,3}(?!\d?$)|\d{2,4}$|\d/g) ?? [];
  return `${isHome ? '' : '+'}${groups.map((each) => each.split('').join(' ')).join(', ')}`;
}
