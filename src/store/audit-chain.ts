import { createHash } from 'node:crypto';
import type { AuditRecord } from '../model/inbox.ts';
import { canonical } from '../flow/graph/hash.ts';
import type { NewAuditRecord } from '../model/ports/inbox.ts';

/** The last record of a chain, as the next one needs it; null for an empty chain. */
export type AuditEnd = Pick<AuditRecord, 'seq' | 'hash'> | null;

/** Returns records that continue a chain. */
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
 * Returns the first record that does not follow its predecessor, because it was changed or an earlier one deleted; null
 * if all do. `before` precedes the first record. Records missing at the end are not detected.
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
