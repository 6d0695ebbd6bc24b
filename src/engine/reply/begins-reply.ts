import type { Signal } from '../../model/signals/signal.ts';

/** Signals after which the session speaks although the caller said nothing. */
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

/** Checks whether the words after a signal are a new reply and not the rest of the previous one. */
export function beginsReply(signal: Signal): boolean {
  if (signal.type === 'flow:swapped' && signal.stays === true) return false;
  return beginning.has(signal.type);
}
