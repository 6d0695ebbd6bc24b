import { isShared } from '../../model/effect.ts';
import type { Event } from '../../model/events/event.ts';
import type { FlowError } from '../../model/errors.ts';
import type { LoggedSignal, StepCommit, StepStore } from '../../model/ports/store.ts';
import { toColumnText } from './column-text.ts';
import { type CommitTexts, commitTexts, conflict, leaseLost } from './commit-texts.ts';
import { inColumns } from './inbox-texts.ts';
import { toJsonText } from '../json-text.ts';
import type { CommitToWrite, SharedEffectRow, SqlParts } from './database.ts';
import { corrupted, parsed } from './stored-text.ts';

/** Stores commits, the log and the events. */
export function sqlSteps({ database, clock, run }: SqlParts): StepStore {
  const { db } = database;
  let commits = 0;
  /** Returns why a commit was refused; null if it had succeeded and only the response was lost. */
  const refusal = async ({ lease, baseSeq }: StepCommit, commitId: string): Promise<FlowError | null> => {
    const { sessionId } = lease;
    const found = await db
      .selectFrom('roomflow_sessions')
      .select(['owner', 'token', 'seq', 'last_commit'])
      .where('id', '=', toColumnText(sessionId))
      .executeTakeFirst();
    if (found?.last_commit === commitId) return null;
    if (found === undefined || found.owner === null || found.token !== lease.token) return leaseLost(sessionId);
    return found.seq === baseSeq
      ? conflict(sessionId, 'has an input that was consumed before')
      : conflict(sessionId, `starts from ${baseSeq}, but it stands at ${found.seq}`);
  };
  return {
    async create(commit) {
      const { lease, baseSeq, signals, stateVersion, graphHash } = commit;
      const texts = commitTexts(commit);
      commits += 1;
      const write: CommitToWrite = {
        ...effectsOf(texts),
        state: texts.state,
        intends: texts.intends,
        inbox: texts.inbox && inColumns(texts.inbox),
        inputKeys: texts.inputKeys.map(toColumnText),
        place: commits,
        signals: texts.signals.length === 0 ? null : `[${texts.signals.join(',')}]`,
        events: eventsText(commit.events()),
        sessionId: toColumnText(lease.sessionId),
        token: lease.token,
        baseSeq,
        seq: baseSeq + signals.length,
        stateVersion,
        graphHash: toColumnText(graphHash),
        now: clock.now(),
        // A token belongs to one owner, which commits through one store.
        commitId: `${lease.token}.${commits}`,
      };
      await run(async () => {
        if (await database.writeCommit(write)) return;
        const error = await refusal(commit, write.commitId);
        if (error !== null) throw error;
      });
    },
    list: (sessionId, fromSeq = 1) =>
      run(async () => {
        const from = Math.max(fromSeq, 1);
        const found = await db
          .selectFrom('roomflow_steps')
          .select(['seq', 'signals'])
          .where('session_id', '=', toColumnText(sessionId))
          .where('seq', '>=', from)
          .where('signals', 'is not', null)
          .orderBy('token')
          .orderBy('place')
          .execute();
        const logged = found
          .flatMap(({ seq, signals }) => parsed(signals, `signal ${seq} of session "${sessionId}"`) as LoggedSignal[])
          .filter(({ seq }) => seq >= from);
        for (const [index, { seq }] of logged.entries())
          if (seq !== from + index) throw corrupted(`signal ${from + index} of session "${sessionId}" is missing`);
        return logged;
      }),
    listEvents: (sessionId, fromSeq = 0) =>
      run(async () => {
        const found = await db
          .selectFrom('roomflow_steps')
          .select('events')
          .where('session_id', '=', toColumnText(sessionId))
          .where('seq', '>=', fromSeq)
          .where('events', 'is not', null)
          .orderBy('token')
          .orderBy('place')
          .execute();
        return found.flatMap(({ events }) => parsed(events, `an event of session "${sessionId}"`) as Event[]);
      }),
  };
}

function effectsOf({ effects }: CommitTexts): Pick<CommitToWrite, 'ownEffects' | 'sharedEffects'> {
  const own: string[] = [];
  const sharedEffects: SharedEffectRow[] = [];
  for (const [item, row] of effects.entries())
    if (isShared(row.kind)) sharedEffects.push({ ...row, key: toColumnText(row.key), item });
    else own.push(`[${item},${row.text}]`);
  return { ownEffects: own.length === 0 ? null : `[${own.join(',')}]`, sharedEffects };
}

function eventsText(events: readonly Event[]): string | null {
  return events.length === 0 ? null : toJsonText(events, 'the events');
}
