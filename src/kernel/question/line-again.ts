import { fillLine } from '../../flow/expression/sentences.ts';
import type { LineName } from '../../model/ports/reader.ts';
import { nodeOf } from '../move/offers.ts';
import type { Draft } from '../state/draft.ts';
import { openQuestionIn } from './open-question.ts';

/**
 * Returns the agent's last words for a caller who asks for them again. If they end with the short form of the open
 * question, its whole text follows instead. A built-in apology before the question is left out.
 */
export function lineAgain(draft: Draft): string {
  const { graph, state } = draft;
  const { text } = state.dialogue.saidBefore;
  const node = nodeOf(graph, state, state.position.node);
  if (node === null || text === '') return text;
  const question = openQuestionIn(draft, node);
  const isLed = leads.some((name) =>
    graph.speech.lines[name].some((line) =>
      [question.short, question.text].some((each) => each !== '' && fillLine(line, { question: each }) === text),
    ),
  );
  if (isLed) return question.text;
  if (question.short === '' || text.includes(question.text) || !text.endsWith(question.short)) return text;
  return text.slice(0, -question.short.length) + question.text;
}

/** Built-in lines that only lead to the open question. */
const leads: readonly LineName[] = ['againQuestion', 'putAgain', 'neededAnyway', 'stillThere', 'yesOrNo'];
