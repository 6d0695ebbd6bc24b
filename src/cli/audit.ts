import { defineCommand } from 'citty';
import { brokenLink, type AuditEnd } from '../durable/audit-chain.ts';
import type { AuditRecord } from '../events/inbox.ts';
import { recordsOf } from '../people/read-audit.ts';
import type { Store } from '../ports/store.ts';
import { assertAllowed, operatorOf } from './operator.ts';
import { paint, print } from './output.ts';
import { inStore, storeArgs } from './sessions.ts';

export const auditCommand = defineCommand({
  args: {
    session: { type: 'positional', description: 'What concerns one session alone.', required: false },
    ...storeArgs,
    verify: {
      type: 'boolean',
      description: 'Only tells whether a record was changed or deleted: then the exit code is 1.',
    },
  },
  run: ({ args }) =>
    inStore(args, async (store, config) => {
      const { session } = args;
      await assertAllowed(operatorOf(config), 'audit:read', session === undefined ? {} : { sessionId: session });
      if (args.verify === true) return await verify(store);
      let count = 0;
      for await (const record of recordsOf(store, session)) {
        count += 1;
        print(lineOf(record));
      }
      if (count === 0) print(paint('dim', 'Nothing was written down.'));
    }),
});

/** The chain is that of the whole store. Records that were cut off its end do not show in it. */
async function verify(store: Store): Promise<void> {
  let end: AuditEnd = null;
  for await (const record of recordsOf(store)) {
    const broken = brokenLink([record], end);
    if (broken !== null) {
      print(`Record ${broken.seq} does not follow the one before it: it was changed, or one before it was deleted.`);
      process.exitCode = 1;
      return;
    }
    end = record;
  }
  print(end === null ? 'Nothing was written down.' : `${end.seq} records, each of which follows the one before it.`);
}

function lineOf({ seq, at, actor, action, outcome, sessionId, details }: AuditRecord): string {
  const facts = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [
    ...[seq, new Date(at).toISOString(), actor?.id ?? '-', action, outcome],
    ...(sessionId === null ? [] : [sessionId]),
    ...facts,
  ].join('  ');
}
