import type { UserTurn } from '../../model/signals/signal.ts';
import type { GraphNode, GraphSlot } from '../../flow/graph/graph.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import { type Draft, trialOf } from '../state/draft.ts';
import { keepSaid } from '../state/values-in-words.ts';
import { withinRules } from '../state/slots.ts';
import { goOn } from './to-node.ts';
import { hasAct, otherEnd, saidValue, strengthOf } from './utterance.ts';

/**
 * Checks whether the words answer a slot's question completely and with certainty, so no model is needed. They give one
 * value within the slot's bounds and nothing else, the question was heard, and the reaction is written by the author.
 */
export function answersAlone(draft: Draft, node: GraphNode, slot: GraphSlot, turn: UserTurn): boolean {
  if (draft.state.dialogue.put?.heard !== 'heard' || !isOneValue(draft, slot, turn)) return false;
  // "Mhm" before the end of a question only shows that the caller listens.
  if (strengthOf(turn.utterance) === 'weak' && !draft.state.dialogue.put.isOver) return false;
  return isAuthored(draft, (scratch) => takeAlone(scratch, node));
}

/** Stores the value and continues. The words are used up: no other node reads them. */
export function takeAlone(draft: Draft, node: GraphNode): void {
  keepSaid(draft);
  if (draft.state.turn.words !== null) draft.state.turn.words = { ...draft.state.turn.words, isUnheard: false };
  goOn(draft, node);
}

/** Checks whether the words give exactly one value of a slot, without doubts, questions or other content. */
export function isOneValue(draft: Draft, slot: GraphSlot, { utterance, text }: UserTurn): boolean {
  const said = saidValue(utterance);
  if (utterance === undefined || said === null || said.slot !== slot.name || !said.certain) return false;
  if (utterance.unfinished || utterance.foreign || hasAct(utterance, 'hedge', 'ask', 'decline')) return false;
  const values = utterance.acts.filter(({ act }) => act === 'inform' || act === 'correct').length;
  if (values > (otherEnd(draft.graph, utterance, said) === null ? 1 : 2)) return false;
  // "Monday" can be in the past or the future: the slot or a year in the words must decide.
  if (typeOf(slot).readAs === 'date' && (slot.before ?? slot.after) === null && !/\d{4}/.test(text)) return false;
  return withinRules(slot, { ok: true, value: said.value }, draft.civil).ok;
}

/**
 * Checks whether a move leads only to lines of the author. A move that leads to the model gives the model the words as
 * well.
 */
export function isAuthored(draft: Draft, move: (scratch: Draft) => void): boolean {
  const scratch = trialOf(draft);
  const before = new Set(Object.keys(draft.state.effects));
  move(scratch);
  return !Object.values(scratch.state.effects).some(({ key, kind }) => kind === 'reply' && !before.has(key));
}
