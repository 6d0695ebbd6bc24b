import { defineCommand } from 'citty';
import { brokenLink, type AuditEnd } from '../../store/audit-chain.ts';
import { FlowError } from '../../model/errors.ts';
import type { Event } from '../../model/events/event.ts';
import type { AuditRecord } from '../../model/inbox.ts';
import { type StrayDecision, strayDecisions } from '../../people/audit-outcomes.ts';
import { recordsOf } from '../../people/read-audit.ts';
import type { Store } from '../../model/ports/store.ts';
import { findSession, sessionUnknown } from '../../runner/conversation/kept-sessions.ts';
import { assertAllowed, operatorOf } from './operator.ts';
import { paint, print, printRow } from '../output.ts';
import { inStore, storeArgs } from './sessions.ts';
import { counted } from '../../model/ports/counted.ts';

export const auditCommand = defineCommand({
  args: {
    session: { type: 'positional', description: 'Shows only the records of this session.', required: false },
    ...storeArgs,
    verify: {
      type: 'boolean',
      description:
        'Only checks the audit. Exit code 1 if a record was changed or deleted, or if a session holds another decision than the recorded one.',
    },
    known: {
      type: 'string',
      description:
        'With --verify: SEQ:HASH of a record, as an earlier --verify printed it. Detects a chain that was rewritten or cut off.',
    },
  },
  run: ({ args }) =>
    inStore(args, async (store, config) => {
      const kept = args.session === undefined ? null : await findSession(store, args.session);
      // The audit outlives a deleted session, so its records can still be listed by the given id.
      const session = kept?.sessionId ?? args.session;
      await assertAllowed(operatorOf(config), 'audit:read', session === undefined ? {} : { sessionId: session });
      if (args.verify === true) return await verify(store, knownIn(args.known));
      // The events of the session are printed between its audit records, in the order of time.
      const events = session === undefined ? [] : await storyOf(store, session);
      let count = 0;
      const tellUntil = (at: number): void => {
        while ((events[0]?.at ?? Infinity) < at) printRow(events.shift()?.line ?? '', 'dim');
      };
      for await (const record of recordsOf(store, session)) {
        count += 1;
        tellUntil(record.at);
        printRow(lineOf(record));
      }
      tellUntil(Infinity);
      if (count === 0 && kept === null && session !== undefined) sessionUnknown(session);
      if (count === 0) print(paint('dim', 'The audit is empty.'));
    }),
});

/**
 * Checks the audit chain of the whole store, then compares it with the sessions. `known` is a record that was noted
 * outside the store.
 */
async function verify(store: Store, known: AuditEnd): Promise<void> {
  const { end, fault } = await chainOf(store, known);
  if (fault !== null) {
    print(fault);
    process.exitCode = 1;
    return;
  }
  let isWhole = true;
  for await (const stray of strayDecisions(store)) {
    printRow(strayLine(stray));
    isWhole = false;
  }
  if (!isWhole) {
    process.exitCode = 1;
    return;
  }
  if (end === null) return print('The audit is empty.');
  print(`${counted(end.seq, 'record')}. Each one follows the record before it.`);
  printRow(`  --known ${end.seq}:${end.hash}`, 'dim');
}

/** Returns the last record of the chain and the first fault; `fault` is null if the chain is intact. */
async function chainOf(
  store: Store,
  known: AuditEnd,
): Promise<{ readonly end: AuditEnd; readonly fault: string | null }> {
  let end: AuditEnd = null;
  for await (const record of recordsOf(store)) {
    if (brokenLink([record], end) !== null) {
      const fault = `Record ${record.seq} does not follow the record before it: it was changed, or an earlier record was deleted.`;
      return { end, fault };
    }
    if (record.seq === known?.seq && record.hash !== known.hash)
      return { end, fault: `Record ${record.seq} differs from the known one: the chain was rewritten.` };
    end = record;
  }
  const isCut = known !== null && (end === null || end.seq < known.seq);
  return { end, fault: isCut ? `Record ${known.seq} is missing: records were cut off the end.` : null };
}

function knownIn(given: string | undefined): AuditEnd {
  if (given === undefined) return null;
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(given) ?? [];
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash };
  throw new FlowError('option-invalid', '--known must be SEQ:HASH, as "roomflow audit --verify" prints it.');
}

function strayLine({ seq, sessionId, key, fault }: StrayDecision): string {
  const what =
    fault === 'other'
      ? `session ${sessionId} holds another decision`
      : `session ${sessionId} holds no decision, and the inbox has none for it`;
  return `Record ${seq} holds the decision on ${key}, but ${what}.`;
}

/** Event types about questions to people and their outcome. None of them holds the words of a caller. */
const told: ReadonlySet<Event['type']> = new Set([
  ...(['flow:started', 'wait:opened', 'wait:resolved', 'wait:expired', 'wait:cancelled', 'tool:settled'] as const),
  ...(['takeover:started', 'takeover:ended', 'signal:ignored', 'flow:ended'] as const),
]);

/** Returns the events of a session that the audit shows. Of settled tools, only those that write. */
async function storyOf(store: Store, session: string): Promise<{ readonly at: number; readonly line: string }[]> {
  const [events, effects] = await Promise.all([store.steps.listEvents(session), store.effects.list(session)]);
  const writes = new Set(effects.flatMap((one) => (one.kind === 'tool' && one.payload.write ? [one.key] : [])));
  return events
    .filter((event) => told.has(event.type) && (event.type !== 'tool:settled' || writes.has(event.data.key)))
    .map((event) => ({ at: event.time, line: eventLine(event) }));
}

function eventLine({ type, time, nodeId, data }: Event): string {
  const facts = Object.entries(data).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const node = nodeId === undefined || nodeId === '' ? [] : [`node=${nodeId}`];
  return ['-', new Date(time).toISOString(), 'session', type, ...node, ...facts].join('  ');
}

function lineOf({ seq, at, actor, action, outcome, sessionId, details }: AuditRecord): string {
  const facts = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [
    ...[seq, new Date(at).toISOString(), actor?.id ?? '-', action, outcome],
    ...(sessionId === null ? [] : [sessionId]),
    ...facts,
  ].join('  ');
}
