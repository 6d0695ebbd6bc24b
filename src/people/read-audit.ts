import type { AuditRecord } from '../model/inbox.ts';
import type { Store } from '../model/ports/store.ts';

const pageSize = 500;

/** Yields the audit records of a store, or of one session, in order. */
export async function* recordsOf(store: Store, sessionId?: string): AsyncGenerator<AuditRecord> {
  for (let fromSeq = 1; ;) {
    const page = await store.audit.list({
      ...(sessionId === undefined ? {} : { sessionId }),
      fromSeq,
      limit: pageSize,
    });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    fromSeq = last.seq + 1;
  }
}
