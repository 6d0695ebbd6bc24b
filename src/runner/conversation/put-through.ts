import type { InboxEntry } from '../../model/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { TransferEnd, Transfers } from '../../model/ports/transfers.ts';
import type { TransferPayload } from '../../model/transfer.ts';
import { decidedKey } from '../../people/resolve-wait.ts';

export interface PutThroughParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessionId: string;
  /** Absent without a line: then each transfer fails. */
  readonly transfers: Transfers | undefined;
  readonly onError: (error: unknown) => void;
}

/** Returns a function that begins a transfer and posts its first outcome to the session. */
export function putThrough(parts: PutThroughParts): (request: TransferPayload) => void {
  const { store, transfers = noLine, onError } = parts;
  return (request) => {
    const begin = async (): Promise<void> => {
      // An earlier process has stored the outcome, and the session takes it from its inbox.
      if (await store.inbox.isConsumed(decidedKey(request.wait))) return;
      transfers.begin(request, (end) => postOutcome(parts, request, end));
    };
    begin().catch(onError);
  };
}

const noLine: Transfers = { begin: (_request, end) => void end({ outcome: 'failed' }) };

async function postOutcome(
  { store, clock, sessionId }: PutThroughParts,
  { wait }: TransferPayload,
  { outcome, participant }: TransferEnd,
): Promise<void> {
  const resolution = { decision: outcome, ...(participant === undefined ? {} : { participant }) };
  const entry: InboxEntry = {
    ...{ key: `resolve/${wait}`, sessionId, dueAt: clock.now(), actor: null, reach: 'wait' },
    signal: { type: 'wait:resolved', key: wait, resolution },
    correlation: { escalationId: wait },
  };
  await store.inbox.post([entry], [], [decidedKey(wait)]);
}
