import type { KeepParts } from '../keep-state.ts';
import { recipientOf } from './recipient-of.ts';

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
  const later = await store.listEntries({ state: 'open', dueAfter: clock.now(), limit: mostLooked });
  for (const { entry, notBefore } of later) {
    const found = recipientOf(entry);
    if (found === null) continue;
    const { recipients, first } = held.get(found.campaign) ?? { recipients: 0, first: notBefore };
    held.set(found.campaign, { recipients: recipients + 1, first, last: notBefore });
  }
  return held;
}
