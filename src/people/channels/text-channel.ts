import { z } from 'zod';
import type { JsonObject } from '../../model/json.ts';

/**
 * Sends one text. `to` is a number or an address. `key` is the same for each attempt: pass it to the provider so that
 * the text is sent once. `data` is additional data, such as the facts of an approval. An error, or more than 20 s, is
 * retried later.
 */
export type SendText = (
  text: string,
  to: string,
  options: { readonly key: string; readonly data: JsonObject },
) => unknown;

/** The text channels of a configuration, by name. */
export type TextChannels = Readonly<Record<string, { readonly send: SendText }>>;

/** A text channel in `agent.config.ts`. */
export const channelSchema = z.strictObject({
  send: z
    .custom<SendText>((value) => typeof value === 'function', 'must be a function')
    .describe('Sends a text: (text, to, { key }).'),
});
