import type { Json } from '../../model/json.ts';
import type { GraphStore } from '../../model/ports/store.ts';
import { toColumnText } from './column-text.ts';
import { toJsonText } from '../json-text.ts';
import type { SqlParts } from './database.ts';
import { parsed } from './stored-text.ts';

/** Stores compiled flows by hash. */
export function sqlGraphs({ database, run }: SqlParts): GraphStore {
  const { db } = database;
  return {
    save: (hash, document) =>
      run(async () => {
        await db
          .insertInto('roomflow_graphs')
          .values({ hash: toColumnText(hash), document: toJsonText(document, 'the flow') })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }),
    get: (hash) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_graphs')
          .select('document')
          .where('hash', '=', toColumnText(hash))
          .executeTakeFirst();
        return found === undefined ? null : (parsed(found.document, `flow ${hash}`) as Json);
      }),
  };
}
