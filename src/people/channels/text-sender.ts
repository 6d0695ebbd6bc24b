import { FlowError } from '../../errors.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/time.ts';
import type { MessengerOptions, OutgoingMessage } from '../messenger.ts';
import type { TextChannels } from './text-channel.ts';

/** What sending texts needs of the world: the channels of the configuration. */
export interface TextSenderParts {
  readonly store: Pick<Store, 'loadEffects' | 'listEntries' | 'wasConsumed'>;
  readonly clock: Clock;
  readonly channels: TextChannels;
}

/** For how long a text waits for the one before it, in milliseconds: longer than one bad moment of a provider. */
const patienceMs = 60_000;

/**
 * The senders of text channels, for a messenger; null for a message of no channel. A text does not overtake the one
 * before it in its conversation: it fails as `message-early` and is tried again, for a minute at most.
 */
export function createTextSender({ store, clock, channels }: TextSenderParts): MessengerOptions['senderOf'] {
  const waitingSince = new Map<string, number>();
  /** What was sent from here a moment ago, which the store may not know yet. */
  const sentAt = new Map<string, number>();
  return ({ channel }) => {
    const found = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
    if (found === undefined) return null;
    return async (message) => {
      const { key, text, to, data } = message;
      const since = waitingSince.get(key) ?? clock.now();
      if (clock.now() - since < patienceMs && (await isEarly(store, message, sentAt))) {
        waitingSince.set(key, since);
        throw new FlowError('message-early', 'a text of the same conversation is to be sent before it.');
      }
      waitingSince.delete(key);
      await found.send(text, to, { key, data });
      for (const [one, at] of sentAt) {
        // The oldest first.
        if (clock.now() - at < patienceMs) break;
        sentAt.delete(one);
      }
      sentAt.set(key, clock.now());
      return null;
    };
  };
}

/** Whether a message of the same session and channel was intended before, and nobody has sent it. */
async function isEarly(
  store: TextSenderParts['store'],
  { key, sessionId, channel }: OutgoingMessage,
  sentHere: ReadonlyMap<string, unknown>,
): Promise<boolean> {
  const effects = await store.loadEffects(sessionId);
  const earlier = effects.filter(
    (one) =>
      one.kind === 'message' &&
      one.state === 'intended' &&
      one.payload.channel === channel &&
      !sentHere.has(one.key) &&
      placeOf(one.key) < placeOf(key),
  );
  if (earlier.length === 0) return false;
  const entries = await store.listEntries({ sessionId, limit: 1_000 });
  const told = new Set(entries.map(({ entry }) => entry.key));
  for (const one of earlier)
    if (!told.has(`${one.key}/sent`) && !(await store.wasConsumed(`${one.key}/sent`))) return true;
  return false;
}

/** Keys end with the turn and the place in it. */
function placeOf(key: string): number {
  const [turn = '0', ordinal = '0'] = key.split('/').slice(-2);
  return Number(turn) * 1_000_000 + Number(ordinal);
}
