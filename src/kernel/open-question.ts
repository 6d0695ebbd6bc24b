import { fillLine, lineInTurn } from '../expression/sentences.ts';
import type { GraphNode, GraphSlot } from '../graph/graph.ts';
import { typeOf } from '../slots/slot-types.ts';
import type { Draft } from './draft.ts';
import { openQuestion as generatorQuestion } from './generator-frame.ts';
import { lastSpoken, questionId } from './names.ts';
import { shortQuestion } from './short-question.ts';
import { sayableFor } from './ladder-help.ts';
import { nextNeed, readBackName } from './slots.ts';
import { openConfirmation } from './waits.ts';

/** What the caller is to answer now. */
export interface OpenQuestion {
  /** Tells it from every other question of the session, and the same again when it is put again. */
  readonly id: string;
  /** The slot that it asks for or reads back; null for any other question. */
  readonly slot: GraphSlot | null;
  /** Answered by yes or no. */
  readonly isYesOrNo: boolean;
  /** The last sentence of the node's own line, or of what the model has said: no slot and no call hangs on it. */
  readonly isLine: boolean;
  /** A yes to it may begin a write or settle a fact: it is never put in its short form. */
  readonly isWhole: boolean;
  /** Whether the caller has been asked it in this visit. */
  readonly isPut: boolean;
  /** Its words; empty where nobody asked anything. */
  readonly text: string;
  /** Its shortest form: the last sentence of `text` that asks, else all of it. */
  readonly short: string;
}

/** Tells the question that is open in a node from every other of the session. */
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

/** The question that is open in a node. A node that waits in silence has one without words. */
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
      // What is to be read back is no question before it is.
      isPut: need?.known === null && state.asked === id,
      text: lastSpoken(draft, slot.ask),
    });
  // What the model asked last, else the author's own line.
  const said = shortQuestion(draft, state.said.text) || shortQuestion(draft, state.saidBefore.text);
  const line = node.say === null ? '' : shortQuestion(draft, lastSpoken(draft, node.say));
  // The model was to ask for it and has not: what was asked last is answered, and asks for something else.
  const isLeftToModel = slot !== null && need?.known === null && (line === '' || !said.endsWith(line));
  const isOver = slot === null && line === '' && isAnswered(draft, said);
  if (!state.modelAsked && (isLeftToModel || isOver)) {
    const { goOn, youCanSay } = graph.speech.lines;
    const choices = slot === null ? null : sayableFor(slot, graph.speech);
    const question = lineInTurn(goOn, 1);
    const text = choices === null ? question : fillLine(youCanSay[0], { choices, question });
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

/** Whether a question is that of a slot which is known or was left unsaid by now, or the read-back that was answered last. */
function isAnswered(draft: Draft, question: string): boolean {
  const { graph, state } = draft;
  if (question === '') return false;
  if (state.answered !== null && Object.hasOwn(state.slots, state.answered)) return true;
  return [...graph.slots.values()].some(({ name, ask }) => {
    if (ask === null || state.askAgain.includes(name)) return false;
    const isSettled = Object.hasOwn(state.slots, name) || state.declined.includes(name);
    const asked = isSettled ? shortQuestion(draft, lastSpoken(draft, ask)) : '';
    return asked !== '' && question.endsWith(asked);
  });
}

function withShort(draft: Draft, question: Omit<OpenQuestion, 'short'>): OpenQuestion {
  const short = shortQuestion(draft, question.text);
  return { ...question, short: short === '' ? question.text : short };
}
