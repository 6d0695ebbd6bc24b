import type { Json } from '../../model/json.ts';
import type { SpokenOptions, ValueKind } from '../../model/ports/reader.ts';
import { codeInGroups } from '../code-groups.ts';
import { choiceInEnglish } from '../choice-in-words.ts';

const days = dateFormat({ dateStyle: 'long' });
const comingDays = dateFormat({ weekday: 'long', month: 'long', day: 'numeric' });
const farDays = dateFormat({ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
const times = dateFormat({ timeStyle: 'short' });

/**
 * Returns a value in spoken form: `March 4, 1984`; a future day as `Tuesday, December 1`, with the year if it is a year
 * ahead or more; `2:30 PM`, `4 1 5, 5 5 5, 0 1 2 3`.
 */
export function spokenForm(kind: ValueKind, value: Json, options: SpokenOptions): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  switch (kind) {
    case 'date':
      return formatted(dayFormat(text, options), `${text}T00:00:00Z`) ?? text;
    case 'time':
      return formatted(times(), `1970-01-01T${text}:00Z`) ?? text;
    case 'phone':
      // How numbers are grouped stands in tables that only a reader loads.
      return text;
    case 'code':
      return codeInGroups(text);
    case 'enum':
      return choiceInEnglish(text, options.values?.get(text));
    case 'boolean':
      return value === true ? 'yes' : 'no';
    case 'name':
    case 'number':
    case 'integer':
    case 'email':
    case 'text':
      return text;
  }
}

/** Creates the format on first use: loading Intl data costs a tenth of importing roomflow. */
function dateFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let format: Intl.DateTimeFormat | undefined;
  return () => (format ??= new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }));
}

function dayFormat(day: string, { isAhead, today }: SpokenOptions): Intl.DateTimeFormat {
  if (isAhead !== true) return days();
  return day >= aYearAfter(today()) ? farDays() : comingDays();
}

/** The same day of the next year. */
export function aYearAfter(day: string): string {
  return `${String(Number(day.slice(0, 4)) + 1).padStart(4, '0')}${day.slice(4)}`;
}

function formatted(format: Intl.DateTimeFormat, moment: string): string | undefined {
  const at = Date.parse(moment);
  return Number.isNaN(at) ? undefined : format.format(at);
}
