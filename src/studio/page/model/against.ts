import { effect, signal } from '@preact/signals';
import type { Against } from '../../protocol/acts.ts';
import { openedSession } from './session.ts';

/** The shown session under today's file; null until it is asked for. */
export const against = signal<Against | null>(null);

let of: string | undefined;

// It is of one session, as far as it had come.
effect(() => {
  const sessionId = openedSession.value?.session.sessionId;
  if (sessionId !== of) against.value = null;
  of = sessionId;
});
