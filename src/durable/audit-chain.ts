import { createHash } from 'node:crypto';
import type { AuditRecord } from '../events/inbox.ts';
import { canonical } from '../graph/hash.ts';
import type { NewAuditRecord } from '../ports/inbox.ts';

/** The last record of a chain, as far as the next one needs it; null where there is none. */
export type AuditEnd = Pick<AuditRecord, 'seq' | 'hash'> | null;

/** Records as they follow the end of a chain. */
export function chained(end: AuditEnd, records: readonly NewAuditRecord[], at: number): readonly AuditRecord[] {
  const made: AuditRecord[] = [];
  for (const { actor, action, outcome, sessionId, details } of records) {
    const last = made.at(-1) ?? end;
    const record = { seq: (last?.seq ?? 0) + 1, at, actor, action, outcome, sessionId, details };
    made.push({ ...record, hash: hashAfter(last, record) });
  }
  return made;
}

/**
 * The first record that does not follow the one before it: changed, or something before it was deleted. Null where each
 * does. `before` is what precedes the first of them. Records that are missing at the end do not show.
 */
export function brokenLink(records: readonly AuditRecord[], before: AuditEnd = null): AuditRecord | null {
  let last = before;
  for (const record of records) {
    const { hash, ...rest } = record;
    if (record.seq !== (last?.seq ?? 0) + 1 || hash !== hashAfter(last, rest)) return record;
    last = record;
  }
  return null;
}

function hashAfter(last: AuditEnd, record: Omit<AuditRecord, 'hash'>): string {
  return createHash('sha256')
    .update(`${last?.hash ?? ''}\n${canonical(record)}`)
    .digest('hex');
}
