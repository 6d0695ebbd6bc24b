import type { InboxEntry } from '../../events/inbox.ts';
import type { SessionState } from '../../kernel/state.ts';

/** How long a conversation that was cut off is left to whoever goes on with it before its person is called, in milliseconds. */
const goesOnWithinMs = 60_000;

/** The entry that calls somebody, once another one has left something to be said. It is posted before that is taken. */
export function callEntry(entry: InboxEntry): InboxEntry {
  return { ...entry, key: `${entry.key}/call`, signal: { type: 'call:due' }, actor: null };
}

/**
 * The same for news that a live conversation is about to tell: whoever is cut off before they have heard it is called back.
 * Null for an entry that asks for no call.
 */
export function callIfCutOff(entry: InboxEntry, at: number): InboxEntry | null {
  if (entry.reach !== 'call' || entry.signal.type === 'call:due') return null;
  return { ...callEntry(entry), dueAt: at + goesOnWithinMs };
}

/** The calls that a live conversation has posted in case that it is cut off, until the news is heard. */
export interface PromisedCalls {
  /** What a step posts and withdraws of them; `state` is how it leaves the session. */
  with(
    call: InboxEntry | null,
    state: SessionState,
  ): { readonly posts?: readonly InboxEntry[]; readonly withdraws?: readonly string[] };
  /** The keys of those whose news was heard, as the conversation is let go of. */
  told(state: SessionState): readonly string[];
}

/** Remembers the calls of one conversation. */
export function createPromisedCalls(): PromisedCalls {
  const open = new Set<string>();
  const told: PromisedCalls['told'] = ({ unattended }) => {
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
