import type { LanguageChanged } from '../../model/signals/signal.ts';
import { readBackQuestion } from '../answer.ts';
import { changeEffect, type Draft, emit } from './draft.ts';
import { nodeOf } from '../move/offers.ts';
import { callersQuestion } from '../wait/outside-waits.ts';
import { confirmQuestion, openConfirmation } from '../wait/waits.ts';

/**
 * Changes the language of the conversation, for speech, reading and the model. An open question stays open in the new
 * language. The draft already contains the flow in that language.
 */
export function changeLanguage(draft: Draft, { to, by, type }: LanguageChanged): void {
  const { graph, state } = draft;
  if (graph.languages?.includes(to) === false) {
    emit(draft, { type: 'signal:ignored', data: { signal: type, reason: 'unlisted-language' } });
    return;
  }
  if (state.dialogue.language === to) return;
  state.dialogue.language = to;
  emit(draft, { type: 'language:changed', data: { to, by } });
  const wait = openConfirmation(draft);
  if (wait === undefined) return;
  const { put: _put, ...payload } = wait.payload;
  const { subject } = payload;
  const slot = subject.kind === 'slot' ? graph.slots.get(subject.slot) : undefined;
  if (subject.kind === 'call')
    changeEffect(draft, { ...wait, payload: { ...payload, say: confirmQuestion(draft, subject.call) } });
  else if (subject.kind === 'node') {
    const node = nodeOf(graph, state, subject.node);
    const say = node === null ? null : callersQuestion(draft, node);
    if (say !== null) changeEffect(draft, { ...wait, payload: { ...payload, say } });
  } else if (slot !== undefined)
    changeEffect(draft, { ...wait, payload: { ...payload, say: readBackQuestion(draft, slot, subject.value) } });
}
