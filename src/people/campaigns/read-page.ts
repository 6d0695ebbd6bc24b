import { errorKind } from '../../errors.ts';
import type { Clock } from '../../ports/time.ts';
import { within } from '../within.ts';
import { type Recipient, recipientSchema, type Segment } from './campaign.ts';
import type { CampaignState, Page } from './fold-campaign.ts';

/** How long the next recipient is waited for, in milliseconds. */
const patienceMs = 30_000;

/**
 * Reads up to `limit` recipients after a cursor. Never throws: what breaks off or hangs is told, after those who were
 * read before.
 */
export async function readPage(
  segment: Segment,
  { cursor: after, round }: Pick<CampaignState, 'cursor' | 'round'>,
  limit: number,
  clock: Clock,
): Promise<Page> {
  const recipients: Recipient[] = [];
  const ended = (isLast: boolean, failure: string | null = null): Page => ({ recipients, isLast, failure });
  let iterator: AsyncIterator<Recipient> | null = null;
  try {
    iterator = segment(after, { scheduledFor: round.tick })[Symbol.asyncIterator]();
    while (recipients.length < limit) {
      const next = await within(iterator.next(), clock, patienceMs);
      if (next === 'late') return ended(false, 'segment-late');
      if (next.done === true) return ended(true);
      const read = recipientSchema.safeParse(next.value);
      // A cursor that does not move would read the same people for ever.
      if (!read.success || read.data.cursor === (recipients.at(-1)?.cursor ?? after))
        return ended(false, 'segment-invalid');
      recipients.push(read.data);
    }
    return ended(false);
  } catch (error) {
    return ended(false, errorKind(error));
  } finally {
    // It may hold a connection, but nobody waits for one that hangs.
    void iterator?.return?.()?.then(undefined, () => undefined);
  }
}
