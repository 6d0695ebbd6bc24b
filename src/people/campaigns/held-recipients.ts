import type { KeepParts } from '../keep-state.ts';
import { recipientOf } from './recipient-of.ts';

/** Recipients of a campaign who are contacted later: because of the pace, quiet hours or a repeated call. */
export interface HeldRecipients {
  readonly recipients: number;
  /** Due times of the first and the last recipient, in epoch milliseconds. */
  readonly first: number;
  readonly last: number;
}

/** Maximum number of entries that are read. */
const mostLooked = 100_000;

/** Returns the waiting recipients by campaign id. Counts the first 100,000 entries by due time. */
export async function heldRecipients({
  store,
  clock,
}: Pick<KeepParts, 'store' | 'clock'>): Promise<ReadonlyMap<string, HeldRecipients>> {
  const held = new Map<string, HeldRecipients>();
  const later = await store.inbox.list({ state: 'open', dueAfter: clock.now(), limit: mostLooked });
  for (const { entry, notBefore } of later) {
    const found = recipientOf(entry);
    if (found === null) continue;
    const { recipients, first } = held.get(found.campaign) ?? { recipients: 0, first: notBefore };
    held.set(found.campaign, { recipients: recipients + 1, first, last: notBefore });
  }
  return held;
}
