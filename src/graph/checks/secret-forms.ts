/** Where a text seems to hold a secret, what kind, and its beginning, which gives nothing away. */
export interface FoundSecret {
  readonly what: string;
  readonly start: number;
  readonly prefix: string;
}

/** Finds the first thing in a text that looks like a secret; rather misses one than calls plain text one. */
export function findSecret(text: string): FoundSecret | undefined {
  if (text.length < shortest) return undefined;
  for (const { what, form, isSecret } of forms) {
    for (const match of text.matchAll(form)) {
      const [whole, prefix = '', rest = ''] = match;
      if (isSecret === undefined || isSecret(rest === '' ? whole : rest)) return { what, start: match.index, prefix };
    }
  }
  return undefined;
}

/** No form matches fewer characters. */
const shortest = 12;

interface Form {
  readonly what: string;
  /** The first group is what may be shown, the second what `isSecret` looks at. */
  readonly form: RegExp;
  readonly isSecret?: (text: string) => boolean;
}

// Every repetition is bounded or begins where no other can, so that a search takes linear time.
const forms: readonly Form[] = [
  { what: 'an API key', form: /(?<![A-Za-z0-9])(sk-)([A-Za-z0-9_-]{20,})/g, isSecret: hasDigit },
  { what: 'an API key', form: /(?<![A-Za-z0-9])([sr]k_live_|AIza)[A-Za-z0-9_-]{16,}/g },
  { what: 'an AWS access key', form: /(?<![A-Za-z0-9])(AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  { what: 'a GitHub token', form: /(?<![A-Za-z0-9])(gh[opsur]_|github_pat_)[A-Za-z0-9_]{20,}/g },
  { what: 'a Slack token', form: /(?<![A-Za-z0-9])(xox[abeoprs]-)([A-Za-z0-9-]{10,})/g, isSecret: hasDigit },
  { what: 'a private key', form: /(-----BEGIN )[A-Z0-9 ]{0,40}PRIVATE KEY/g },
  { what: 'a signed token', form: /(?<![\w-])(eyJ)[\w-]{10,}\.eyJ[\w-]{10,}/g },
  { what: 'a URL with a password', form: /(:\/\/)[^\s:@/]{1,64}:([^\s@/{}<>]{3,64})@/g, isSecret: isNoPlaceholder },
  {
    what: 'a password',
    form: /(?<![A-Za-z])(password|passwd|passphrase|secret|api[ _-]?key|(?:access|auth|bearer)[ _-]?token)["']?\s?[:=]\s?["']?([^\s"'{}<>[\]]{6,64})/gi,
    isSecret: isPassword,
  },
  { what: 'a key or token', form: /(?<![\w+/=-])([A-Za-z0-9]{2})[A-Za-z0-9_]{30,}(?![\w/=-])/g, isSecret: isRandom },
];

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

function isPassword(text: string): boolean {
  // "password: 8-character code" tells what one looks like.
  return hasDigit(text) && !/^\d+-[a-z]+\W?$/i.test(text);
}

function isNoPlaceholder(text: string): boolean {
  return !/^(password|pass|secret|\*+|x+)$/i.test(text);
}

/** Whether letters and digits change as often as they do by chance; words and hexadecimal numbers do so far less. */
function isRandom(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text)) return false;
  let changes = 0;
  for (let index = 1; index < text.length; index += 1)
    if (kindOf(text.charCodeAt(index)) !== kindOf(text.charCodeAt(index - 1))) changes += 1;
  return changes >= 0.4 * text.length;
}

function kindOf(code: number): 'digit' | 'upper' | 'lower' | 'other' {
  if (code >= 48 && code <= 57) return 'digit';
  if (code >= 65 && code <= 90) return 'upper';
  return code >= 97 && code <= 122 ? 'lower' : 'other';
}
