import type { GraphNode, GraphSlot } from '../graph/graph.ts';
import { lastQuestionOf } from '../language/lines.ts';
import type { Draft } from './draft.ts';
import { openQuestion as generatorQuestion } from './generator-frame.ts';
import { questionId, speakHere } from './names.ts';
import { nextNeed } from './slots.ts';
import { openConfirmation } from './waits.ts';

/** What the caller is to answer now. */
export interface OpenQuestion {
  /** Tells it from every other question of the session, and the same again when it is put again. */
  readonly id: string;
  /** Under which name its attempts are counted besides the node's: the slot's; null for any other question. */
  readonly slot: GraphSlot | null;
  /** Answered by yes or no. */
  readonly isYesOrNo: boolean;
  /** Its words; empty where the model asks in words of its own. */
  readonly text: string;
  /** Its shortest form: the last sentence of `text` that asks, else all of it. */
  readonly short: string;
}

/** The question that is open in a node. A node without one (it waits in silence, or the model talks) has no words. */
export function openQuestionIn(draft: Draft, node: GraphNode): OpenQuestion {
  const { graph, state } = draft;
  const wait = openConfirmation(draft);
  if (wait !== undefined) {
    const { subject, say } = wait.payload;
    const isSlot = subject.kind === 'slot';
    const id = isSlot ? `readback:${subject.slot}` : `confirm:${subject.call.name}`;
    return question(draft, id, say, isSlot ? (graph.slots.get(subject.slot) ?? null) : null, true);
  }
  const asked = generatorQuestion(draft);
  if (asked !== null) return question(draft, `ask:${asked.key}`, asked.text, null, false);
  const need = nextNeed(graph, state, node);
  if (need !== null) {
    const { slot } = need;
    const text = slot.ask === null ? '' : speakHere(draft, slot.ask);
    return question(draft, `slot:${slot.name}`, text, slot, slot.type === 'boolean');
  }
  const line = node.say === null ? '' : speakHere(draft, node.say);
  return question(draft, `node:${node.id}`, lastQuestionOf(line), null, false);
}

function question(
  { state }: Draft,
  name: string,
  text: string,
  slot: GraphSlot | null,
  isYesOrNo: boolean,
): OpenQuestion {
  const short = lastQuestionOf(text);
  return { id: questionId(state, name), slot, isYesOrNo, text, short: short === '' ? text : short };
}
