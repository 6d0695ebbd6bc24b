import type { SayReason } from '../../model/effect.ts';
import { lineInTurn } from '../../flow/expression/sentences.ts';
import type { GraphNode } from '../../flow/graph/graph.ts';
import { type Draft, intend, waitOf } from '../state/draft.ts';
import { speakHere } from '../state/names.ts';

/** Checks whether a node waits for something outside the call. */
export function isWaitingIn({ state }: Pick<Draft, 'state'>, node: GraphNode): boolean {
  return node.interrupt !== null && waitOf(state, node.id) !== undefined;
}

/** Says that the agent is still waiting, with the next wording in rotation. */
export function sayWaitingLine(draft: Draft, node: GraphNode, reason: SayReason = 'aside'): void {
  const own = node.interrupt?.company?.lines ?? null;
  const builtIn = lineInTurn(draft.graph.speech.lines.stillWaiting, draft.state.turn.number);
  const text = own === null ? builtIn : speakHere(draft, own);
  intend(draft, { kind: 'say', payload: { text: text === '' ? builtIn : text, reason } });
}
