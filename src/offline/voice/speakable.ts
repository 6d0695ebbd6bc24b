/** Returns a text as Flite should read it: ASCII, with times, phone numbers and abbreviations in words. */
export function toSpeakable(text: string): string {
  let spoken = text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[–—…]|\.{2,}/g, ', ')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^\x20-\x7e]+/g, ' ');
  for (const [pattern, words] of abbreviations) spoken = spoken.replaceAll(pattern, words);
  spoken = spoken
    .replaceAll(/\b(\d{1,2}):(\d{2})\b/g, (_, hour: string, minute: string) => `${Number(hour)} ${minutes(minute)}`)
    .replaceAll(/(?<=\d {0,2})([ap])(?:\.m\.|m\b)/gi, (_, half: string) => ` ${half.toUpperCase()} M`)
    .replaceAll(/\(?\b(\d{3})\)?[-. ](?:(\d{3})[-. ])?(\d{4})\b/g, (_, ...groups: unknown[]) =>
      digitByDigit(groups.slice(0, 3)),
    )
    .replaceAll(/\s+([,.])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /[a-z0-9]/i.test(spoken) ? spoken : '';
}

const abbreviations: readonly (readonly [RegExp, string])[] = [
  [/\be\.g\./gi, 'for example'],
  [/\bi\.e\./gi, 'that is'],
  [/\betc\./gi, 'et cetera'],
  [/\bDr\.\s+(?=[A-Z])/g, 'doctor '],
  [/\bProf\.\s+(?=[A-Z])/g, 'professor '],
  [/\bapprox\./gi, 'about'],
  [/\bNo\.\s+(?=\d)/g, 'number '],
  [/&/g, ' and '],
];

/** `00` is omitted, as in two P M. */
function minutes(text: string): string {
  if (text === '00') return '';
  return text.startsWith('0') ? `oh ${text.slice(1)}` : text;
}

/** Spells digits, with a pause between groups. */
function digitByDigit(groups: readonly unknown[]): string {
  const given = groups.filter((group): group is string => typeof group === 'string');
  return given.map((group) => group.split('').join(' ')).join(', ');
}
