import { defineCommand } from 'citty';
import { createInterface } from 'node:readline/promises';
import { FlowError } from '../errors.ts';
import type { SessionSnapshot, Store } from '../ports/store.ts';
import { keptSession, standOf } from '../runner/kept-sessions.ts';
import { systemIds } from '../system.ts';
import { paint, print } from './output.ts';
import { inStore, sessionArgs } from './sessions.ts';

export const forgetCommand = defineCommand({
  args: { ...sessionArgs, yes: { type: 'boolean', description: 'Does not ask whether it is meant.' } },
  run: ({ args }) => inStore(args, (store) => forget(store, args.id, args.yes === true), 'write'),
});

/** Longer than a deletion takes, in milliseconds. */
const leaseMs = 60_000;

async function forget(store: Store, given: string, isMeant: boolean): Promise<void> {
  const kept = await keptSession(store, given);
  const { sessionId, seq } = kept;
  if (!isMeant && !(await isConfirmed(kept))) {
    print('Nothing was deleted.');
    process.exitCode = 1;
    return;
  }
  const lease = await store.acquireLease(sessionId, systemIds.create('forget'), leaseMs);
  if (lease === null)
    throw new FlowError(
      'session-taken',
      `session "${sessionId}" is owned by a process, which goes on with it. End the call first, or wait until its lease has run out.`,
    );
  const [events, effects] = await Promise.all([store.readEvents(sessionId), store.loadEffects(sessionId)]);
  await store.deleteSession(lease);
  print(
    `Deleted ${sessionId}: its state, ${countOf(seq, 'signal')}, ${countOf(events.length, 'event')}, ` +
      `${countOf(effects.length, 'effect')}, the inputs that it took, and where its caller was.`,
  );
  print(paint('dim', 'Backups, exports and logs keep what they hold.'));
  const others = await conversationsBeside(store, sessionId);
  if (others.length > 0) print(`There are more conversations of the same name: ${others.join(', ')}.`);
}

async function isConfirmed({ sessionId, state, seq }: SessionSnapshot): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new FlowError('confirmation-missing', `deleting "${sessionId}" cannot be undone. Add --yes to mean it.`);
  const input = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await input.question(
    `Delete ${sessionId} (${standOf(state)}, ${countOf(seq, 'signal')})? This cannot be undone. [y/N] `,
  );
  input.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Whoever comes under a name again, such as a telephone number, has one conversation after the other. */
async function conversationsBeside(store: Store, sessionId: string): Promise<readonly string[]> {
  const [name = sessionId] = sessionId.split(/~\d+$/, 1);
  const isBeside = (id: string): boolean =>
    id === name || (id.startsWith(`${name}~`) && /^\d+$/.test(id.slice(name.length + 1)));
  const all = await store.listSessions(Number.MAX_SAFE_INTEGER);
  return all.map((session) => session.sessionId).filter(isBeside);
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
