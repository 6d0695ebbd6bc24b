import type { UserTurn } from '../../events/signal.ts';
import type { GraphNode, GraphSlot } from '../../graph/graph.ts';
import { typeOf } from '../../slots/slot-types.ts';
import { type Draft, trialOf } from '../draft.ts';
import { keepSaid } from '../said.ts';
import { withinRules } from '../slots.ts';
import { goOn } from './to-node.ts';
import { hasAct, saidValue, strengthOf } from './utterance.ts';

/**
 * Whether the words answer a slot's question whole and for certain, so that no model is asked: they give one value within the
 * slot's bounds and nothing else, to a question that was heard, and what follows is written by the author.
 */
export function answersAlone(draft: Draft, node: GraphNode, slot: GraphSlot, turn: UserTurn): boolean {
  if (draft.state.put?.heard !== 'heard' || !isOneValue(draft, slot, turn)) return false;
  // "Mhm" before the end of a question only shows that somebody listens.
  if (strengthOf(turn.utterance) === 'weak' && !draft.state.put.isOver) return false;
  return isAuthored(draft, (scratch) => takeAlone(scratch, node));
}

/** Takes the value that the words give, and goes where that leads. They are all of this value: no other node is given them. */
export function takeAlone(draft: Draft, node: GraphNode): void {
  keepSaid(draft);
  if (draft.state.words !== null) draft.state.words = { ...draft.state.words, isUnheard: false };
  goOn(draft, node);
}

/** Whether the words give one value of a slot, and hold no doubt, no question and nothing else. */
export function isOneValue(draft: Draft, slot: GraphSlot, { utterance, text }: UserTurn): boolean {
  const said = saidValue(utterance);
  if (utterance === undefined || said === null || said.slot !== slot.name || !said.certain) return false;
  if (utterance.unfinished || utterance.foreign || hasAct(utterance, 'hedge', 'ask', 'decline')) return false;
  if (utterance.acts.filter(({ act }) => act === 'inform' || act === 'correct').length > 1) return false;
  // "Monday" is a day of the past or of the future: the slot tells which, or the words name a year.
  if (typeOf(slot).readAs === 'date' && (slot.before ?? slot.after) === null && !/\d{4}/.test(text)) return false;
  return withinRules(slot, { ok: true, value: said.value }, draft.civil).ok;
}

/** Whether a move leads to lines of the author's alone. If it leads to the model, the model is given the words as well. */
export function isAuthored(draft: Draft, move: (scratch: Draft) => void): boolean {
  const scratch = trialOf(draft);
  const before = new Set(Object.keys(draft.state.effects));
  move(scratch);
  return !Object.values(scratch.state.effects).some(({ key, kind }) => kind === 'reply' && !before.has(key));
}
