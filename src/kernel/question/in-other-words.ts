import { fillLine, lineInTurn } from '../../flow/expression/sentences.ts';
import type { Draft } from '../state/draft.ts';
import { shortQuestion } from './short-question.ts';

/** Returns a question, with a lead-in if it was the agent's last line. */
export function inOtherWords({ graph, state }: Draft, question: string): string {
  // After an interruption of the session the open question is asked anew, without a lead-in.
  const { put, said, saidBefore } = state.dialogue;
  // A question of which nothing was heard is asked as if for the first time.
  const isUnheard = put?.heard === 'unheard' && put.text.endsWith(question);
  const isNew = isUnheard || said.text === graph.speech.lines.recap[0] || !saidBefore.text.endsWith(question);
  return isNew ? question : fillLine(lineInTurn(graph.speech.lines.putAgain, state.turn.number), { question });
}

/** Returns the question of a line that the flow returns to. The full line is used unless it was the last thing asked. */
export function askedBack(draft: Draft, line: string): string {
  const short = shortQuestion(draft, line);
  const again = inOtherWords(draft, short);
  return again === short ? line : again;
}
