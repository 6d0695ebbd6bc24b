import { lineInTurn } from '../expression/sentences.ts';
import { type Draft, intend, settle, tell } from './draft.ts';
import { ask, openQuestion } from './generator-frame.ts';
import { openConfirmation, openWait } from './waits.ts';

/**
 * The caller asks for the agent's last words once more, or for time: neither answers anything, so what is open stays
 * open. False where nothing was said yet that could be said again.
 */
export function takeRequest(draft: Draft, request: 'repeat' | 'time'): boolean {
  const { state } = draft;
  if (state.status !== 'active') return false;
  const { text } = state.saidBefore;
  if (request === 'repeat' && text === '') return false;
  tell(draft, { type: 'turn:asked', data: { for: request === 'time' ? 'patience' : 'repeat' } });
  if (request === 'time') {
    const wording = lineInTurn(draft.graph.speech.lines.takeYourTime, state.turn);
    intend(draft, { kind: 'say', payload: { text: wording, reason: 'aside' } });
    // Whoever asks for the last words then means the question, and not these.
    state.said = state.saidBefore;
    state.patience = true;
    return true;
  }
  const question = openQuestion(draft);
  const wait = openConfirmation(draft);
  // The repeated words are a question of the model: a yes to it does not answer the generator.
  if (question !== null && !state.modelAsked) ask(draft, question, text);
  else if (wait?.state === 'failed') {
    settle(draft, wait, 'cancelled');
    openWait(draft, wait.payload.say, wait.payload.subject);
  } else intend(draft, { kind: 'say', payload: { text, reason: 'repeat' } });
  return true;
}
