import { plainAnswer } from '../../language/english/answers/yes-no.ts';
import type { ConversationItem } from './conversation.ts';
import { countWords } from './field.ts';

/** Checks for a request to summarize in the position of the caller's words. */
export function isSummaryRequest(text: string): boolean {
  return /\b(?:summar(?:y|i[sz]e|i[sz]ing)|sum (?:it |this |that |everything )?up|recap)\b/i.test(text);
}

/** Maximum length of a summary in characters; the latest words are kept. */
const longest = 600;

/** Summarizes by extraction: the caller's words in order, without bare answers. */
export function summaryOf(items: readonly ConversationItem[]): string {
  const said = items
    .slice(0, -1)
    .flatMap((item) => (item.type === 'caller' && !isBare(item.text) ? [item.text.trim()] : []));
  const kept: string[] = [];
  let length = 0;
  for (const text of said.toReversed()) {
    length += text.length;
    if (length > longest && kept.length > 0) break;
    kept.unshift(`"${text.slice(0, longest)}"`);
  }
  return kept.length === 0
    ? 'The caller has not said anything of substance yet.'
    : `The caller said: ${kept.join('; ')}.`;
}

function isBare(text: string): boolean {
  return plainAnswer(text) !== undefined || countWords(text) === 0;
}
