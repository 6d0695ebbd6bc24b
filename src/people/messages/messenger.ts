import { errorKind, FlowError } from '../../model/errors.ts';
import type { MessagePayload } from '../../model/effect.ts';
import type { Json } from '../../model/json.ts';
import type { OpenEffect, Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import { claimMs, createMessageClaims } from './message-claims.ts';
import { createMessageOutcomes, type MessageOutcome } from './message-outcomes.ts';
import { withTimeout } from '../with-timeout.ts';

/** A message to send. `key` is the same for each attempt. */
export interface OutgoingMessage extends MessagePayload {
  readonly key: string;
  readonly sessionId: string;
}

/**
 * Sends one message; its result is stored. An error is retried, `message-early` soon and without counting. `wait-over`
 * is final, because the message is no longer needed.
 */
export type SendMessage = (message: OutgoingMessage) => Promise<Json>;

/** A failed attempt to send a message, without its words. */
export interface MessageNote {
  readonly key: string;
  readonly sessionId: string;
  readonly channel: string;
  /** The code or the kind of the error. */
  readonly reason: string;
  readonly attempt: number;
  /** Whether the message is not retried. */
  readonly isFinal: boolean;
}

export interface MessengerOptions {
  readonly store: Pick<Store, 'effects' | 'inbox' | 'watch'>;
  readonly clock: Clock;
  /** Returns the sender of a message; null if there is none, which cancels the message. */
  readonly senderOf: (message: OutgoingMessage) => SendMessage | null;
  readonly onFailed: (note: MessageNote) => void;
  /** Receives store errors; the store is read again at the next poll. */
  readonly onError: (error: unknown) => void;
}

/** Time limit of one attempt, in milliseconds. */
const sendMs = 20_000;
const pollMs = 1_000;
/**
 * Maximum number of messages at once, and the free places needed before the next claim, because a claim has a fixed
 * cost.
 */
const atOnce = 100;
const freeBefore = 50;
/** Delays before each retry, in milliseconds. After the last one the message has failed. */
const retryAfterMs = [1_000, 5_000, 30_000, 120_000, 600_000];

/**
 * Sends the messages that sessions intend, from any process, and posts each outcome to the inbox of its session. A
 * message is sent at least once: after a crash before its outcome is stored, it is sent again under the same key.
 * Messages of one session are sent in order.
 */
export function createMessenger({ store, clock, senderOf, onFailed, onError }: MessengerOptions) {
  const outcomes = createMessageOutcomes({ store, clock });
  const sending = new Set<Promise<void>>();
  const claims = createMessageClaims({ store, clock });
  /** The last message of each session, which the next one waits for. */
  const lastOf = new Map<string, Promise<unknown>>();
  let round: Promise<void> | null = null;
  let isAgain = false;
  let isStopped = false;
  let cancelPoll = (): void => undefined;
  let endWatch = (): void => undefined;

  /** Resolves when all messages that were due at the time of the call have been tried. */
  async function look(): Promise<void> {
    isAgain = true;
    await (round ??= rounds().finally(() => (round = null)));
    await Promise.all(sending);
  }

  async function rounds(): Promise<void> {
    while (isAgain && !isStopped) {
      isAgain = false;
      while (sending.size > atOnce - freeBefore) await Promise.race(sending);
      const limit = atOnce - sending.size;
      const claimed = await store.effects.claim({ kind: 'message', ttlMs: claimMs, limit });
      isAgain ||= claimed.length === limit;
      const claimedAt = clock.now();
      for (const one of claimed) begin(one, claimedAt);
    }
  }

  function begin({ sessionId, effect, failed }: OpenEffect, claimedAt: number): void {
    if (effect.kind !== 'message') return;
    const message = { ...effect.payload, key: effect.key, sessionId };
    const claim = claims.hold(message, claimedAt + claimMs);
    const sent = (lastOf.get(sessionId) ?? Promise.resolve()).then(async () => {
      // If the claim expired while the message waited, another process may have it.
      return claim.heldUntil() > clock.now() ? await send(message) : null;
    });
    lastOf.set(sessionId, sent);
    const work: Promise<void> = sent
      .then(async (outcome) => {
        await claim.letGo();
        if (outcome !== null) await note(message, outcome, failed?.times ?? 0);
      })
      .catch(onError)
      .finally(() => {
        sending.delete(work);
        if (lastOf.get(sessionId) === sent) lastOf.delete(sessionId);
      });
    sending.add(work);
  }

  /** Never rejects. */
  async function send(message: OutgoingMessage): Promise<MessageOutcome | 'early'> {
    try {
      const sender = senderOf(message);
      if (sender === null) return { state: 'cancelled', error: 'no-sender' };
      // Turns a synchronous throw of the sender into a rejection.
      const result = await withTimeout((async () => await sender(message))(), clock, sendMs);
      return result === 'late' ? { state: 'failed', error: 'timed-out' } : { state: 'done', result };
    } catch (error) {
      if (error instanceof FlowError && error.code === 'message-early') return 'early';
      if (error instanceof FlowError && error.code === 'wait-over') return { state: 'cancelled', error: 'wait-over' };
      return { state: 'failed', error: errorKind(error) };
    }
  }

  /** Reports the outcome to the session, or schedules a retry. */
  async function note(message: OutgoingMessage, outcome: MessageOutcome | 'early', failures: number): Promise<void> {
    if (outcome === 'early') return await store.effects.update([message], { until: clock.now() + pollMs });
    const { key, sessionId, channel } = message;
    if (outcome.state !== 'failed') return await outcomes.settle(sessionId, key, outcome);
    const [attempt, reason] = [failures + 1, outcome.error];
    const delayMs = retryAfterMs[attempt - 1];
    onFailed({ key, sessionId, channel, reason, attempt, isFinal: delayMs === undefined });
    if (delayMs === undefined) await outcomes.settle(sessionId, key, outcome);
    else await store.effects.update([message], { until: clock.now() + delayMs, reason });
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
    /** Waits for the messages that are being sent. */
    async stop(): Promise<void> {
      isStopped = true;
      endWatch();
      cancelPoll();
      await round?.catch(() => undefined); // onError has received the error.
      await Promise.all(sending);
    },
  };
}
