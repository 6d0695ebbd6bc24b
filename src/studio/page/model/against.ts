import { effect, signal } from '@preact/signals';
import type { Comparison } from '../../protocol/acts.ts';
import { openedSession } from './session.ts';

/** The comparison of the shown session with the current file; null until requested. */
export const against = signal<Comparison | null>(null);

let of: string | undefined;

// The comparison belongs to one session.
effect(() => {
  const sessionId = openedSession.value?.session.sessionId;
  if (sessionId !== of) against.value = null;
  of = sessionId;
});
