import type { SessionState } from './state.ts';

/** Whether the flow has entered its first node: a hook may have stopped the run that began the session before that. */
export function hasBegun({ visit }: SessionState): boolean {
  return visit > 0;
}
