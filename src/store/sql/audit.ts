import type { AuditRecord } from '../../model/inbox.ts';
import type { AuditStore } from '../../model/ports/inbox.ts';
import { fromColumnText, toColumnText } from './column-text.ts';
import type { SqlParts } from './database.ts';
import { parsed } from './stored-text.ts';

export function sqlAudit({ database: { db }, run }: SqlParts): AuditStore {
  return {
    list: ({ sessionId, fromSeq = 1, limit }) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_audit')
          .select(['seq', 'session_id', 'hash', 'record'])
          .$if(sessionId !== undefined, (query) => query.where('session_id', '=', toColumnText(sessionId ?? '')))
          .where('seq', '>=', fromSeq)
          .orderBy('seq')
          .limit(limit)
          .execute();
        // Columns are used for lookups. If one differs from its record, the chain check must detect it.
        return found.map(({ seq, hash, session_id: session, record }) => ({
          ...(parsed(record, `audit record ${seq}`) as AuditRecord),
          ...{ seq, hash, sessionId: session === null ? null : fromColumnText(session) },
        }));
      }),
  };
}
