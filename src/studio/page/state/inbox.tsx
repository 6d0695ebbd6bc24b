import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { InboxEntryShown, SessionShown } from '../../protocol/session-shown.ts';
import { api } from '../client/api.ts';
import { serverNow } from '../model/studio.ts';
import { Section } from './section.tsx';

/** The entries of the session that was queried last. */
const posted = signal<{ readonly sessionId: string; readonly entries: readonly InboxEntryShown[] } | null>(null);

/** Open waits and posted entries that are not taken yet. */
export function Inbox({ session }: { readonly session: SessionShown }): JSX.Element | null {
  const { sessionId, waits } = session;
  useEffect(() => {
    api.inbox(sessionId).then(
      (entries) => {
        posted.value = { sessionId, entries };
      },
      () => undefined,
    );
  }, [session]);
  const entries = posted.value?.sessionId === sessionId ? posted.value.entries : [];
  if (waits.length + entries.length === 0) return null;
  return (
    <Section title="Inbox" count={waits.length + entries.length}>
      <ul class="rows">
        {waits.map((wait) => (
          <li key={wait.key}>
            <code>{wait.wait}</code>
            <span class="dim">{wait.to === null ? ' is open' : ` is open, for ${wait.to}`}</span>
            {wait.question !== '' && <span>{` ${wait.question}`}</span>}
          </li>
        ))}
        {entries.map((entry) => (
          <li key={entry.key}>
            <code>{entry.signal}</code>
            <span class="dim">{` ${standing(entry)}${entry.actor === null ? '' : ` by ${entry.actor}`}`}</span>
            {entry.reason !== null && <span>{` ${entry.reason}`}</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function standing({ state, dueAt, attempts }: InboxEntryShown): string {
  const tried = attempts === 0 ? '' : `, tried ${attempts}×`;
  if (state === 'dead') return `could not be delivered${tried}`;
  return dueAt > serverNow() ? `is due at ${new Date(dueAt).toLocaleString()}${tried}` : `has arrived${tried}`;
}
