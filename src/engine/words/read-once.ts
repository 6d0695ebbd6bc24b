import type { Utterance } from '../../model/dialogue.ts';
import type { Graph } from '../../flow/graph/graph.ts';
import type { Moment } from '../../kernel/state/names.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { readUtterance } from './read-utterance.ts';

interface Reading {
  readonly graph: Graph;
  readonly civil: string;
  readonly text: string;
  readonly utterance: Utterance;
}

/** The last reading in each state. */
const readings = new WeakMap<SessionState, Reading>();

/**
 * Reads words as `readUtterance` does, but the same words in the same state only once: first to decide on an early
 * reply, then as a turn.
 */
export function readOnce(moment: Pick<Moment, 'graph' | 'state' | 'civil'>, text: string): Utterance {
  const { graph, state, civil } = moment;
  const known = readings.get(state);
  if (known?.graph === graph && known.civil === civil && known.text === text) return known.utterance;
  const utterance = readUtterance(moment, text);
  readings.set(state, { graph, civil, text, utterance });
  return utterance;
}
