import { lineInTurn } from '../flow/expression/sentences.ts';
import { type Draft, intend, isUnheard, settle, emit } from './state/draft.ts';
import { ask, openQuestion } from './generator/frame.ts';
import { lineAgain } from './question/line-again.ts';
import { openConfirmation, openWait } from './wait/waits.ts';

/**
 * Repeats the agent's last words or grants time, on the caller's request. The open question stays open. Returns false
 * if there are no earlier words to repeat.
 */
export function takeRequest(draft: Draft, request: 'repeat' | 'time'): boolean {
  const { state } = draft;
  if (state.status !== 'active') return false;
  if (request === 'repeat' && state.dialogue.saidBefore.text === '') return false;
  emit(draft, { type: 'turn:asked', data: { for: request === 'time' ? 'patience' : 'repeat' } });
  if (request === 'time') {
    const wording = lineInTurn(draft.graph.speech.lines.takeYourTime, state.turn.number);
    intend(draft, { kind: 'say', payload: { text: wording, reason: 'aside' } });
    // A later request to repeat means the question, not this line.
    state.dialogue.said = state.dialogue.saidBefore;
    state.dialogue.patience = true;
    return true;
  }
  const text = lineAgain(draft);
  const question = openQuestion(draft);
  const wait = openConfirmation(draft);
  // The repeated words are the model's question: a yes to it does not answer the generator.
  if (question !== null && !state.dialogue.modelAsked) ask(draft, question, text);
  else if (wait !== undefined && isUnheard(state, wait.key)) {
    settle(draft, wait, 'cancelled');
    openWait(draft, wait.payload.say, wait.payload.subject);
  } else intend(draft, { kind: 'say', payload: { text, reason: 'repeat' } });
  return true;
}
