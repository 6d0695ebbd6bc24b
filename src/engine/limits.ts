import { z } from 'zod';

const count = z.number().int().min(1).max(1_000_000);
const most = z.number().int().min(1).max(100_000_000);

/** Schema of `limits` in a configuration. */
export const limitsSchema = z.strictObject({
  callsPerReply: count.optional().describe('Maximum number of function calls in one completion. Default: 8.'),
  callsPerTurn: count.optional().describe('Maximum number of function calls for one turn of the caller. Default: 20.'),
  equalWritesPerTurn: count
    .optional()
    .describe('How often a write with equal name and arguments runs for one turn of the caller. Default: 1.'),
  callerCharacters: most
    .optional()
    .describe('Maximum number of characters of one turn of the caller. Default: 20,000.'),
  resultBytes: most
    .optional()
    .describe('Maximum size of a function’s result, and of a call’s arguments, in bytes of JSON. Default: 65,536.'),
  argumentDepth: count.optional().describe('Maximum nesting of objects and lists in a call’s arguments. Default: 100.'),
  replyMs: most.optional().describe('Maximum time of one reply until its last word, in milliseconds. Default: 60,000.'),
  replyCharacters: most.optional().describe('Maximum number of characters of one reply. Default: 4,000.'),
  contextCharacters: most
    .optional()
    .describe('Maximum number of characters of the conversation in a request, without the prompt. Default: 200,000.'),
  conversationMs: z
    .number()
    .int()
    .min(1_000)
    .max(86_400_000)
    .optional()
    .describe('Maximum time of a conversation in one process, in milliseconds. Default: none.'),
  conversationCost: z
    .number()
    .positive()
    .max(1_000_000)
    .optional()
    .describe('Maximum cost of a conversation, by prices. Default: none.'),
});

type Chosen = z.output<typeof limitsSchema>;

/** Limits of a turn (words of the caller, generated replies, returned results) and of a whole conversation. */
export type Limits = { readonly [Key in keyof Chosen]-?: NonNullable<Chosen[Key]> };

/** Limits that an author sets; the others keep their defaults. */
export type LimitChoices = z.input<typeof limitsSchema>;

export const defaultLimits: Limits = Object.freeze({
  callsPerReply: 8,
  callsPerTurn: 20,
  equalWritesPerTurn: 1,
  callerCharacters: 20_000,
  resultBytes: 65_536,
  argumentDepth: 100,
  replyMs: 60_000,
  replyCharacters: 4_000,
  contextCharacters: 200_000,
  conversationMs: Infinity,
  conversationCost: Infinity,
});

/** Default timeout of a function, and of a function that asks the caller, in milliseconds. */
export const functionTimeoutMs = 15_000;
export const askingTimeoutMs = 120_000;

/** Returns the default limits with the author's choices applied. */
export function limitsOf(chosen: LimitChoices | undefined): Limits {
  const set = Object.entries(chosen ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaultLimits, ...Object.fromEntries(set) };
}

/** Cuts a text that is too long, without splitting a character. */
export function cutText(text: string, mostCharacters: number): string {
  if (text.length <= mostCharacters) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text[mostCharacters - 1] ?? '');
  return text.slice(0, isHalf ? mostCharacters - 1 : mostCharacters);
}
