import { llm } from '@livekit/agents';
import { cutText } from '../../engine/limits.ts';

/** Share of the budget that a cut fills, so that not every turn needs another cut. */
const keptShare = 0.6;

/** Minimum length of a shortened message, in characters. */
const leastOfItem = 200;

/** Returns the length of messages, calls and outputs, in characters. */
export function sizeOf(items: readonly llm.ChatItem[]): number {
  return items.reduce((size, item) => size + sizeOfItem(item), 0);
}

/**
 * Returns the id of the caller's message to begin with so that the rest fits well into `mostCharacters`;
 * null if nothing can be hidden. The caller's last words, and everything after them, always stay.
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

/** Shortens each text to its share of `mostCharacters`, for a last turn that is too long itself. */
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

/** Appended to a shortened text. */
const note = '[The rest is left out.]';

/** Removes the caller's last words if they are unanswered, because they belong to the next node. */
export function withoutOpenWords(items: readonly llm.ChatItem[]): readonly llm.ChatItem[] {
  const last = items.at(-1);
  return last !== undefined && isCaller(last) ? items.slice(0, -1) : items;
}

/** Checks whether an item is part of the conversation, not LiveKit's note about an agent or its settings. */
export function isOfConversation({ type }: llm.ChatItem): boolean {
  return type === 'message' || type === 'function_call' || type === 'function_call_output';
}

/** Checks whether a model's error means that the request was too long. Providers have no common code for it. */
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
