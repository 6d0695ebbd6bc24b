import { defineCommand } from 'citty';
import { createInterface } from 'node:readline/promises';
import { FlowError } from '../../model/errors.ts';
import type { SessionSnapshot, Store } from '../../model/ports/store.ts';
import { namedSession } from '../../livekit/guards/content-free-line.ts';
import { telephoneNames } from '../../livekit/guards/telephone-names.ts';
import { findSession, sessionUnknown, standOf } from '../../runner/conversation/kept-sessions.ts';
import { durationMs, durationSchema } from '../../people/duration.ts';
import { systemClock, systemIds } from '../../system.ts';
import { actAs, assertAllowed, operatorOf, type Operator } from './operator.ts';
import { paint, print, printRow } from '../output.ts';
import { inStore, sessionArgs, storeArgs } from './sessions.ts';
import { counted } from '../../model/ports/counted.ts';

export const forgetCommand = defineCommand({
  args: {
    ...storeArgs,
    id: { ...sessionArgs.id, required: false },
    before: {
      type: 'string',
      description: 'All sessions whose last step was before a date, or longer ago: 2026-09-01, 90d.',
    },
    yes: { type: 'boolean', description: 'Do not ask for confirmation.' },
  },
  run: ({ args: { id, before, yes, ...args } }) => {
    if ((id === undefined) === (before === undefined))
      throw new FlowError('option-empty', 'forget needs the id of a session, or --before DATE.');
    const from = before === undefined ? null : momentOf(before);
    return inStore(
      args,
      (store, config) =>
        from === null
          ? forget(store, operatorOf(config), id ?? '', yes === true)
          : forgetBefore(store, operatorOf(config), from, yes === true),
      'write',
    );
  },
});

/** Returns the time of a date, of a date with a time, or of a length of time ago. Throws `option-invalid`. */
function momentOf(given: string): number {
  if (durationSchema.safeParse(given).success) return systemClock.now() - durationMs(given);
  const at = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.test(given) ? Date.parse(given) : NaN;
  if (!Number.isNaN(at)) return at;
  throw new FlowError('option-invalid', `--before must be a date such as 2026-09-01, or a length of time such as 90d.`);
}

/** The act of deleting a session. The audit record outlives the session, so a telephone number appears under its log name. */
function actOf(sessionId: string) {
  const name = namedSession(sessionId, telephoneNames(process.env));
  const recorded = { sessionId: name === sessionId ? sessionId : null, details: { session: name } };
  return { action: 'session:forget', resource: { sessionId }, ...recorded } as const;
}

async function forgetBefore(store: Store, operator: Operator, before: number, isMeant: boolean): Promise<void> {
  // These modules load LiveKit, which is slow. Wrong options are reported first.
  const [{ oldSessions }, { eraseSession }] = await Promise.all([
    import('../../runner/forgetting/old-sessions.ts'),
    import('../../runner/forgetting/erase-session.ts'),
  ]);
  await assertAllowed(operator, 'session:list', {});
  const parts = { store, clock: systemClock };
  const { forgettable, needed } = await oldSessions(parts, before, Number.MAX_SAFE_INTEGER);
  const what = `${counted(forgettable.length, 'session')} from before ${new Date(before).toISOString()}`;
  if (needed > 0)
    print(`${counted(needed, 'session')} of that time stay: in use, waiting, or with an entry in the inbox.`);
  if (forgettable.length > 0 && !isMeant && !(await isConfirmed(what))) {
    print('Nothing was deleted.');
    process.exitCode = 1;
    return;
  }
  for (const sessionId of forgettable)
    await actAs(operator, store, actOf(sessionId), () => eraseSession(store, systemIds, sessionId));
  print(`Deleted ${what}.`);
}

async function forget(store: Store, operator: Operator, given: string, isMeant: boolean): Promise<void> {
  const kept = await findSession(store, given);
  const sessionId = kept?.sessionId ?? given;
  const act = actOf(sessionId);
  // Checked first: a user without the right must not learn which sessions exist.
  await assertAllowed(operator, act.action, act.resource, { sessionId: act.sessionId, details: act.details });
  if (kept === null) return sessionUnknown(given);
  if (!isMeant && !(await isConfirmed(`${sessionId} (${standOf(kept.state)}, ${counted(kept.seq, 'signal')})`))) {
    print('Nothing was deleted.');
    process.exitCode = 1;
    return;
  }
  await actAs(operator, store, act, () => erase(store, kept));
  const others = await conversationsBeside(store, sessionId);
  if (others.length > 0) printRow(`More conversations have the same name: ${others.join(', ')}.`);
}

async function erase(store: Store, { sessionId, seq }: SessionSnapshot): Promise<void> {
  const { eraseSession } = await import('../../runner/forgetting/erase-session.ts');
  const [events, effects] = await Promise.all([store.steps.listEvents(sessionId), store.effects.list(sessionId)]);
  const { runs, schedules } = await eraseSession(store, systemIds, sessionId);
  print(
    `Deleted ${sessionId}: its state, ${counted(seq, 'signal')}, ${counted(events.length, 'event')}, ` +
      `${counted(effects.length, 'effect')}, its inputs and the room of its caller.`,
  );
  if (runs > 0) print(`Also deleted: ${counted(runs, 'run')} of task flows that it called.`);
  if (schedules > 0) print(`Also deleted: ${counted(schedules, 'schedule')} of its agent.`);
  print(paint('dim', 'Backups, exports, logs and the audit are not changed.'));
}

async function isConfirmed(what: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new FlowError('confirmation-missing', `deleting ${what} cannot be undone. Add --yes to confirm.`);
  const input = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await input.question(`Delete ${what}? This cannot be undone. [y/N] `);
  input.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Returns the other conversations under the same name: a returning caller, such as a telephone number, has several. */
async function conversationsBeside(store: Store, sessionId: string): Promise<readonly string[]> {
  const [name = sessionId] = sessionId.split(/~\d+$/, 1);
  const isBeside = (id: string): boolean =>
    id === name || (id.startsWith(`${name}~`) && /^\d+$/.test(id.slice(name.length + 1)));
  const all = await store.sessions.list({ limit: Number.MAX_SAFE_INTEGER });
  return all.map((session) => session.sessionId).filter(isBeside);
}
