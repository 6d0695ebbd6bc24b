import { errorKind, FlowError } from '../errors.ts';
import type { MessagePayload } from '../events/effect.ts';
import type { Json } from '../events/json.ts';
import type { OpenEffect, Store } from '../ports/store.ts';
import type { Clock } from '../ports/time.ts';
import { claimMs, createMessageClaims } from './message-claims.ts';
import { createMessageOutcomes, type MessageOutcome } from './message-outcomes.ts';
import { within } from './within.ts';

/** A message on its way out. `key` is the same each time that it is tried again. */
export interface OutgoingMessage extends MessagePayload {
  readonly key: string;
  readonly sessionId: string;
}

/**
 * Sends one message; what it resolves to is kept as the result. A throw is tried again: `message-early` soon and without
 * counting, and `wait-over` never, for nobody needs the message.
 */
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
  readonly store: Pick<Store, 'claimEffects' | 'holdEffects' | 'post' | 'watch'>;
  readonly clock: Clock;
  /** Who sends a message; null where nobody here does, and then it is settled as cancelled. */
  readonly senderOf: (message: OutgoingMessage) => SendMessage | null;
  readonly onFailed: (note: MessageNote) => void;
  /** The store failed; it is tried again with the next look. */
  readonly onError: (error: unknown) => void;
}

/** How long one sending may take, in milliseconds. */
const sendMs = 20_000;
const pollMs = 1_000;
/** How many are sent at once, and how many places have to be free before more are claimed: a claim costs as much for one. */
const atOnce = 100;
const freeBefore = 50;
/** How long after each failure a message is tried again, in milliseconds; after the last it has failed. */
const retryAfterMs = [1_000, 5_000, 30_000, 120_000, 600_000];

/**
 * Sends the messages that sessions intend: takes them from the store, whichever process has intended them, and tells each
 * session by an entry of its inbox what became of them. A message is sent at least once: one that was sent before a crash
 * could be noted is sent again under the same key. Messages of one session are sent one after the other.
 */
export function createMessenger({ store, clock, senderOf, onFailed, onError }: MessengerOptions) {
  const outcomes = createMessageOutcomes({ store, clock });
  const sending = new Set<Promise<void>>();
  const claims = createMessageClaims({ store, clock });
  /** When the last message of each session was sent: the next one waits for that. */
  const lastOf = new Map<string, Promise<unknown>>();
  let round: Promise<void> | null = null;
  let isAgain = false;
  let isStopped = false;
  let cancelPoll = (): void => undefined;
  let endWatch = (): void => undefined;

  /** Resolves once all that was to be sent at the time of the call was tried. */
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
      const claimed = await store.claimEffects({ kind: 'message', ttlMs: claimMs, limit });
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
      // One that could not be held while it waited behind others may be somebody else's: it is claimed again.
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
      // A sender that throws at once is one that rejects.
      const result = await within((async () => await sender(message))(), clock, sendMs);
      return result === 'late' ? { state: 'failed', error: 'timed-out' } : { state: 'done', result };
    } catch (error) {
      if (error instanceof FlowError && error.code === 'message-early') return 'early';
      if (error instanceof FlowError && error.code === 'wait-over') return { state: 'cancelled', error: 'wait-over' };
      return { state: 'failed', error: errorKind(error) };
    }
  }

  /** Tells the session, or lets the message be tried again later. */
  async function note(message: OutgoingMessage, outcome: MessageOutcome | 'early', failures: number): Promise<void> {
    if (outcome === 'early') return await store.holdEffects([message], clock.now() + pollMs);
    const { key, sessionId, channel } = message;
    if (outcome.state !== 'failed') return await outcomes.settle(sessionId, key, outcome);
    const [attempt, reason] = [failures + 1, outcome.error];
    const delayMs = retryAfterMs[attempt - 1];
    onFailed({ key, sessionId, channel, reason, attempt, isFinal: delayMs === undefined });
    if (delayMs === undefined) await outcomes.settle(sessionId, key, outcome);
    else await store.holdEffects([message], clock.now() + delayMs, reason);
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
      await Promise.all(sending);
    },
  };
}
