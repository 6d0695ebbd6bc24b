// Characters that turn the order of what is read, or hide in it: with them a value shows as another one.
const turning = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A text from outside for people: a character that would turn its order round stands there as its escape. */
export function unturned(text: string): string {
  return text.replaceAll(turning, escaped);
}

/** A character as `\u202e`, which means the same in JSON. */
export function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
