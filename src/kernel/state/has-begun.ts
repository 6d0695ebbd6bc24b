import type { SessionState } from './state.ts';

/** Checks whether the flow has entered its first node. A hook may have stopped the run before that. */
export function hasBegun({ position: { visit } }: SessionState): boolean {
  return visit > 0;
}
