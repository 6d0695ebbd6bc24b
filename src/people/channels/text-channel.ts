import { z } from 'zod';
import type { JsonObject } from '../../events/json.ts';

/**
 * Sends one text. `to` is a number or an address, `key` the same each time that this text is tried again: give it to the
 * provider, so that it is sent once. `data` is what belongs to it, such as the facts of an approval. A throw, or taking
 * longer than 20 s, is tried again later.
 */
export type SendText = (
  text: string,
  to: string,
  options: { readonly key: string; readonly data: JsonObject },
) => unknown;

/** The text channels of a configuration, by name. */
export type TextChannels = Readonly<Record<string, { readonly send: SendText }>>;

/** A text channel as it is written in `agent.config.ts`. */
export const channelSchema = z.strictObject({
  send: z
    .custom<SendText>((value) => typeof value === 'function', 'must be a function')
    .describe('Sends a text: (text, to, { key }).'),
});
