import type { GraphNode } from '../../graph/graph.ts';
import { correct, refuse, refuseValue } from '../confirmation.ts';
import { type Draft, intend } from '../draft.ts';
import { askAgain, noteRefusal } from '../ladder.ts';
import { speakHere } from '../names.ts';
import { keepSaid } from '../said.ts';
import { confirmSlot, readBackName, valueOf } from '../slots.ts';
import { decideByCaller } from '../settle-wait.ts';
import { travel } from '../travel.ts';
import { askNextConfirmation } from '../next-confirmation.ts';
import { cancelWaits, closeWait } from '../waits.ts';
import { conditionalWay } from '../ways-out.ts';
import { giveToModel } from './common-rules.ts';
import { isOpenToYes } from './hear-put.ts';
import type { Of } from './question.ts';
import type { Rule, Told } from './rule.ts';
import { isAuthored, isOneValue } from './takes-alone.ts';
import { goOn } from './to-node.ts';
import { plainAnswer, saidValue, strengthOf } from './utterance.ts';

type Asked = Told<Of<'read_back' | 'consent'>>;

/** Words that are a plain yes or no, or lean to one. */
export const agreeOrRefuse: Rule<Of<'read_back' | 'consent'>> = {
  does: 'A plain yes to a question that was heard agrees, a plain no refuses. A yes to a question that was not heard whole is not counted: the question is put again. Other words go to the model.',
  take(told) {
    const { draft, node, turn } = told;
    const answer = plainAnswer(turn.utterance);
    if (answer === 'no') return answerNo(told);
    const strength = strengthOf(turn.utterance);
    if (answer === undefined) return giveToModel.take(told);
    if (!isOpenToYes(draft, strength)) return askAgain(draft, node, 'early');
    // A spoken "mhm" begins no write by itself: the model has to take it for a yes as well. A written one was meant.
    if (strength === 'weak' && turn.via === 'speech' && told.subject.kind === 'consent' && node.task === null)
      return giveToModel.take(told);
    answerYes(told);
  },
};

/** The words give a value that differs from the one that the question names. */
export const correctBeforeConsent: Rule<Of<'read_back' | 'consent'>> = {
  does: 'The new value is kept and the question is void: what changed is asked about anew. Words that rules do not read whole go to the model.',
  take(told) {
    const { draft, node, turn } = told;
    const slot = draft.graph.slots.get(saidValue(turn.utterance)?.slot ?? '');
    const isAlone = node.task === null && slot !== undefined && isOneValue(draft, slot, turn);
    if (!isAlone || !isAuthored(draft, (scratch) => takeCorrected(scratch, told))) return giveToModel.take(told);
    takeCorrected(draft, told);
  },
};

/** The words say again what the question names. */
export const askWhole: Rule<Of<'read_back' | 'consent'>> = {
  does: 'The model replies; then the whole question is put again, because the caller may have misheard it.',
  take: (told) => giveToModel.take(told),
};

function takeCorrected(draft: Draft, { node, subject }: Asked): void {
  const { slots, confirmations } = draft.state;
  if (!keepSaid(draft)) return askAgain(draft, node, 'no-match');
  const isCorrected = correct(draft, subject.wait, slots, confirmations.length);
  const way = conditionalWay(draft, node);
  if (way !== null) {
    // The call belongs to the node that is left.
    cancelWaits(draft);
    travel(draft, way, 'answer');
  } else if (!isCorrected) askAgain(draft, node, 'aside');
  else if (!askNextConfirmation(draft)) goOn(draft, node);
}

function answerYes({ draft, node, subject: { wait, about } }: Asked): void {
  closeWait(draft, wait, 'yes');
  if (about.kind === 'node') {
    draft.state.answered = about.node;
    decideByCaller(draft, node, 'yes', 'answer');
  } else if (about.kind === 'slot') {
    draft.state.answered = about.slot;
    confirmSlot(draft, about.slot, about.value);
    goOn(draft, node);
  } else {
    draft.state.answered = about.call.name;
    intend(draft, { kind: 'tool', payload: { ...about.call, confirmed: true } });
  }
}

function answerNo({ draft, node, subject: { wait, about } }: Asked): void {
  closeWait(draft, wait, 'no');
  if (about.kind === 'node') {
    draft.state.answered = about.node;
    decideByCaller(draft, node, 'no', 'answer');
  } else if (about.kind === 'slot') {
    draft.state.answered = about.slot;
    takeBack(draft, node, about.slot);
  } else {
    draft.state.answered = about.call.name;
    refuse(draft, node, about.call);
  }
}

/** The value that was read back is not the caller's: it is asked for anew. */
function takeBack(draft: Draft, node: GraphNode, name: string): void {
  refuseValue(draft, name);
  const slot = draft.graph.slots.get(name) ?? null;
  if (noteRefusal(draft, node, slot, readBackName(name)) || askAnew(draft, name)) return;
  goOn(draft, node);
}

/** Asks for an optional slot anew: a caller who refuses its value wants to say another one. */
function askAnew(draft: Draft, name: string): boolean {
  const slot = draft.graph.slots.get(name);
  if (slot === undefined || !slot.optional || slot.ask === null || valueOf(draft.state, name) !== undefined)
    return false;
  draft.state.pendingAskKey = name;
  intend(draft, { kind: 'say', payload: { text: speakHere(draft, slot.ask), reason: 'ask' } });
  return true;
}
