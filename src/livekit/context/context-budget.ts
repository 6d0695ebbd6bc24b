import { llm } from '@livekit/agents';
import { cutText } from '../../turn/engine/limits.ts';

/** How much of the budget is left free by a cut, so that not every turn needs another one. */
const keptShare = 0.6;

/** The least that a message is cut to, in characters. */
const leastOfItem = 200;

/** Characters of what was said, called and answered. */
export function sizeOf(items: readonly llm.ChatItem[]): number {
  return items.reduce((size, item) => size + sizeOfItem(item), 0);
}

/**
 * The words of the caller to begin with so that the rest fits well within so many characters; null where nothing can be
 * hidden. The caller's last words, and what came since, always stay.
 */
export function firstToKeep(items: readonly llm.ChatItem[], mostCharacters: number): string | null {
  const lastWords = items.findLastIndex(isCaller);
  let begin = items.length;
  for (let size = 0; begin > 0; begin -= 1) {
    const before = items[begin - 1];
    if (before !== undefined) size += sizeOfItem(before);
    if (size > mostCharacters * keptShare) break;
  }
  const next = items.findIndex((item, index) => index >= begin && isCaller(item));
  const first = next < 0 ? lastWords : Math.min(next, lastWords);
  return first <= 0 ? null : (items[first]?.id ?? null);
}

/** The same items with each text cut to its share of so many characters: where even the last turn is longer than that. */
export function shortened(items: readonly llm.ChatItem[], mostCharacters: number): llm.ChatItem[] {
  const share = Math.max(leastOfItem, Math.floor(mostCharacters / Math.max(1, items.length)));
  return items.map((item) => {
    if (sizeOfItem(item) <= share) return item;
    if (item.type === 'function_call_output') {
      const { id, callId, name, isError, createdAt } = item;
      const output = `${cutText(item.output, share)}\n${note}`;
      return llm.FunctionCallOutput.create({ id, callId, name, output, isError, createdAt });
    }
    if (item.type !== 'message') return item;
    const { id, role, createdAt, textContent = '' } = item;
    return llm.ChatMessage.create({ id, role, createdAt, content: `${cutText(textContent, share)} ${note}` });
  });
}

/** Stands behind a text that was cut. */
const note = '[The rest is left out.]';

/** The items without what the caller has said last and nobody has answered yet: that belongs to the node to come. */
export function withoutOpenWords(items: readonly llm.ChatItem[]): readonly llm.ChatItem[] {
  const last = items.at(-1);
  return last !== undefined && isCaller(last) ? items.slice(0, -1) : items;
}

/** Whether an item is part of the conversation, and not LiveKit's note of an agent or its settings. */
export function isOfConversation({ type }: llm.ChatItem): boolean {
  return type === 'message' || type === 'function_call' || type === 'function_call_output';
}

/** Whether a model's error says that it was asked with more than it can read. Providers have no code in common for it. */
export function isTooLong(error: Error): boolean {
  const body: unknown = 'body' in error ? error.body : undefined;
  const text = `${error.message} ${typeof body === 'string' ? body : (JSON.stringify(body) ?? '')}`;
  return tooLong.test(text);
}

const tooLong =
  /context_length_exceeded|maximum context length|context (?:window|length|size)|prompt is too long|input is too long|too many (?:input )?tokens|reduce the length|string_above_max_length/i;

function isCaller(item: llm.ChatItem): boolean {
  return item.type === 'message' && item.role === 'user';
}

function sizeOfItem(item: llm.ChatItem): number {
  if (item.type === 'message') return item.textContent?.length ?? 0;
  if (item.type === 'function_call') return item.name.length + item.args.length;
  return item.type === 'function_call_output' ? item.output.length : 0;
}
