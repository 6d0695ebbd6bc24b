import type { Effect, EffectKey } from '../../model/effect.ts';
import type { EntryCorrelation, InboxEntry, Reach } from '../../model/inbox.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import type { StepCommit } from '../../model/ports/store.ts';
import { toColumnText } from './column-text.ts';
import { toJsonText } from '../json-text.ts';

/** The inbox changes of a commit, besides consuming its inputs, in this order. */
export interface InboxChange {
  readonly withdraws: readonly string[];
  /** For each of these waits, all deadline entries except `key` are deleted. */
  readonly deadlines: readonly { readonly effectKey: EffectKey; readonly key: string | null }[];
  readonly posts: readonly EntryRow[];
}

/** An entry in the form of a database: its JSON text and the indexed columns. */
export interface EntryRow {
  readonly key: string;
  readonly sessionId: string;
  readonly dueAt: number;
  /** The wait of a deadline entry. */
  readonly effectKey: EffectKey | null;
  readonly text: string;
}

/**
 * Returns the inbox changes of a commit; null if there are none. Throws `state-not-json` for values that a store cannot
 * hold.
 */
export function inboxChange({ lease, effects, posts = [], withdraws = [] }: StepCommit): InboxChange | null {
  const rows = posts.map((entry) => entryRow(entry));
  const waits = new Map(effects.filter(({ kind }) => kind === 'wait').map((wait) => [wait.key, wait]));
  const deadlines = [...waits.values()].map((wait) => {
    const entry = deadlineEntry(lease.sessionId, wait);
    if (entry !== null) rows.push(entryRow(entry, wait.key));
    return { effectKey: wait.key, key: entry?.key ?? null };
  });
  if (rows.length === 0 && deadlines.length === 0 && withdraws.length === 0) return null;
  return { withdraws, deadlines, posts: rows };
}

/** Returns the change with its names as column texts. */
export function inColumns({ withdraws, deadlines, posts }: InboxChange): InboxChange {
  return {
    withdraws: withdraws.map(toColumnText),
    deadlines: deadlines.map(({ effectKey, key }) => ({
      effectKey: toColumnText(effectKey),
      key: key === null ? null : toColumnText(key),
    })),
    posts: posts.map(rowInColumns),
  };
}

/** Returns the row with its names as column texts. */
export function rowInColumns(row: EntryRow): EntryRow {
  const { key, sessionId, effectKey } = row;
  const ofWait = effectKey === null ? null : toColumnText(effectKey);
  return { ...row, key: toColumnText(key), sessionId: toColumnText(sessionId), effectKey: ofWait };
}

/** Converts an entry. Throws `state-not-json` for values that a store cannot hold. */
export function entryRow(entry: InboxEntry, effectKey: EffectKey | null = null): EntryRow {
  const { key, sessionId, dueAt } = entry;
  return { key, sessionId, dueAt, effectKey, text: toJsonText(entry, 'an entry of the inbox') };
}

/** Returns the key of the entry for a deadline in epoch milliseconds. */
function deadlineKey(wait: EffectKey, deadline: number): string {
  return `${wait}/deadline/${deadline}`;
}

/** Returns the deadline entry of a wait; null if the wait is over or has no deadline. */
export function deadlineEntry(sessionId: string, wait: Effect): InboxEntry | null {
  const { key, deadline } = wait;
  if (deadline === undefined || !isOpen(wait)) return null;
  return {
    key: deadlineKey(key, deadline),
    sessionId,
    dueAt: deadline,
    signal: { type: 'wait:expired', key },
    ...addressOf(wait.payload as unknown as Json), // Payloads are JSON.
    actor: null,
  };
}

/** Checks whether a wait is open. A question that the caller did not hear is `failed`, and still open. */
function isOpen({ state, payload }: Effect): boolean {
  return state === 'intended' || state === 'started' || (state === 'failed' && 'subject' in payload);
}

/** Returns reach and ids from a wait's payload. Confirmations of the caller have none. */
export function addressOf(payload: Json): Pick<InboxEntry, 'reach' | 'correlation'> {
  const told = isJsonObject(payload) ? payload : {};
  const text = (name: string): Record<string, string> => {
    const value = told[name];
    return typeof value === 'string' ? { [name]: value } : {};
  };
  const reach = reaches.find((one) => one === told['reach']) ?? 'wait';
  const correlation: EntryCorrelation = { ...text('escalationId'), ...text('proxyId'), ...text('scheduleId') };
  return { reach, correlation };
}

const reaches: readonly Reach[] = ['wait', 'message', 'call'];
