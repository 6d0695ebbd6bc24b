import { errorKind } from '../../model/errors.ts';
import { isRecord } from '../../model/json.ts';

/** Logger name of Roomflow's own lines, which contain nothing of a call. */
export const ownName = 'roomflow';

/** Replaces a value that may be spoken content. */
const withheld = '[withheld]';

/** Fields that contain content in LiveKit's lines and in answers of providers, whatever their value. */
const contents: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'content',
  'data',
  'delta',
  'input',
  'instructions',
  'item',
  'items',
  'message',
  'output',
  'prompt',
  'text',
  'transcript',
]);

/** Fields that pino adds to every line. */
const plain: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'name', 'region']);

/** LiveKit's native part appends participants to the name of an event. */
const nativeName = 'lk-rtc';

const deepest = 3;

/**
 * Removes a call's content from a JSON log line of a worker: marked fields (`lk.pii.*`), arguments,
 * transcripts and error texts. An error is reduced to its kind, and telephone numbers are replaced by
 * `nameOf`. In Roomflow's own lines only telephone numbers are replaced. A line that is not JSON is unchanged.
 */
export function contentFreeLine(line: string, nameOf: (telephone: string) => string): string {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  if (!isRecord(entry)) return line;
  const isOwn = entry['name'] === ownName;
  const isNative = entry['name'] === nativeName;
  const quoted = quotedErrors(entry);
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (isMarked(name)) continue;
    if (plain.has(name)) kept[name] = value;
    else if (name === 'msg' && isNative) kept[name] = String(value).split(': ', 1)[0];
    else if (name === 'msg') kept[name] = messageOf(value, isOwn, quoted, nameOf);
    else if (name === 'sessionId' && typeof value === 'string') kept[name] = namedSession(value, nameOf);
    else kept[name] = isOwn ? named(value, nameOf) : scrubbed(name, value, nameOf, 0);
  }
  return `${JSON.stringify(kept)}${line.endsWith('\n') ? '\n' : ''}`;
}

/** Replaces a session id that is a telephone number by its name; other ids keep their form. */
export function namedSession(sessionId: string, nameOf: (telephone: string) => string): string {
  const [, number, conversation = ''] = /^\s*((?:[ ()/.+-]{0,3}\d){7,15})(~\d+)?\s*$/.exec(sessionId) ?? [];
  if (number !== undefined) return nameOf(number) + conversation;
  return sessionId
    .split(uuids)
    .map((part, index) => (index % 2 === 1 ? part : namedIn(part, nameOf)))
    .join('');
}

/** Replaces a telephone number within a longer id: `whatsapp-49151…`, `user.0049 151 1234567`. */
function namedIn(id: string, nameOf: (telephone: string) => string): string {
  return namedTelephones(id, nameOf).replaceAll(/(?<![A-Za-z0-9])(?:\d[ ().-]{0,2}){8,14}\d(?![A-Za-z0-9])/g, nameOf);
}

const uuids = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi;

function namedTelephones(text: string, nameOf: (telephone: string) => string): string {
  return text.replaceAll(telephones, (found) => nameOf(found));
}

/** With a plus: at least 7 digits, possibly grouped. Without: 8 to 15 digits in a row. */
const telephones = /\+\d(?:[ ()/-]{0,2}\d){6,17}|(?<![\w.-])\d{8,15}(?![\w.-])|(?<=[a-z]_|tel:|sip:)\d{8,15}(?!\w)/gi;

/** LiveKit marks personal data by a whole segment of the name. */
function isMarked(name: string): boolean {
  return /(^|\.)pii(\.|$)/i.test(name);
}

function messageOf(
  message: unknown,
  isOwn: boolean,
  quoted: ReadonlySet<string>,
  nameOf: (telephone: string) => string,
): unknown {
  if (typeof message !== 'string') return message;
  if (isOwn) return namedTelephones(message, nameOf);
  if (quoted.has(message)) return 'an error';
  const withoutError = message
    // `Error running the task: TypeError: …`, and everything after an error's name.
    .replace(/((?:^|[\s(])[A-Z]\w*(?:Error|Exception)): [\s\S]*$/, `$1: ${withheld}`)
    .replace(/: Error: [\s\S]*$/, `: ${withheld}`)
    .replace(/(["“'`])(?=[^"”'`]*\s)[^"”'`]{12,}["”'`]/g, `$1${withheld}$1`);
  return namedTelephones(withoutError, nameOf);
}

/** Returns the texts of a line's errors, because pino uses one as the message if no other was given. */
function quotedErrors(entry: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const texts = Object.values(entry).flatMap((value) =>
    isRecord(value) && typeof value['message'] === 'string' ? [value['message']] : [],
  );
  return new Set(texts);
}

/** Replaces telephone numbers in a value of our own lines; a `sessionId` is treated as an id. */
function named(value: unknown, nameOf: (telephone: string) => string): unknown {
  if (typeof value === 'string') return namedTelephones(value, nameOf);
  if (Array.isArray(value)) return value.map((item) => named(item, nameOf));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [
      member,
      member === 'sessionId' && typeof each === 'string' ? namedSession(each, nameOf) : named(each, nameOf),
    ]),
  );
}

/** Reduces a value of a foreign line: numbers and identifiers stay, sentences do not. */
function scrubbed(name: string, value: unknown, nameOf: (telephone: string) => string, depth: number): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (contents.has(name) || depth > deepest) return withheld;
  if (typeof value === 'string') return isIdentifier(value) ? namedTelephones(value, nameOf) : withheld;
  if (Array.isArray(value)) return value.map((item) => scrubbed('', item, nameOf, depth + 1));
  if (!isRecord(value)) return withheld;
  if (typeof value['stack'] === 'string' || (typeof value['type'] === 'string' && 'message' in value))
    return errorKind(errorOf(value));
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, each]) =>
      isMarked(member) ? [] : [[member, scrubbed(member, each, nameOf, depth + 1)]],
    ),
  );
}

/** Checks for one word without spaces: an id, a label, a state, a path or an address. */
function isIdentifier(text: string): boolean {
  return text.length <= 300 && /^[\w.:/@~+#-]*$/.test(text);
}

/** Restores an error that pino serialised. */
function errorOf({ type, message, stack, code, status, statusCode }: Readonly<Record<string, unknown>>): Error {
  const error = new Error(typeof message === 'string' ? message : '');
  error.name = typeof type === 'string' ? type : 'Error';
  error.stack = typeof stack === 'string' ? stack : '';
  return Object.assign(error, { code, status, statusCode });
}
