/** Extracts the `reply` of a JSON object from its text while it streams. Total: any text has a reading. */
export interface ReplyReader {
  /** Takes the next text in pieces of any size. Returns what to say of it. */
  push(written: string): string;
  /** The form so far: a JSON object, plain words, or only white space. */
  readonly kind: 'json' | 'plain' | 'empty';
  /** Whether the reply was written to its end. */
  readonly isComplete: boolean;
  /** The text so far. */
  readonly written: string;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);

/** A model that was asked for JSON may still put it into a code fence. */
const beginning = /^\s*(?:```(?:json)?\s*)?/i;
const fence = '```json';

export function createReplyReader(): ReplyReader {
  let written = '';
  let kind: ReplyReader['kind'] = 'empty';
  let isComplete = false;
  let depth = 0;
  let expectsKey = false;
  let key = '';
  /** The kind of the current string; null between strings. */
  let inside: 'key' | 'reply' | 'other' | null = null;
  /** The current escape without its backslash. */
  let escape: string | null = null;
  /** The first half of a surrogate pair. */
  let half = '';
  let said = '';

  const add = (text: string): void => {
    if (inside === 'key') key += text;
    if (inside !== 'reply') return;
    const whole = half + text;
    half = /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(-1) : '';
    said += half === '' ? whole : whole.slice(0, -1);
  };
  const readInString = (char: string): void => {
    if (escape !== null) {
      escape += char;
      if (escape.startsWith('u') && escape.length < 5) return;
      add(escape.startsWith('u') ? charOf(escape.slice(1)) : (escapes.get(escape) ?? escape));
      escape = null;
    } else if (char === '\\') escape = '';
    else if (char === '"') {
      if (inside === 'reply') isComplete = true;
      inside = null;
    } else add(char);
  };
  const readBetween = (char: string): void => {
    if (char === '{' || char === '[') {
      depth += 1;
      expectsKey = depth === 1;
    } else if (char === '}' || char === ']') depth -= 1;
    else if (char === ':' && depth === 1) expectsKey = false;
    else if (char === ',' && depth === 1) expectsKey = true;
    else if (char === '"') {
      const isReply = depth === 1 && !expectsKey && key === 'reply' && !isComplete;
      inside = depth === 1 && expectsKey ? 'key' : isReply ? 'reply' : 'other';
      if (inside === 'key') key = '';
    }
  };

  return {
    push(piece) {
      written += piece;
      let rest = piece;
      if (kind === 'empty') {
        const body = written.replace(beginning, '');
        // A beginning that may become a fence is not spoken yet.
        if (body === '' || fence.startsWith(written.trimStart().toLowerCase())) return '';
        kind = body.startsWith('{') ? 'json' : 'plain';
        rest = kind === 'json' ? body : written;
      }
      if (kind === 'plain') return rest;
      said = '';
      for (const char of rest)
        if (inside === null) readBetween(char);
        else readInString(char);
      return said;
    },
    get kind() {
      return kind;
    },
    get isComplete() {
      return isComplete;
    },
    get written() {
      return written;
    },
  };
}

function charOf(hex: string): string {
  return /^[\da-f]{4}$/i.test(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : '\ufffd';
}
