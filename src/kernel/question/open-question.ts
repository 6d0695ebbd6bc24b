import { fillLine, lineInTurn } from '../../flow/expression/sentences.ts';
import type { Graph, GraphNode, GraphSlot } from '../../flow/graph/graph.ts';
import { typeOf } from '../../flow/slots/slot-types.ts';
import type { Draft } from '../state/draft.ts';
import { openQuestion as generatorQuestion } from '../generator/frame.ts';
import { lastSpoken, questionId } from '../state/names.ts';
import { shortQuestion } from './short-question.ts';
import { sayableFor } from './ladder-help.ts';
import { nextNeed, readBackName } from '../state/slots.ts';
import { openConfirmation } from '../wait/waits.ts';

/** The question that the caller should answer now. */
export interface OpenQuestion {
  /** Identifies the question in the session. A repeated question keeps its id. */
  readonly id: string;
  /** The slot that it asks for or reads back; null for any other question. */
  readonly slot: GraphSlot | null;
  /** The answer is yes or no. */
  readonly isYesOrNo: boolean;
  /** The last sentence of the node's line, or of the model's text: no slot and no call depends on it. */
  readonly isLine: boolean;
  /** A yes may start a write or confirm a fact, so the question is never shortened. */
  readonly isWhole: boolean;
  /** Whether the question was asked in this visit. */
  readonly isPut: boolean;
  /** Its text; empty if nothing was asked. */
  readonly text: string;
  /** Its shortest form: the last question sentence of `text`, otherwise all of it. */
  readonly short: string;
}

/** Returns the id of a node's open question. */
export function openQuestionId(draft: Draft, node: GraphNode): string {
  const { graph, state } = draft;
  const wait = openConfirmation(draft);
  if (wait !== undefined) {
    const { subject } = wait.payload;
    if (subject.kind === 'slot') return questionId(state, readBackName(subject.slot));
    return questionId(state, `confirm:${subject.kind === 'node' ? subject.node : subject.call.name}`);
  }
  const asked = generatorQuestion(draft);
  if (asked !== null) return questionId(state, `ask:${asked.key}`);
  const need = nextNeed(graph, state, node);
  return questionId(state, need === null ? `node:${node.id}` : `slot:${need.slot.name}`);
}

/** Returns the open question of a node. A node that waits in silence has one with an empty text. */
export function openQuestionIn(draft: Draft, node: GraphNode): OpenQuestion {
  const { graph, state } = draft;
  const id = openQuestionId(draft, node);
  const wait = openConfirmation(draft);
  if (wait !== undefined) {
    const { subject, say } = wait.payload;
    const slot = subject.kind === 'slot' ? (graph.slots.get(subject.slot) ?? null) : null;
    return withShort(draft, { id, slot, isYesOrNo: true, isLine: false, isWhole: true, isPut: true, text: say });
  }
  const asked = generatorQuestion(draft);
  if (asked !== null)
    return withShort(draft, {
      id,
      slot: null,
      isYesOrNo: false,
      isLine: false,
      isWhole: asked.isConsent === true,
      isPut: true,
      text: asked.text,
    });
  const need = nextNeed(graph, state, node);
  const slot = need?.slot ?? null;
  const isYesOrNo = slot !== null && typeOf(slot).isYesOrNo === true;
  if (slot !== null && slot.ask !== null)
    return withShort(draft, {
      id,
      slot,
      isYesOrNo,
      isLine: false,
      isWhole: false,
      // A value that needs a read-back has no question before it.
      isPut: need?.known === null && state.dialogue.asked === id,
      text: lastSpoken(draft, slot.ask),
    });
  // The model's last question, otherwise the author's line.
  const said = shortQuestion(draft, state.dialogue.said.text) || shortQuestion(draft, state.dialogue.saidBefore.text);
  const line = node.say === null ? '' : questionIn(draft, node, lastSpoken(draft, node.say));
  // The model should have asked and did not: the last question is already answered and was about something else.
  const isLeftToModel = slot !== null && need?.known === null && (line === '' || !said.endsWith(line));
  const isOver = slot === null && line === '' && isAnswered(draft, said);
  if (!state.dialogue.modelAsked && (isLeftToModel || isOver)) {
    const text = goOnLine(graph, slot, 1);
    return { id, slot: null, isYesOrNo: false, isLine: false, isWhole: false, isPut: true, text, short: text };
  }
  return withShort(draft, {
    id,
    slot,
    isYesOrNo,
    isLine: true,
    isWhole: false,
    isPut: need?.known == null,
    text: slot === null && line !== '' && node.say !== null ? lastSpoken(draft, node.say) : said,
  });
}

/** Returns the line that asks what the caller wants, with the possible answers for a slot. */
export function goOnLine({ speech }: Graph, slot: GraphSlot | null, count: number): string {
  const { goOn, youCanSay } = speech.lines;
  const choices = slot === null ? null : sayableFor(slot, speech);
  const question = lineInTurn(goOn, count);
  return choices === null ? question : fillLine(lineInTurn(youCanSay, count + 1), { choices, question });
}

/** Returns the question in the line of a node. The line of a menu is one as a whole. */
function questionIn(draft: Draft, { keys }: GraphNode, line: string): string {
  const question = shortQuestion(draft, line);
  return question === '' && keys.size > 0 ? line : question;
}

/** Checks whether a question belongs to a slot that is now known or declined, or is the last answered read-back. */
function isAnswered(draft: Draft, question: string): boolean {
  const { graph, state } = draft;
  if (question === '') return false;
  if (state.turn.answered !== null && Object.hasOwn(state.knowledge.slots, state.turn.answered)) return true;
  return [...graph.slots.values()].some(({ name, ask }) => {
    if (ask === null || state.knowledge.askAgain.includes(name)) return false;
    const isSettled = Object.hasOwn(state.knowledge.slots, name) || state.knowledge.declined.includes(name);
    const asked = isSettled ? shortQuestion(draft, lastSpoken(draft, ask)) : '';
    return asked !== '' && question.endsWith(asked);
  });
}

function withShort(draft: Draft, question: Omit<OpenQuestion, 'short'>): OpenQuestion {
  const short = shortQuestion(draft, question.text);
  return { ...question, short: short === '' ? question.text : short };
}
