/** Returns a code as people say it: letter by letter and digit by digit, digits in groups. */
export function codeInGroups(value: string): string {
  const runs = value.match(/\d+|[^\d]+/g) ?? [];
  return runs
    .flatMap(inSmallGroups)
    .map((group) => group.split('').join(' '))
    .join(', ');
}

/** Splits into groups of at most four digits, as people speak them. */
export function inSmallGroups(digits: string): readonly string[] {
  if (digits.length <= 4) return [digits];
  const first = digits.length === 8 ? 4 : 3;
  return [digits.slice(0, first), ...inSmallGroups(digits.slice(first))];
}
