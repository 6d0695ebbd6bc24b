import type { SessionState } from '../../src/kernel/state/state.ts';

/** Returns a state as version 2 stored it: without groups, its members beside each other. */
export function asVersion2(state: SessionState): Readonly<Record<string, unknown>> {
  const { position, turn, knowledge, dialogue, people, ...rest } = state;
  const { number, ...others } = turn;
  return { ...rest, stateVersion: 2, ...position, turn: number, ...others, ...knowledge, ...dialogue, ...people };
}
