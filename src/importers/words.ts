/** Returns a word that may be the key of a node, a variable or a slot: letters, digits and "_", with a letter first. */
export function wordOf(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase()
    .slice(0, 48)
    .replace(/_+$/, '');
  return /^\p{L}/u.test(plain) ? plain : plain === '' ? '' : `_${plain}`;
}

/** The same with only the letters that a function's name may have. Empty if the text has none of them. */
export function functionWordOf(text: string): string {
  const word = wordOf(text)
    .replaceAll(/[^a-z\d_]+/g, '_')
    .replaceAll(/_{2,}/g, '_')
    .replace(/_+$/, '');
  return /^[a-z_]/.test(word) && /[a-z\d]/.test(word) ? word : '';
}

/** Makes names unique: it adds a number to a name that is taken. */
export interface Unique {
  /** Returns the first free name of `name`, `name_2`, `name_3`, … */
  next(name: string): string;
  has(name: string): boolean;
}

export function createUnique(taken: Iterable<string> = []): Unique {
  const names = new Set(taken);
  return {
    has: (name) => names.has(name),
    next(name) {
      let free = name;
      for (let count = 2; names.has(free); count += 1) free = `${name.slice(0, 58)}_${count}`;
      names.add(free);
      return free;
    },
  };
}

/** A text as one short line, for a report. */
export function shortly(text: string, most = 60): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** Names of functions that every flow offers. */
export const reservedFunctions = ['record', 'answer', 'set_language'];

export function isFunctionName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name);
}

/** Makes a valid function name out of a foreign name. */
export function functionNameOf(given: string): string {
  const name = isFunctionName(given) ? given : functionWordOf(given) || 'call';
  return reservedFunctions.includes(name) ? `${name}_` : name;
}

/** A text, number or boolean as text. Empty for every other value. */
export function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
