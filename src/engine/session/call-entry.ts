import type { InboxEntry } from '../../model/inbox.ts';
import type { SessionState } from '../../kernel/state/state.ts';

/** How long a cut-off conversation may wait for another process to resume it before its person is called, in milliseconds. */
const goesOnWithinMs = 60_000;

/** Returns the inbox entry that calls the person after `entry` was taken. It is posted before `entry` is taken. */
export function callEntry(entry: InboxEntry): InboxEntry {
  return { ...entry, key: `${entry.key}/call`, signal: { type: 'call:due' }, actor: null };
}

/** Returns the call to make if the caller is cut off before they hear the news of `entry`. Null if the entry asks for no call. */
export function callIfCutOff(entry: InboxEntry, at: number): InboxEntry | null {
  if (entry.reach !== 'call' || entry.signal.type === 'call:due') return null;
  return { ...callEntry(entry), dueAt: at + goesOnWithinMs };
}

/** Calls that a live conversation posts in case it is cut off, and withdraws once the caller has heard the news. */
export interface PromisedCalls {
  /** Returns the entries that a step posts and withdraws. `state` is the state after the step. */
  with(
    call: InboxEntry | null,
    state: SessionState,
  ): { readonly posts?: readonly InboxEntry[]; readonly withdraws?: readonly string[] };
  /** Returns the keys of the calls whose news was heard. Called when the session is released. */
  told(state: SessionState): readonly string[];
}

/** Creates the promised calls of one conversation. */
export function createPromisedCalls(): PromisedCalls {
  const open = new Set<string>();
  const told: PromisedCalls['told'] = ({ people: { unattended } }) => {
    const keys = unattended === null ? [...open] : [];
    for (const key of keys) open.delete(key);
    return keys;
  };
  return {
    with(call, state) {
      if (call !== null) open.add(call.key);
      const withdraws = call === null ? told(state) : [];
      return { ...(call === null ? {} : { posts: [call] }), ...(withdraws.length === 0 ? {} : { withdraws }) };
    },
    told,
  };
}
