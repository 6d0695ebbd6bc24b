import { errorKind } from '../../model/errors.ts';
import type { Clock } from '../../model/ports/time.ts';
import { withTimeout } from '../with-timeout.ts';
import { type Recipient, recipientSchema, type Segment } from './campaign.ts';
import type { CampaignState, Page } from './fold-campaign.ts';

/** Time limit for the next recipient, in milliseconds. */
const patienceMs = 30_000;

/**
 * Reads up to `limit` recipients after a cursor. Never throws: an error or a timeout is returned with the recipients
 * read so far.
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
      const next = await withTimeout(iterator.next(), clock, patienceMs);
      if (next === 'late') return ended(false, 'segment-late');
      if (next.done === true) return ended(true);
      const read = recipientSchema.safeParse(next.value);
      // A cursor that does not advance would read the same recipients forever.
      if (!read.success || read.data.cursor === (recipients.at(-1)?.cursor ?? after))
        return ended(false, 'segment-invalid');
      recipients.push(read.data);
    }
    return ended(false);
  } catch (error) {
    return ended(false, errorKind(error));
  } finally {
    // The iterator may hold a connection. It is not awaited because it may hang.
    void iterator?.return?.()?.then(undefined, () => undefined);
  }
}
