/**
 * Counts the people that an answer names one by one: "just me", "my wife and I", "two adults and a child". Undefined if
 * the answer names a group of unknown size ("the kids"), or only some of the people asked for.
 */
export function countPeople(text: string, counted: string): number | undefined {
  if (!PEOPLE.test(counted)) return undefined;
  const isOfAge = OF_AGE.test(counted);
  const names = text
    .toLowerCase()
    .replace(OPENING, '')
    .split(/\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s+plus\s+|\s+with\s+)/)
    .map((part) => part.replaceAll(/[.!?]+$|\s+please[.!?]*$/g, '').trim())
    .filter((part) => part !== '');
  if (names.length > MOST_NAMED) return undefined;
  let sum = 0;
  for (const name of names) {
    const one = ONE.test(name) || (!isOfAge && KIN.test(name));
    const several = isOfAge ? null : SEVERAL.exec(name);
    if (!one && several === null) return undefined;
    sum += one ? 1 : Math.max(1, NUMERALS.indexOf(several?.[1] ?? ''), Number(several?.[1]) || 0);
  }
  return sum > 0 ? sum : undefined;
}

/** Callers give a number instead of naming more. */
const MOST_NAMED = 6;
const PEOPLE =
  /\b(?:of you|people|persons?|guests?|passengers?|seats?|adults?|players?|tickets?|covers|travell?ers)\b/i;
const OF_AGE = /\b(?:adults?|children|kids|child|seniors?)\b/i;
const OPENING =
  /^\W*(?:(?:oh|um|uh|well|so|only|just|it's|it is|it'll be|it would be|that's|there's|for|we're|we are|will be)\b\W*)*/;
const ONE =
  /^(?:(?:just|only) )?(?:me|myself|i|(?:my|his|her) (?:wife|husband|partner|fiance|fiancee|boss|boyfriend|girlfriend))(?: alone| only)?$/;
const KIN =
  /^my (?:\p{L}+ )?(?:son|daughter|mother|father|mum|mom|dad|brother|sister|friend|colleague|aunt|uncle|cousin|neighbour|neighbor|grandmother|grandfather|grandson|granddaughter|baby)$/u;
const NUMERALS = ['', 'a', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const SEVERAL =
  /^(a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) (?:(?:small|little|young|other) )?(?:adults?|grown-?ups?|child|children|kids?|baby|babies|toddlers?|friends?|seniors?|teenagers?)$/;
