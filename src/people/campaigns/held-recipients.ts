import type { KeepParts } from '../keep-state.ts';

/** Recipients of a campaign who are to be reached later: by the pace, out of quiet hours, or called again. */
export interface HeldRecipients {
  readonly recipients: number;
  /** When the first and the last of them are due, in epoch milliseconds. */
  readonly first: number;
  readonly last: number;
}

/** More entries than one look is told of. */
const mostLooked = 100_000;

/** By the ids of the campaigns that have any. Of more than 100,000 entries to come, those due first are counted. */
export async function heldRecipients({
  store,
  clock,
}: Pick<KeepParts, 'store' | 'clock'>): Promise<ReadonlyMap<string, HeldRecipients>> {
  const held = new Map<string, HeldRecipients>();
  for (const { entry, notBefore } of await store.listEntries({
    ...{ state: 'open', dueAfter: clock.now(), limit: mostLooked },
  })) {
    const { campaignId: id, recipientUserExternalId: recipient } = entry.correlation;
    if (id === undefined || recipient === undefined || entry.signal.type !== 'session:started') continue;
    const { recipients, first } = held.get(id) ?? { recipients: 0, first: notBefore };
    held.set(id, { recipients: recipients + 1, first, last: notBefore });
  }
  return held;
}
