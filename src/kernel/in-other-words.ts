import { fillLine, lineInTurn } from '../expression/sentences.ts';
import type { Draft } from './draft.ts';
import { shortQuestion } from './short-question.ts';

/** A question as it stands, unless it was the last thing that the agent said: then with a lead-in. */
export function inOtherWords({ graph, state }: Draft, question: string): string {
  // After a gap it is the question that was open before it, and no repetition.
  const isNew = state.said.text === graph.speech.lines.recap[0] || !state.saidBefore.text.endsWith(question);
  return isNew ? question : fillLine(lineInTurn(graph.speech.lines.putAgain, state.turn), { question });
}

/** The question of a line that is come back to: with what leads to it only where it was not the last thing asked. */
export function askedBack(draft: Draft, line: string): string {
  const short = shortQuestion(draft, line);
  const again = inOtherWords(draft, short);
  return again === short ? line : again;
}
