import { errorKind } from '../errors.ts';
import type { MessagePayload } from '../events/effect.ts';
import type { InboxEntry } from '../events/inbox.ts';
import type { Json } from '../events/json.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { within } from './within.ts';

/** A message on its way out. `key` is the same each time that it is tried again. */
export interface OutgoingMessage extends MessagePayload {
  readonly key: string;
  readonly sessionId: string;
}

/** Sends one message; what it resolves to is kept as the result. A throw is tried again. */
export type SendMessage = (message: OutgoingMessage) => Promise<Json>;

/** What of a message's fate is told; without its words. */
export interface MessageNote {
  readonly key: string;
  readonly sessionId: string;
  readonly channel: string;
  /** The code or the kind of the error. */
  readonly reason: string;
  readonly attempt: number;
  /** It is not tried again. */
  readonly isFinal: boolean;
}

export interface MessengerOptions {
  readonly store: Pick<Store, 'claimEffects' | 'holdEffect' | 'post' | 'watch'>;
  readonly clock: Clock;
  /** Who sends a message; null where nobody here does, and then it is settled as cancelled. */
  readonly senderOf: (message: OutgoingMessage) => SendMessage | null;
  readonly onFailed: (note: MessageNote) => void;
  /** The store failed; it is tried again with the next look. */
  readonly onError: (error: unknown) => void;
}

/** How long one sending may take, in milliseconds: below the time of a claim, so that nobody else sends it meanwhile. */
const sendMs = 20_000;
const claimMs = 30_000;
const pollMs = 1_000;
const atOnce = 20;
/** How long after each failure a message is tried again, in milliseconds; after the last it has failed. */
const retryAfterMs = [1_000, 5_000, 30_000, 120_000, 600_000];

/**
 * Sends the messages that sessions intend: takes them from the store, whichever process has intended them, and tells each
 * session by an entry of its inbox what became of them. A message is sent at least once: one that was sent before a crash
 * could be noted is sent again under the same key.
 */
export function createMessenger({ store, clock, senderOf, onFailed, onError }: MessengerOptions) {
  const failures = new Map<string, number>();
  let round: Promise<void> | null = null;
  let isAgain = false;
  let isStopped = false;
  let cancelPoll = (): void => undefined;
  let endWatch = (): void => undefined;

  /** Resolves once all that was to be sent at the time of the call was tried. */
  async function look(): Promise<void> {
    isAgain = true;
    await (round ??= rounds().finally(() => (round = null)));
  }

  async function rounds(): Promise<void> {
    while (isAgain && !isStopped) {
      isAgain = false;
      const claimed = await store.claimEffects({ kind: 'message', ttlMs: claimMs, limit: atOnce });
      isAgain ||= claimed.length === atOnce;
      await Promise.all(
        claimed.map(async ({ sessionId, effect }) => {
          if (effect.kind === 'message') await deliver({ ...effect.payload, key: effect.key, sessionId });
        }),
      );
    }
  }

  async function deliver(message: OutgoingMessage): Promise<void> {
    const send = senderOf(message);
    if (send === null) return await settle(message, { state: 'cancelled', error: 'no-sender' });
    try {
      // A sender that throws at once is one that rejects.
      const result = await within((async () => await send(message))(), clock, sendMs);
      if (result === 'late') return await failed(message, 'timed-out');
      await settle(message, { state: 'done', result });
    } catch (error) {
      await failed(message, errorKind(error));
    }
  }

  async function failed(message: OutgoingMessage, reason: string): Promise<void> {
    const { key, sessionId, channel } = message;
    const attempt = (failures.get(key) ?? 0) + 1;
    const delayMs = retryAfterMs[attempt - 1];
    onFailed({ key, sessionId, channel, reason, attempt, isFinal: delayMs === undefined });
    if (delayMs === undefined) return await settle(message, { state: 'failed', error: reason });
    failures.set(key, attempt);
    await store.holdEffect(key, clock.now() + delayMs);
  }

  /** The session is told first: a message that is held for good and told to nobody would stay open. */
  async function settle({ key, sessionId }: OutgoingMessage, outcome: Outcome): Promise<void> {
    const entry: InboxEntry = {
      key: `${key}/sent`,
      sessionId,
      dueAt: clock.now(),
      signal: { type: 'effect:settled', key, ...outcome },
      reach: 'wait',
      correlation: {},
      actor: null,
    };
    await store.post([entry]);
    await store.holdEffect(key, null);
    failures.delete(key);
  }

  function lookAside(): void {
    cancelPoll();
    if (isStopped) return;
    cancelPoll = clock.schedule(pollMs, lookAside);
    look().catch(onError);
  }

  return {
    look,
    start(): void {
      endWatch = store.watch(lookAside);
      lookAside();
    },
    /** Waits for what is being sent. */
    async stop(): Promise<void> {
      isStopped = true;
      endWatch();
      cancelPoll();
      await round?.catch(() => undefined); // It was told to onError.
    },
  };
}

type Outcome =
  | { readonly state: 'done'; readonly result: Json }
  | { readonly state: 'failed' | 'cancelled'; readonly error: string };
