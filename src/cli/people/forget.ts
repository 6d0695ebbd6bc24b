import { defineCommand } from 'citty';
import { createInterface } from 'node:readline/promises';
import { FlowError } from '../../model/errors.ts';
import type { Lease, SessionSnapshot, Store } from '../../model/ports/store.ts';
import { namedSession } from '../../livekit/guards/content-free-line.ts';
import { telephoneNames } from '../../livekit/guards/telephone-names.ts';
import { findSession, runsCalledBy, sessionUnknown, standOf } from '../../runner/conversation/kept-sessions.ts';
import { systemIds } from '../../system.ts';
import { actAs, assertAllowed, operatorOf, type Operator } from './operator.ts';
import { paint, print, printRow } from '../output.ts';
import { inStore, sessionArgs } from './sessions.ts';
import { counted } from '../../model/ports/counted.ts';

export const forgetCommand = defineCommand({
  args: { ...sessionArgs, yes: { type: 'boolean', description: 'Do not ask for confirmation.' } },
  run: ({ args }) =>
    inStore(args, (store, config) => forget(store, operatorOf(config), args.id, args.yes === true), 'write'),
});

/** Milliseconds; longer than a deletion takes. */
const leaseMs = 60_000;

async function forget(store: Store, operator: Operator, given: string, isMeant: boolean): Promise<void> {
  const kept = await findSession(store, given);
  const sessionId = kept?.sessionId ?? given;
  // The audit record outlives the session, so a telephone number appears in it under its log name.
  const name = namedSession(sessionId, telephoneNames(process.env));
  const recorded = { sessionId: name === sessionId ? sessionId : null, details: { session: name } };
  const act = { action: 'session:forget', resource: { sessionId }, ...recorded } as const;
  // Checked first: a user without the right must not learn which sessions exist.
  await assertAllowed(operator, act.action, act.resource, recorded);
  if (kept === null) return sessionUnknown(given);
  if (!isMeant && !(await isConfirmed(kept))) {
    print('Nothing was deleted.');
    process.exitCode = 1;
    return;
  }
  await actAs(operator, store, act, () => erase(store, kept));
  const others = await conversationsBeside(store, sessionId);
  if (others.length > 0) printRow(`More conversations have the same name: ${others.join(', ')}.`);
}

async function erase(store: Store, { sessionId, seq }: SessionSnapshot): Promise<void> {
  // This module loads LiveKit, which is slow. Wrong options are reported first.
  const { followUpsOf } = await import('../../runner/follow-ups.ts');
  const lease = await own(store, sessionId);
  const runs = await runsCalledBy(store, sessionId);
  // The inputs of these runs came from the conversation.
  for (const run of runs) await store.deleteSession(await own(store, run));
  const schedules = await followUpsOf(store, sessionId);
  for (const schedule of schedules) await store.deleteSession(await own(store, schedule));
  const [events, effects] = await Promise.all([store.readEvents(sessionId), store.loadEffects(sessionId)]);
  await store.deleteSession(lease);
  print(
    `Deleted ${sessionId}: its state, ${counted(seq, 'signal')}, ${counted(events.length, 'event')}, ` +
      `${counted(effects.length, 'effect')}, its inputs and the room of its caller.`,
  );
  if (runs.length > 0) print(`Also deleted: ${counted(runs.length, 'run')} of task flows that it called.`);
  if (schedules.length > 0) print(`Also deleted: ${counted(schedules.length, 'schedule')} of its agent.`);
  print(paint('dim', 'Backups, exports, logs and the audit are not changed.'));
}

/** Acquires the lease of a session. Throws `session-taken`. */
async function own(store: Store, sessionId: string): Promise<Lease> {
  const lease = await store.acquireLease(sessionId, systemIds.create('forget'), leaseMs);
  if (lease !== null) return lease;
  throw new FlowError(
    'session-taken',
    `session "${sessionId}" is owned by a running process. End the call first, or wait until its lease expires.`,
  );
}

async function isConfirmed({ sessionId, state, seq }: SessionSnapshot): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new FlowError('confirmation-missing', `deleting "${sessionId}" cannot be undone. Add --yes to confirm.`);
  const input = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await input.question(
    `Delete ${sessionId} (${standOf(state)}, ${counted(seq, 'signal')})? This cannot be undone. [y/N] `,
  );
  input.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Returns the other conversations under the same name: a returning caller, such as a telephone number, has several. */
async function conversationsBeside(store: Store, sessionId: string): Promise<readonly string[]> {
  const [name = sessionId] = sessionId.split(/~\d+$/, 1);
  const isBeside = (id: string): boolean =>
    id === name || (id.startsWith(`${name}~`) && /^\d+$/.test(id.slice(name.length + 1)));
  const all = await store.listSessions(Number.MAX_SAFE_INTEGER);
  return all.map((session) => session.sessionId).filter(isBeside);
}
