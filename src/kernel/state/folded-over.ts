import type { Signal } from '../../model/signals/signal.ts';
import type { SessionState } from './state.ts';

/** Returns the hash of the flow that a signal is folded over: the signal's flow, otherwise the session's. */
export function foldedOver(state: SessionState, signal: Signal): string {
  const called = signal.type === 'flow:returned' ? state.position.stack.at(-1)?.flow : undefined;
  return (called ?? ('flow' in signal ? signal.flow : state.position.flow)).hash;
}
