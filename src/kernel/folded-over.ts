import type { Signal } from '../events/signal.ts';
import type { SessionState } from './state.ts';

/** The hash of the flow that a signal is folded over: the one that it brings, else the one that the session stands in. */
export function foldedOver(state: SessionState, signal: Signal): string {
  const called = signal.type === 'flow:returned' ? state.stack.at(-1)?.flow : undefined;
  return (called ?? ('flow' in signal ? signal.flow : state.flow)).hash;
}
