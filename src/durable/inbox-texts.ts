import type { Effect, EffectKey } from '../events/effect.ts';
import type { EntryCorrelation, InboxEntry, Reach } from '../events/inbox.ts';
import { isJsonObject, type Json } from '../events/json.ts';
import type { StepCommit } from '../ports/store.ts';
import { toColumnText } from './column-text.ts';
import { toJsonText } from './json-text.ts';

/** What a commit changes of the inbox besides taking its inputs out, in this order. */
export interface InboxChange {
  readonly withdraws: readonly string[];
  /** Of each of these waits no entry stays but the one of `key`. */
  readonly deadlines: readonly { readonly effectKey: EffectKey; readonly key: string | null }[];
  readonly posts: readonly EntryRow[];
}

/** An entry as a database takes it: its JSON text, and the columns that are searched by. */
export interface EntryRow {
  readonly key: string;
  readonly sessionId: string;
  readonly dueAt: number;
  /** The wait whose deadline it is. */
  readonly effectKey: EffectKey | null;
  readonly text: string;
}

/** Null where a commit changes nothing. Throws `state-not-json` for what a store cannot keep. */
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

/** The change with its names as column texts. */
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

/** The row with its names as column texts. */
export function rowInColumns(row: EntryRow): EntryRow {
  const { key, sessionId, effectKey } = row;
  const ofWait = effectKey === null ? null : toColumnText(effectKey);
  return { ...row, key: toColumnText(key), sessionId: toColumnText(sessionId), effectKey: ofWait };
}

/** Throws `state-not-json` for what a store cannot keep. */
export function entryRow(entry: InboxEntry, effectKey: EffectKey | null = null): EntryRow {
  const { key, sessionId, dueAt } = entry;
  return { key, sessionId, dueAt, effectKey, text: toJsonText(entry, 'an entry of the inbox') };
}

/** The key of the entry that stands for a deadline, in epoch milliseconds. */
function deadlineKey(wait: EffectKey, deadline: number): string {
  return `${wait}/deadline/${deadline}`;
}

/** Null for a wait that is over, or may last for ever. */
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

/** A question to the caller that nobody has heard has failed, and is still open. */
function isOpen({ state, payload }: Effect): boolean {
  return state === 'intended' || state === 'started' || (state === 'failed' && 'subject' in payload);
}

/** What the payload of a wait says of these: the caller's own confirmations say nothing. */
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
