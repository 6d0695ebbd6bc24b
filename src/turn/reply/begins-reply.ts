import type { Signal } from '../../events/signal.ts';

/** The signals from outside of a turn, behind which the session speaks though the caller has said nothing. */
const beginning: ReadonlySet<Signal['type']> = new Set<Signal['type']>([
  'session:resumed',
  'silence:elapsed',
  'node:requested',
  'flow:swapped',
  'wait:resolved',
  'wait:expired',
  'run:ended',
  'takeover:started',
  'takeover:said',
  'takeover:ended',
]);

/** Whether the words behind a signal are a new reply, and not the rest of the reply before it. */
export function beginsReply(signal: Signal): boolean {
  if (signal.type === 'flow:swapped' && signal.stays === true) return false;
  return beginning.has(signal.type);
}
