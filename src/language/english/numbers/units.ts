import { normal } from '../said-words.ts';

/** Whether a word is a unit of time, money or measure. */
export function isUnit(word: string): boolean {
  return UNITS.has(word.replace(/s$/, ''));
}

/** Whether an author counts in a unit: years are also those of an age, and money stands in a price. */
export function isUnitOf(word: string, about: string): boolean {
  const own = ` ${normal(about)} `;
  const stem = word.replace(/s$/, '');
  if (stem === 'year' && /\b(?:age|old)\b/.test(own)) return true;
  if (
    MONEY.has(stem) &&
    /\b(?:price|cost|amount|budget|pay|payment|spend|money|sum|fee|rent|income|salary|bill|total|donat\w*|limit|deposit|worth|balance|charge)\b/.test(
      own,
    )
  )
    return true;
  if ((stem === 'percent' || stem === '%') && /%|\bper ?cent|\bshare\b|\brate\b/.test(about.toLowerCase())) return true;
  return /^\p{L}/u.test(stem) && own.includes(` ${stem}`);
}

const MONEY = new Set(['dollar', 'buck', 'euro', 'pound', 'quid', 'franc', 'peso', 'rupee']);

const UNITS = new Set([
  ...['second', 'minute', 'hour', 'day', 'week', 'month', 'year', 'night', 'morning', 'evening', 'weekend'],
  ...[
    'percent',
    'dollar',
    'buck',
    'euro',
    'pound',
    'cent',
    '%',
    'mile',
    'kilometer',
    'kilometre',
    'meter',
    'metre',
    'foot',
    'feet',
    'degree',
  ],
]);
