import { accepted } from '../../flow/slots/slot-type.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import type { GraphNode, GraphSlot } from '../../flow/graph/graph.ts';
import type { Json } from '../../model/json.ts';
import { correct } from '../question/confirmation.ts';
import { askAgain } from '../question/ladder.ts';
import { plainReason } from '../question/ladder-help.ts';
import { askNextConfirmation } from '../question/next-confirmation.ts';
import { openQuestionIn } from '../question/open-question.ts';
import { leaveByCondition } from '../move/leave-by-condition.ts';
import { functionIn } from '../move/offers.ts';
import { travel } from '../move/travel.ts';
import { type Draft, emit, openOfKind } from '../state/draft.ts';
import { fillSlot } from '../state/slots.ts';
import { movesAlone } from '../state/values-in-words.ts';
import { putTaskQuestionAside } from '../wait/task-question.ts';
import { openConfirmation } from '../wait/waits.ts';
import { decideYes } from './decide.ts';
import type { Rule } from './rule.ts';
import { goOn } from './to-node.ts';
import { actOf } from './utterance.ts';

/** The caller has entered a slot by keys. */
export const takeEntry: Rule = {
  does: 'The digits are the value of the slot, without the model. A wrong number of digits, or a value that the slot rejects, is a miss: the question is asked again with the reason. The question of a task is repeated.',
  take({ draft, node, turn }) {
    const { slot: name = '', value, problem = '' } = actOf(turn.utterance, 'enter') ?? {};
    const slot = draft.graph.slots.get(name);
    useUp(draft);
    const isTask = openOfKind(draft.state, 'task') !== undefined;
    if (slot !== undefined && value !== undefined) {
      draft.state.turn.answered = name;
      if (isTask) fillByDigits(draft, slot, value);
      else takeDigits(draft, node, slot, value);
    } else if (isTask) noteRejected(draft, name, problem);
    else missEntry(draft, node, slot, problem);
    // The entry began before the task, which goes on.
    if (isTask && turn.answersTask === true) putTaskQuestionAside(draft, node, turn);
  },
};

/** The caller has pressed a key of a menu. */
export const followKey: Rule = {
  does: 'The flow follows the key to its function or node. A key that the menu does not have is a miss: the question is asked again.',
  take({ draft, node, turn }) {
    const key = actOf(turn.utterance, 'press')?.key ?? '';
    const target = node.keys.get(key);
    useUp(draft);
    if (target === undefined) return askAgain(draft, node, 'no-match');
    const offered = functionIn(draft.graph, node, target);
    if (offered === null || !movesAlone(offered)) return travel(draft, { to: target, cause: 'key' }, 'answer');
    draft.state.turn.answered = offered.name;
    const { digression } = offered;
    travel(draft, { to: offered.target.to, cause: 'function', function: offered.name, digression }, 'answer');
  },
};

/** Stores the digits and continues. They replace what an open question names, or confirm it if they are equal. */
function takeDigits(draft: Draft, node: GraphNode, slot: GraphSlot, value: Json): void {
  const wait = openConfirmation(draft);
  const { slots } = draft.state.knowledge;
  const { confirmations } = draft.state.dialogue;
  const about = wait?.payload.subject;
  if (wait !== undefined && about?.kind === 'slot' && about.slot === slot.name && sameValue(about.value, value)) {
    decideYes(draft, node, wait, 'answer');
    return goOn(draft, node);
  }
  fillByDigits(draft, slot, value);
  if (wait === undefined) return goOn(draft, node);
  const isCorrected = correct(draft, wait, slots, confirmations.length);
  if (leaveByCondition(draft, node, 'answer')) return;
  if (!isCorrected) askAgain(draft, node, 'aside');
  else if (!askNextConfirmation(draft)) goOn(draft, node);
}

function missEntry(draft: Draft, node: GraphNode, slot: GraphSlot | undefined, problem: string): void {
  if (slot === undefined) return askAgain(draft, node, 'no-match');
  noteRejected(draft, slot.name, problem);
  // The reason belongs to the slot's own question.
  const isAsked = openQuestionIn(draft, node).slot?.name === slot.name;
  askAgain(draft, node, 'no-match', isAsked ? plainReason(draft, slot, problem) : '');
}

function fillByDigits(draft: Draft, slot: GraphSlot, value: Json): void {
  fillSlot(draft, slot, accepted(value), { grounded: true, isSaid: true });
}

function noteRejected(draft: Draft, slot: string, problem: string): void {
  emit(draft, { type: 'slot:rejected', data: { slot, problem } });
}

/** The keys are for no other node. */
function useUp({ state }: Draft): void {
  if (state.turn.words !== null) state.turn.words = { ...state.turn.words, isUnheard: false };
}
