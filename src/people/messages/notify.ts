import { z } from 'zod';
import type { EffectKey } from '../../model/effect.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { OutgoingMessage, SendMessage } from './messenger.ts';

/** A question to a queue or person. */
export interface Notice {
  /** The same for each attempt: pass it to the provider so that the notice is sent once. */
  readonly key: EffectKey;
  readonly sessionId: string;
  /** The wait to decide, for `roomflow approve` and the routes of `/waits`. */
  readonly wait: EffectKey;
  readonly to: string;
  readonly question: string;
  readonly facts: JsonObject;
  /** The possible decisions. */
  readonly options: readonly string[];
  /** The URL of a page to decide on; null without `http.publicUrl` and ROOMFLOW_LINK_SECRET. */
  readonly link: string | null;
}

/** Sends a question to a queue or person. An error, or more than 20 s, is retried later. */
export type Notify = (notice: Notice) => unknown;

/** The senders of notices, by the `to` of the nodes that ask. */
export const notifySchema = z
  .record(
    z.string().min(1),
    z.custom<Notify>((value) => typeof value === 'function', 'must be a function'),
  )
  .describe('Senders of questions to people, by the `to` of the node: refunds: ({ question, facts, link }) => ….');

/** Creates a sender that passes messages to `notify` as notices. */
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

/** Reads the data that the kernel stores in the message of a wait. */
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
