import type { Confirmation, ConfirmSubject } from '../../model/effect.ts';
import type { QuestionYield } from '../../model/signals/generator-yield.ts';
import type { UserTurn } from '../../model/signals/signal.ts';
import type { GraphNode, GraphSlot } from '../../flow/graph/graph.ts';
import { asksByLine } from '../answer.ts';
import { isWaitingIn } from '../wait/outside-waits.ts';
import { type Draft, isUnheard } from '../state/draft.ts';
import { openQuestion as generatorQuestion } from '../generator/frame.ts';
import { questionId } from '../state/names.ts';
import { nextNeed } from '../state/slots.ts';
import { openTaskQuestion, type TaskQuestion } from '../wait/task-question.ts';
import { openConfirmation } from '../wait/waits.ts';

/** The subject of the question on top, which the caller's next words may answer. */
export type QuestionSubject =
  /** No question is open. */
  | { readonly kind: 'none' }
  /** The session waits for something other than the caller. */
  | { readonly kind: 'elsewhere' }
  /** "Which day?" */
  | { readonly kind: 'slot'; readonly slot: GraphSlot }
  /** "Friday, is that right?" */
  | { readonly kind: 'read_back'; readonly wait: Confirmation; readonly about: ConfirmSubject & { kind: 'slot' } }
  /** "Shall I book Friday?": about a call, or about a node's decision. */
  | {
      readonly kind: 'consent';
      readonly wait: Confirmation;
      readonly about: ConfirmSubject & { kind: 'call' | 'node' };
    }
  /** A generator's question; `isConsent` if a yes may lead to a write. */
  | { readonly kind: 'value'; readonly asked: QuestionYield }
  /** A task's question, such as that of `control.gate`. */
  | { readonly kind: 'choice'; readonly asked: TaskQuestion }
  /** A node's own line, which its functions answer. */
  | { readonly kind: 'line'; readonly node: string }
  /** A question of the model. */
  | { readonly kind: 'model' };

export type SubjectKind = QuestionSubject['kind'];

/** Subjects of these kinds. */
export type Of<Kind extends SubjectKind> = Extract<QuestionSubject, { kind: Kind }>;

/**
 * Returns the question on top: the last question that was asked and is undecided. A task's question is on top only for words
 * that the host gave to it, because the caller had heard part of it.
 */
export function questionOnTop(
  draft: Draft,
  node: GraphNode,
  { answersTask }: Pick<UserTurn, 'answersTask'> = {},
): QuestionSubject {
  const { state } = draft;
  const ofTask = answersTask === true ? openTaskQuestion(state) : null;
  if (ofTask !== null) return { kind: 'choice', asked: ofTask };
  if (state.position.generator !== null) {
    const asked = generatorQuestion(draft);
    // A yes to the model's question does not consent to a generator's question.
    if (asked !== null)
      return state.dialogue.modelAsked && asked.isConsent === true ? { kind: 'model' } : { kind: 'value', asked };
    return { kind: isWaitingIn(draft, node) ? 'elsewhere' : 'none' };
  }
  const wait = openConfirmation(draft);
  if (wait !== undefined && !isUnheard(state, wait.key))
    return state.dialogue.modelAsked ? { kind: 'model' } : askedBy(wait);
  if (isWaitingIn(draft, node)) return { kind: 'elsewhere' };
  if (state.dialogue.modelAsked) return { kind: 'model' };
  const slot = slotAsked(draft, node);
  if (slot !== null) return { kind: 'slot', slot };
  return asksByLine(node) && node.task === null ? { kind: 'line', node: node.id } : { kind: 'none' };
}

function askedBy(wait: Confirmation): QuestionSubject {
  const { subject } = wait.payload;
  return subject.kind === 'slot'
    ? { kind: 'read_back', wait, about: subject }
    : { kind: 'consent', wait, about: subject };
}

/** Returns the slot whose question was asked and is still open. */
function slotAsked({ graph, state }: Draft, node: GraphNode): GraphSlot | null {
  // A catalog node has asked again for a value that a no cleared.
  if (node.task !== null) return graph.slots.get(state.turn.words?.asked ?? '') ?? null;
  const need = nextNeed(graph, state, node);
  const isPut =
    need !== null && need.known === null && state.dialogue.asked === questionId(state, `slot:${need.slot.name}`);
  return isPut && !isUnheard(state, state.dialogue.asked ?? '') ? need.slot : null;
}
