/** A suspected secret: its kind, its offset and a harmless prefix. */
export interface FoundSecret {
  readonly what: string;
  readonly start: number;
  readonly prefix: string;
}

/** Finds a suspected secret in a text. Prefers missing one to a false alarm. */
export function findSecret(text: string): FoundSecret | undefined {
  if (text.length < shortest) return undefined;
  for (const { what, signs, form, isSecret } of anySign.test(text) ? forms : []) {
    if (!signs.some((sign) => text.includes(sign))) continue;
    for (const match of text.matchAll(form)) {
      const [, prefix = '', rest = ''] = match;
      if (isSecret === undefined || isSecret(rest)) return { what, start: match.index, prefix };
    }
  }
  return findRandom(text);
}

/** No form matches fewer characters. */
const shortest = 12;

interface Form {
  readonly what: string;
  /** A text without any of these cannot match; this check is cheaper than the form. */
  readonly signs: readonly string[];
  /** Group 1 may be shown; `isSecret` checks group 2. */
  readonly form: RegExp;
  readonly isSecret?: (text: string) => boolean;
}

// Repetitions are bounded or start unambiguously, so a search is linear.
const forms: readonly Form[] = [
  { what: 'an API key', signs: ['sk-'], form: /\b(sk-)([A-Za-z0-9_-]{20,})/g, isSecret: hasDigit },
  { what: 'an API key', signs: ['k_live_', 'AIza'], form: /\b([sr]k_live_|AIza)[A-Za-z0-9_-]{16,}/g },
  { what: 'an AWS access key', signs: ['AKIA', 'ASIA'], form: /\b(AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { what: 'a GitHub token', signs: ['gh', 'github_pat_'], form: /\b(gh[opsur]_|github_pat_)[A-Za-z0-9_]{20,}/g },
  { what: 'a Slack token', signs: ['xox'], form: /\b(xox[abeoprs]-)([A-Za-z0-9-]{10,})/g, isSecret: hasDigit },
  { what: 'a private key', signs: ['-----BEGIN '], form: /(-----BEGIN )[A-Z0-9 ]{0,40}PRIVATE KEY/g },
  { what: 'a signed token', signs: ['eyJ'], form: /\b(eyJ)[\w-]{10,}\.eyJ[\w-]{10,}/g },
  {
    what: 'a URL with a password',
    signs: ['://'],
    form: /(:\/\/)[^\s:@/]{1,64}:([^\s@/{}<>]{3,64})@/g,
    isSecret: (text) => !/^(password|pass|secret|\*+|x+)$/i.test(text),
  },
  {
    what: 'a password',
    signs: [':', '='],
    form: /(?:\b|_)(password|passwd|passphrase|secret|api[ _-]?key|(?:access|auth|bearer)[ _-]?token)["']?\s?[:=]\s?["']?([^\s"'{}<>[\]]{6,64})/gi,
    // "password: 8-character code" only describes a password.
    isSecret: (text) => hasDigit(text) && !/^\d+-[a-z]+\W?$/i.test(text),
  },
];

/** One search for all signs: most texts contain none. No sign needs escaping. */
const anySign = new RegExp(forms.flatMap(({ signs }) => signs).join('|'));

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

/** Shorter runs of letters and digits do not count as tokens. */
const shortestToken = 32;

/** Samples one character per interval and checks the word around it, because few texts contain such long words. */
function findRandom(text: string): FoundSecret | undefined {
  for (let index = shortestToken - 1; index < text.length; index += shortestToken) {
    let start = index;
    let end = index;
    while (isAlphanumeric(text.charCodeAt(start - 1))) start -= 1;
    while (isAlphanumeric(text.charCodeAt(end))) end += 1;
    // After a slash it is more likely part of a URL.
    const isToken = end - start >= shortestToken && text[start - 1] !== '/' && isRandom(text.slice(start, end));
    if (isToken) return { what: 'a key or token', start, prefix: text.slice(start, start + 2) };
    index = Math.max(index, end);
  }
  return undefined;
}

/** Checks whether letters and digits alternate as often as in random text; words and hexadecimal numbers do so far less. */
function isRandom(word: string): boolean {
  if (!/[a-z]/.test(word) || !/[A-Z]/.test(word) || !hasDigit(word)) return false;
  const changes = word.match(/[a-z](?![a-z])|[A-Z](?![A-Z])|\d(?!\d)/g) ?? [];
  return changes.length >= 0.4 * word.length;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}
