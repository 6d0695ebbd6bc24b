import type { LadderCause } from '../events/event.ts';
import type { GraphNode } from '../graph/graph.ts';
import { fillLine, lines } from '../language/lines.ts';
import { askNext, endAll } from './answer.ts';
import { type Draft, intend, isUnheard, settle, tell } from './draft.ts';
import { ask, openQuestion } from './generator-frame.ts';
import { sayableFor } from './ladder-help.ts';
import { withMember, withoutMember } from './names.ts';
import { nodeOf } from './offers.ts';
import { type OpenQuestion, openQuestionIn } from './open-question.ts';
import type { LadderState } from './state.ts';
import { openConfirmation, openWait } from './waits.ts';

/** How often in a row a question may be left unanswered: reworded, then with help, then the way on. */
const defaultAttempts = 3;

/**
 * Puts the open question again, in other words than the last time, or goes where its ladder leads. `aside`: something
 * else was said and answered, which is no attempt; every other cause is one.
 */
export function askAgain(draft: Draft, node: GraphNode, cause: LadderCause): void {
  const { state } = draft;
  const question = openQuestionIn(draft, node);
  if (isNotAskedYet(draft, question)) {
    askNext(draft, node, 'answer');
    return;
  }
  const before = state.ladder?.question === question.id ? state.ladder : null;
  const ladder = climbed(before, question.id, cause);
  if (before === null) forgetAttempts(draft);
  state.ladder = ladder;
  const missed = missesOf(ladder);
  if (cause !== 'aside') {
    countAttempts(draft, node, question, missed);
    tell(draft, { type: 'question:missed', data: { cause, attempt: missed, of: defaultAttempts } });
  }
  if (cause !== 'aside' && missed >= defaultAttempts) leave(draft, cause);
  else put(draft, question, cause, ladder);
}

/** Once the question is answered, or another is open, the next one begins at the foot of its ladder. */
export function keepLadder(draft: Draft): void {
  const { graph, state } = draft;
  if (state.ladder === null) return;
  const node = nodeOf(graph, state, state.node);
  if (state.status === 'active' && node !== null && openQuestionIn(draft, node).id === state.ladder.question) return;
  forgetAttempts(draft);
  state.ladder = null;
}

/** A slot's own question is put before it is put again: the node may have been waiting for the caller's first words. */
function isNotAskedYet(draft: Draft, { id, slot, text }: OpenQuestion): boolean {
  return slot !== null && text !== '' && openConfirmation(draft) === undefined && draft.state.asked !== id;
}

function climbed(before: LadderState | null, question: string, cause: LadderCause): LadderState {
  const { noMatch = 0, noInput = 0, refused = 0, puts = 0 } = before ?? {};
  return {
    question,
    noMatch: noMatch + (cause === 'no-match' ? 1 : 0),
    noInput: noInput + (cause === 'no-input' ? 1 : 0),
    refused: refused + (cause === 'refused' ? 1 : 0),
    puts: puts + 1,
  };
}

function missesOf({ noMatch, noInput, refused }: LadderState): number {
  return noMatch + noInput + refused;
}

/** Attempts stand under the names of node and slot, where conditions find them. */
function countAttempts(draft: Draft, node: GraphNode, { slot }: OpenQuestion, count: number): void {
  const { state } = draft;
  state.attempts = withMember(state.attempts, node.id, count);
  if (slot !== null) state.attempts = withMember(state.attempts, slot.name, count);
}

function forgetAttempts({ state }: Draft): void {
  for (const name of Object.keys(state.attempts)) state.attempts = withoutMember(state.attempts, name);
}

/** Says the question in a wording that is not what was said last. */
function put(draft: Draft, question: OpenQuestion, cause: LadderCause, ladder: LadderState): void {
  const isHelp = cause !== 'aside' && missesOf(ladder) === defaultAttempts - 1;
  const choices = question.slot === null || question.isYesOrNo ? null : sayableFor(question.slot);
  const wordings = isHelp ? helpFor(question, choices) : leadsFor(question, cause);
  // The caller who did not understand, or heard nothing, hears all of it.
  const text = isHelp || cause === 'no-input' ? question.text : question.short;
  const line = wordings[(ladder.puts - 1) % wordings.length] ?? '';
  speakQuestion(draft, question, fillLine(line, { question: text, choices: choices ?? '' }));
}

function speakQuestion(draft: Draft, question: OpenQuestion, text: string): void {
  const generated = openQuestion(draft);
  const wait = openConfirmation(draft);
  if (generated !== null) ask(draft, generated, text);
  else if (wait !== undefined && isUnheard(wait)) {
    // Nothing of it was heard, so no yes can answer it: it is opened anew.
    const { subject } = wait.payload;
    settle(draft, wait, 'cancelled');
    openWait(draft, text, subject);
  } else {
    if (wait === undefined && question.slot !== null) draft.state.pendingAskKey = question.slot.name;
    intend(draft, { kind: 'say', payload: { text, reason: 'ask' } });
  }
}

function leadsFor(question: OpenQuestion, cause: LadderCause): readonly string[] {
  if (cause === 'no-input') return lines.stillThere;
  if (question.text === '') return lines.again;
  if (cause === 'aside') return lines.putAgain;
  return cause === 'refused' ? lines.neededAnyway : lines.againQuestion;
}

function helpFor(question: OpenQuestion, choices: string | null): readonly string[] {
  if (question.isYesOrNo) return lines.yesOrNo;
  return choices === null ? lines.youCanSayBriefly : lines.youCanSay;
}

/** The question has no step left: an apology, and the end. */
function leave(draft: Draft, cause: Exclude<LadderCause, 'aside'>): void {
  const [text] = cause === 'no-input' ? lines.endUnheard : lines.endNotUnderstood;
  intend(draft, { kind: 'say', payload: { text, reason: 'notice' } });
  endAll(draft, cause);
}
