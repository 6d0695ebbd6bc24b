// Characters that reverse the reading order or are invisible: they can make a value look like a different one.
const turning = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Escapes characters that reverse the reading order, in a text from outside that people read. */
export function escapeBidi(text: string): string {
  return text.replaceAll(turning, escaped);
}

/** Returns a character as `\u202e`, which JSON reads as the same character. */
export function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
