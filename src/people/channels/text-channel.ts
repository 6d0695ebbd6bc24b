import { z } from 'zod';

/**
 * Sends one text. `to` is a number or an address, `key` the same each time that this text is tried again: give it to the
 * provider, so that it is sent once. A throw, or taking longer than 20 s, is tried again later.
 */
export type SendText = (text: string, to: string, options: { readonly key: string }) => unknown;

/** A text channel as it is written in `agent.config.ts`. */
export const channelSchema = z.strictObject({
  send: z
    .custom<SendText>((value) => typeof value === 'function', 'must be a function')
    .describe('Sends a text: (text, to, { key }).'),
});
