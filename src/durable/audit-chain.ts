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

function hashAfter(last: AuditEnd, record: Omit<AuditRecord, 'hash'>): string {
  return createHash('sha256')
    .update(`${last?.hash ?? ''}\n${canonical(record)}`)
    .digest('hex');
}
