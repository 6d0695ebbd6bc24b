import { readBack } from '../answer.ts';
import { type Draft, emit, trialOf } from '../state/draft.ts';
import { inOtherWords } from './in-other-words.ts';
import { unreadBefore } from './unconfirmed-values.ts';
import { confirmText, openConfirmation, openWait } from '../wait/waits.ts';

/**
 * Asks for the yes of the next waiting call. First reads back values that the call depends on and its question does not
 * name. Returns whether a question is open now.
 */
export function askNextConfirmation(draft: Draft): boolean {
  const { state } = draft;
  if (openConfirmation(draft) !== undefined) return true;
  const [call, ...later] = state.dialogue.confirmations;
  if (call === undefined) return false;
  // A trial, so the rotation of wordings does not advance for a text that is not spoken.
  const tried = confirmText(trialOf(draft), call).text;
  const unread = unreadBefore(draft, call, tried);
  if (unread !== null) {
    readBack(draft, unread.slot, unread.value);
    return true;
  }
  state.dialogue.confirmations = later;
  const { text: question, replaced } = confirmText(draft, call);
  if (replaced !== undefined) emit(draft, { type: 'confirm:replaced', data: replaced });
  openWait(draft, question, { kind: 'call', call }, inOtherWords(draft, question));
  return true;
}
