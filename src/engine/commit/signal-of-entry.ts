import type { InboxEntry, OutsideSignal } from '../../model/inbox.ts';
import { ownIdsOf } from '../../model/proxy-id.ts';
import type { Signal } from '../../model/signals/signal.ts';
import type { StoredEntry } from '../../model/ports/inbox.ts';
import type { Inbound } from '../inbound.ts';

/** Returns the entry for this attempt: a scheduled run records its attempt number. */
export function attemptOf({ entry, attempts }: StoredEntry): InboxEntry {
  const { correlation } = entry;
  if (correlation.runAttempt === undefined) return entry;
  return { ...entry, correlation: { ...correlation, runAttempt: attempts + 1 } };
}

/** Returns the ids of a host's wait; the wait's key is the default. */
function idsOf({ key, wait, payload }: Extract<OutsideSignal, { type: 'wait:registered' }>) {
  const text = (name: string): string | undefined => (typeof payload[name] === 'string' ? payload[name] : undefined);
  const isAsked = wait === 'confirm' || wait === 'admin_resolution' || wait === 'proxy_input';
  const escalationId = text('escalationId') ?? (isAsked ? key : undefined);
  const own = ownIdsOf({ key, payload: { wait, proxyId: text('proxyId'), scheduleId: text('scheduleId') } });
  return { ...(escalationId === undefined ? {} : { escalationId }), ...own };
}

/** Converts an inbox entry to words or a signal of this moment. Null if the entry is not for a running conversation. */
export function readEntry(
  { signal, actor, correlation }: InboxEntry,
  at: number,
): { readonly turn: Inbound } | { readonly signal: Signal } | null {
  switch (signal.type) {
    case 'user:turn': {
      const { type: _type, ...words } = signal;
      return { turn: { ...words, ...(actor === null ? {} : { actor }), correlation } };
    }
    case 'wait:resolved':
    case 'takeover:started':
    case 'takeover:said':
    case 'takeover:heard':
    case 'takeover:ended':
      return { signal: { ...signal, actor, at } };
    case 'wait:registered': {
      const { type, key, wait } = signal;
      return { signal: { type, key, wait, about: idsOf(signal), at } };
    }
    case 'wait:expired':
    case 'run:ended':
    case 'node:requested':
    case 'effect:settled':
      return { signal: { ...signal, at } };
    case 'session:started':
    case 'schedule:due':
    case 'campaign:due':
    case 'call:due':
    case 'session:left':
    case 'session:idle':
    case 'outcome:due':
    case 'outcome:ready':
      return null;
  }
}
