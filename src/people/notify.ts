import { z } from 'zod';
import type { EffectKey } from '../events/effect.ts';
import { isJsonObject, type Json, type JsonObject } from '../events/json.ts';
import type { OutgoingMessage, SendMessage } from './messenger.ts';

/** A question to a queue or person, as it is sent to them. */
export interface Notice {
  /** The same each time that it is tried again: give it to the provider, so that it is sent once. */
  readonly key: EffectKey;
  readonly sessionId: string;
  /** The wait that is to be decided: what `roomflow approve` and the routes of `/waits` take. */
  readonly wait: EffectKey;
  readonly to: string;
  readonly question: string;
  readonly facts: JsonObject;
  /** The decisions to choose from. */
  readonly options: readonly string[];
  /** A page to decide on, for whoever has the link; null without `http.publicUrl` and ROOMFLOW_LINK_SECRET. */
  readonly link: string | null;
}

/** Tells a queue or person what they are asked. A throw, or taking longer than 20 s, is tried again later. */
export type Notify = (notice: Notice) => unknown;

/** The senders of notices, by the `to` of the nodes that ask. */
export const notifySchema = z
  .record(
    z.string().min(1),
    z.custom<Notify>((value) => typeof value === 'function', 'must be a function'),
  )
  .describe('Tells people that they are asked, by the `to` of the node: refunds: ({ question, facts, link }) => ….');

/** Sends a message as the notice that it is. */
export function noticeSender(
  notify: Notify,
  linkOf: (wait: EffectKey, to: string) => Promise<string | null>,
): SendMessage {
  return async (message) => {
    const notice = noticeOf(message);
    await notify({ ...notice, link: await linkOf(notice.wait, notice.to) });
    return null;
  };
}

/** What the kernel has written into the message of a wait. */
function noticeOf({ key, sessionId, to, text, data }: OutgoingMessage): Omit<Notice, 'link'> {
  const { key: wait = '', facts = {}, options = [] } = data;
  return {
    ...{ key, sessionId, to, question: text },
    wait: typeof wait === 'string' ? wait : '',
    facts: isJsonObject(facts) ? facts : {},
    options: textsIn(options),
  };
}

function textsIn(value: Json): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
