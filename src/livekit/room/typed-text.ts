import { cutText, defaultLimits } from '../../engine/limits.ts';

/** Reads a typed message up to the maximum length of a turn, and cancels the rest of the possibly endless stream. */
export async function typedText(parts: AsyncIterable<string>, most = defaultLimits.callerCharacters): Promise<string> {
  let text = '';
  for await (const part of parts) {
    text += part;
    if (text.length > most) break;
  }
  return cutText(text, most);
}
