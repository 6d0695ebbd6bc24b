import { FlowError } from '../../model/errors.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { MessengerOptions, OutgoingMessage } from '../messages/messenger.ts';
import type { TextChannels } from './text-channel.ts';

/** Dependencies of a text sender, with the channels of the configuration. */
export interface TextSenderParts {
  readonly store: Pick<Store, 'effects' | 'inbox'>;
  readonly clock: Clock;
  readonly channels: TextChannels;
}

/** How long a text waits for the text before it, in milliseconds; longer than a short failure of a provider. */
const patienceMs = 60_000;

/**
 * Creates the senders of text channels for a messenger; null for a message of another kind. Texts of a conversation are
 * sent in order: a text that is too early fails as `message-early` and is retried, for at most a minute.
 */
export function createTextSender({ store, clock, channels }: TextSenderParts): MessengerOptions['senderOf'] {
  const waitingSince = new Map<string, number>();
  /** Texts that this process has just sent, which the store may not list yet. */
  const sentAt = new Map<string, number>();
  return ({ channel }) => {
    const found = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
    if (found === undefined) return null;
    return async (message) => {
      const { key, text, to, data } = message;
      const since = waitingSince.get(key) ?? clock.now();
      if (clock.now() - since < patienceMs && (await isEarly(store, message, sentAt))) {
        waitingSince.set(key, since);
        throw new FlowError('message-early', 'another text of the same conversation has to be sent first.');
      }
      waitingSince.delete(key);
      await found.send(text, to, { key, data });
      for (const [one, at] of sentAt) {
        // The map is ordered by time.
        if (clock.now() - at < patienceMs) break;
        sentAt.delete(one);
      }
      sentAt.set(key, clock.now());
      return null;
    };
  };
}

/** Checks whether an earlier message of the same session and channel has not been sent yet. */
async function isEarly(
  store: TextSenderParts['store'],
  { key, sessionId, channel }: OutgoingMessage,
  sentHere: ReadonlyMap<string, unknown>,
): Promise<boolean> {
  const effects = await store.effects.list(sessionId);
  const earlier = effects.filter(
    (one) =>
      one.kind === 'message' &&
      one.state === 'intended' &&
      one.payload.channel === channel &&
      !sentHere.has(one.key) &&
      placeOf(one.key) < placeOf(key),
  );
  if (earlier.length === 0) return false;
  const entries = await store.inbox.list({ sessionId, limit: 1_000 });
  const told = new Set(entries.map(({ entry }) => entry.key));
  for (const one of earlier)
    if (!told.has(`${one.key}/sent`) && !(await store.inbox.isConsumed(`${one.key}/sent`))) return true;
  return false;
}

/** Returns the order of a key, which ends with the turn and the position in it. */
function placeOf(key: string): number {
  const [turn = '0', ordinal = '0'] = key.split('/').slice(-2);
  return Number(turn) * 1_000_000 + Number(ordinal);
}
