import type { Json } from '../../model/json.ts';
import type { Reader } from '../../model/ports/reader.ts';
import { aYearAfter } from '../english/spoken-form.ts';
import type { SpokenWords, Tables } from './tables.ts';
import { codeInGroups } from '../code-groups.ts';
import { phoneInGroups } from '../phone-groups.ts';
import { choiceInWords } from '../choice-in-words.ts';

/** Returns values in spoken form. Characters that confuse a voice, such as thin spaces, are removed. */
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
        return phoneInGroups(text, options.region ?? region);
      case 'code':
        return codeInGroups(text);
      case 'number':
      case 'integer':
        return spoken.decimalMark === ',' && typeof value === 'number' ? text.replace('.', ',') : text;
      case 'enum':
        return choiceInWords(text, options.values?.get(text));
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
