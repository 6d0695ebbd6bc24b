import { readBack } from './answer.ts';
import { type Draft, tell, trialOf } from './draft.ts';
import { inOtherWords } from './in-other-words.ts';
import { unreadBefore } from './unread.ts';
import { confirmText, openConfirmation, openWait } from './waits.ts';

/**
 * Asks for the yes that the next waiting call needs; before it for a value on which the call depends, that is to be read back
 * and that the question does not say. Returns whether a question is open now.
 */
export function askNextConfirmation(draft: Draft): boolean {
  const { state } = draft;
  if (openConfirmation(draft) !== undefined) return true;
  const [call, ...later] = state.confirmations;
  if (call === undefined) return false;
  // How often a text was put does not count for one that is not put yet.
  const tried = confirmText(trialOf(draft), call).text;
  const unread = unreadBefore(draft, call, tried);
  if (unread !== null) {
    readBack(draft, unread.slot, unread.value);
    return true;
  }
  state.confirmations = later;
  const { text: question, replaced } = confirmText(draft, call);
  if (replaced !== undefined) tell(draft, { type: 'confirm:replaced', data: replaced });
  openWait(draft, question, { kind: 'call', call }, inOtherWords(draft, question));
  return true;
}
