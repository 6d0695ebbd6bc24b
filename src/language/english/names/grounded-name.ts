import { normal, type Grounding } from '../said-words.ts';

/**
 * Whether a name is in what was said: each of its parts as it stands or spelled out; `near` where one only sounds or
 * looks like what was said.
 */
export function groundedName(name: string, turns: readonly string[]): Grounding {
  const parts = normal(name)
    .split(' ')
    .filter((part) => part !== '');
  // Letters that are said one by one are one word: "J O N", "J-O-N".
  const said = normal(turns.join(' , '))
    .replaceAll(/\b(?:\p{L} ){1,}\p{L}\b/gu, (letters) => ` ${letters} ${letters.replaceAll(' ', '')} `)
    .split(' ');
  let isNear = false;
  for (const part of parts) {
    if (said.includes(part)) continue;
    if (part.length === 1 && said.some((word) => word.startsWith(part))) continue;
    if (!said.some((word) => isLike(word, part))) return 'unsaid';
    isNear = true;
  }
  if (parts.length === 0) return 'unsaid';
  return isNear ? 'near' : 'said';
}

function isLike(word: string, part: string): boolean {
  if (part.length < 4 || word.length < 3) return false;
  return distance(word, part) <= Math.floor(part.length / 4) || soundOf(word) === soundOf(part);
}

/** Consonants as they sound, roughly: Catherine and Katherine, Meier and Meyer, Shivawn and Siobhan do not differ much. */
function soundOf(word: string): string {
  return word
    .replaceAll('ph', 'f')
    .replaceAll(/sch|sh|ch/g, 's')
    .replaceAll(/ck|c|q/g, 'k')
    .replaceAll(/th|dt/g, 't')
    .replaceAll('z', 's')
    .replaceAll(/[yj]/g, 'i')
    .replaceAll('w', 'v')
    .replaceAll('h', '')
    .replaceAll(/(.)\1+/g, '$1')
    .replaceAll(/(?<=.)[aeiou]/g, '');
}

/** Levenshtein's. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const change = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, change));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
