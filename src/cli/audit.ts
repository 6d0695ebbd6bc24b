import { defineCommand } from 'citty';
import { brokenLink, type AuditEnd } from '../durable/audit-chain.ts';
import { FlowError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { AuditRecord } from '../events/inbox.ts';
import { type StrayDecision, strayDecisions } from '../people/audit-outcomes.ts';
import { recordsOf } from '../people/read-audit.ts';
import type { Store } from '../ports/store.ts';
import { findSession, sessionUnknown } from '../runner/kept-sessions.ts';
import { assertAllowed, operatorOf } from './operator.ts';
import { paint, print, printRow } from './output.ts';
import { inStore, storeArgs } from './sessions.ts';
import { counted } from '../ports/counted.ts';

export const auditCommand = defineCommand({
  args: {
    session: { type: 'positional', description: 'What concerns one session alone.', required: false },
    ...storeArgs,
    verify: {
      type: 'boolean',
      description:
        'Only tells whether a record was changed or deleted, or a session was told something else than was decided: then the exit code is 1.',
    },
    known: {
      type: 'string',
      description:
        'With --verify: SEQ:HASH of a record, as an earlier --verify has printed it; a chain that was written anew or cut off does not hold it.',
    },
  },
  run: ({ args }) =>
    inStore(args, async (store, config) => {
      const kept = args.session === undefined ? null : await findSession(store, args.session);
      // What was forgotten is kept no more, and its records are.
      const session = kept?.sessionId ?? args.session;
      await assertAllowed(operatorOf(config), 'audit:read', session === undefined ? {} : { sessionId: session });
      if (args.verify === true) return await verify(store, knownIn(args.known));
      // What came of it stands between, where it is one session's story.
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
      if (count === 0) print(paint('dim', 'Nothing was written down.'));
    }),
});

/** Checks the chain of the whole store, then compares it with the sessions. `known` is a record that is kept outside of the store. */
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
  if (end === null) return print('Nothing was written down.');
  print(`${counted(end.seq, 'record')}, each of which follows the one before it.`);
  printRow(`  --known ${end.seq}:${end.hash}`, 'dim');
}

/** The end of the chain, and what is wrong with it; null where nothing is. */
async function chainOf(
  store: Store,
  known: AuditEnd,
): Promise<{ readonly end: AuditEnd; readonly fault: string | null }> {
  let end: AuditEnd = null;
  for await (const record of recordsOf(store)) {
    if (brokenLink([record], end) !== null) {
      const fault = `Record ${record.seq} does not follow the one before it: it was changed, or one before it was deleted.`;
      return { end, fault };
    }
    if (record.seq === known?.seq && record.hash !== known.hash)
      return { end, fault: `Record ${record.seq} is not the known one: the chain was written anew.` };
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
      ? `session ${sessionId} was told something else`
      : `session ${sessionId} was told nothing, and nothing waits to be taken`;
  return `Record ${seq} holds what was decided on ${key}; ${what}.`;
}

/** What people are asked, and what came of it, without anything that was said. */
const told: ReadonlySet<Event['type']> = new Set([
  ...(['flow:started', 'wait:opened', 'wait:resolved', 'wait:expired', 'wait:cancelled', 'tool:settled'] as const),
  ...(['takeover:started', 'takeover:ended', 'signal:ignored', 'flow:ended'] as const),
]);

/** What happened in a session, as far as it is told here: of functions, those that write. */
async function storyOf(store: Store, session: string): Promise<{ readonly at: number; readonly line: string }[]> {
  const [events, effects] = await Promise.all([store.readEvents(session), store.loadEffects(session)]);
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
