import type { InboxEntry } from '../../model/inbox.ts';
import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { OutcomeSettings } from './outcome-settings.ts';
import { deliveryHeaders, deliveryKey, type Environment } from './sign-delivery.ts';

/** Sends one delivery. Resolves to the status of the answer; rejects if there is none. */
export type SendDelivery = (delivery: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowPrivate: boolean;
}) => Promise<number>;

/** The result of a delivery, without content. */
export interface DeliveryNote {
  readonly event: 'outcome:delivered' | 'outcome:not-delivered';
  readonly sessionId: string;
  readonly attempt: number;
  /** Why the delivery failed: `http-STATUS` or `unreachable`. */
  readonly reason?: string;
  /** Whether the outcome is now a dead letter. */
  readonly isDead?: boolean;
}

export interface DeliveryParts {
  readonly store: Pick<Store, 'inbox'>;
  readonly clock: Clock;
  /** Undefined if this process has no webhook. */
  readonly settings: OutcomeSettings | undefined;
  readonly env: Environment;
  readonly send: SendDelivery;
  readonly tell: (note: DeliveryNote) => void;
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000] as const;

/** Delays after failed deliveries. After the last one the outcome is a dead letter. */
const retryAfterMs = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 3 * hour, 6 * hour, 12 * hour] as const;

/** The receiver wants no more deliveries. */
const gone = 410;

/**
 * Delivers an outcome. The entry is consumed after a success, so a crash repeats the delivery with the same id and body.
 * After a failure it is due again, and at last a dead letter. Throws `config-invalid` for a missing secret.
 */
export async function deliverOutcome(
  { store, clock, settings, env, send, tell }: DeliveryParts,
  { entry, attempts }: StoredEntry,
  { id, body }: Extract<InboxEntry['signal'], { type: 'outcome:ready' }>,
): Promise<void> {
  const { key, sessionId } = entry;
  if (settings === undefined)
    return await store.inbox.defer(key, { until: clock.now() + hour, reason: 'no-webhook', isTry: false });
  const secret = deliveryKey(env, settings.secret);
  const headers = { 'content-type': 'application/json', ...deliveryHeaders(secret, id, clock.now(), body) };
  const status = await send({
    ...{ url: settings.webhook, headers, body },
    allowPrivate: settings.private === true,
  }).catch(() => null);
  const attempt = attempts + 1;
  if (status !== null && status >= 200 && status < 300) {
    await store.inbox.post([], [], [key]);
    await store.inbox.withdraw(key);
    return tell({ event: 'outcome:delivered', sessionId, attempt });
  }
  const reason = status === null ? 'unreachable' : `http-${status}`;
  const delayMs = status === gone ? undefined : retryAfterMs[attempts];
  await store.inbox.defer(key, { until: delayMs === undefined ? null : clock.now() + delayMs, reason });
  tell({ event: 'outcome:not-delivered', sessionId, attempt, reason, isDead: delayMs === undefined });
}
