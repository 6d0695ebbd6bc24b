import { defineCommand } from 'citty';
import { FlowError } from '../../model/errors.ts';
import { refOf } from '../../people/authority.ts';
import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import { assertAllowed, assertMayReveal, type Operator, operatorOf } from './operator.ts';
import { paint, print, printRow } from '../output.ts';
import { inStore, storeArgs } from './sessions.ts';
import { counted } from '../../model/ports/counted.ts';

const acts = ['ls', 'show', 'repost'] as const;

/** More entries than a terminal can show. */
const mostShown = 500;

export const inboxCommand = defineCommand({
  args: {
    act: { type: 'positional', description: `The action: ${acts.join(', ')}. Default: ls.`, required: false },
    key: { type: 'positional', description: 'The key of the entry.', required: false },
    ...storeArgs,
    dead: { type: 'boolean', description: 'With ls: only dead letters.' },
    session: { type: 'string', description: 'With ls: only the entries of one session.' },
    reveal: { type: 'boolean', description: 'With show: include the words and values.' },
  },
  run: ({ args }) => {
    const { act = 'ls', key } = args;
    const known = acts.find((one) => one === act);
    if (known === undefined)
      throw new FlowError('option-invalid', `inbox has no action "${act}". Use ${acts.join(', ')}.`);
    if (known !== 'ls' && key === undefined)
      throw new FlowError('option-empty', `inbox ${known} needs the key of an entry. "roomflow inbox" lists them.`);
    return inStore(
      args,
      async (store, config, writeDown) => {
        const operator = operatorOf(config);
        if (known === 'repost') return await repost(store, operator, key ?? '');
        await assertAllowed(operator, 'inbox:list', args.session === undefined ? {} : { sessionId: args.session });
        if (known === 'show') {
          const found = await entryAt(store, key ?? '');
          if (args.reveal === true) await assertMayReveal(operator, found.entry.sessionId, writeDown);
          return show(found, args.reveal === true);
        }
        const entries = await store.inbox.list({
          ...(args.dead === true ? { state: 'dead' as const } : {}),
          ...(args.session === undefined ? {} : { sessionId: args.session }),
          limit: mostShown,
        });
        for (const one of entries) printRow(lineOf(one));
        if (entries.length === 0) print(paint('dim', 'The inbox is empty.'));
      },
      known === 'repost' ? 'write' : 'read',
    );
  },
});

async function repost(store: Store, operator: Operator, key: string): Promise<void> {
  // A user without the right must not learn which entries exist.
  const kept = await entryAt(store, key).catch(async (error: unknown) => {
    await assertAllowed(operator, 'inbox:repost', { key }, { details: { key } });
    throw error;
  });
  const { sessionId } = kept.entry;
  await assertAllowed(operator, 'inbox:repost', { sessionId, key }, { details: { key } });
  const record = {
    actor: refOf(operator.actor),
    action: 'inbox:repost',
    outcome: 'allowed' as const,
    details: { key },
  };
  if (!(await store.inbox.repost(key, [{ ...record, sessionId }])))
    throw new FlowError('entry-unknown', `"${key}" is not a dead letter. It is processed when it is due.`);
  printRow(`Posted again: ${key}.`);
}

async function entryAt(store: Store, key: string): Promise<StoredEntry> {
  const entries = await store.inbox.list({ limit: Number.MAX_SAFE_INTEGER });
  const found = entries.find(({ entry }) => entry.key === key);
  if (found !== undefined) return found;
  throw new FlowError('entry-unknown', `the inbox has no entry "${key}". "roomflow inbox" lists them.`);
}

function show(stored: StoredEntry, isRevealed: boolean): void {
  const { entry, attempts, place, claims, claimedBy } = stored;
  printRow(lineOf(stored));
  print(
    `  posted as number ${place}, tried ${counted(attempts, 'time')}, by ${entry.actor?.id ?? 'the runtime'}, reach ${entry.reach}`,
  );
  const holder = claimedBy === null ? '' : `, now by ${claimedBy}`;
  const deaths = claims > 1 ? ': earlier owners died while they processed it' : '';
  if (claims > 0) printRow(`  claims in a row: ${claims}${holder}${deaths}`);
  for (const [name, value] of Object.entries(entry.correlation)) printRow(`  ${name} = ${JSON.stringify(value)}`);
  if (isRevealed) print(`  ${JSON.stringify(entry.signal)}`);
}

/** Omits the words and values of the signal. */
function lineOf({ entry, state, notBefore, reason }: StoredEntry): string {
  const { key, sessionId, signal } = entry;
  const why = reason === null ? '' : `  (${reason})`;
  return `${key}  ${signal.type}  ${sessionId}  ${state === 'dead' ? 'dead' : new Date(notBefore).toISOString()}${why}`;
}
