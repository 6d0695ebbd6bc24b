import type { Json } from '../../model/json.ts';
import type { SpeechSettled, UserTurn } from '../../model/signals/signal.ts';
import { scalarText } from '../../flow/expression/same-value.ts';
import { confirmationIn, type Draft, openEffect, turnOf } from '../state/draft.ts';
import { sayValue } from '../state/names.ts';
import { openTaskQuestion } from '../wait/task-question.ts';
import { valuesOf } from '../wait/waits.ts';
import { namedIn } from './choice.ts';
import { heardOf, isHeardEnough } from './question-line.ts';

/** Records how much of the line with the open question was played, once it has ended. Other lines have no effect. */
export function recordHeard(draft: Draft, { key, text, heard }: Pick<SpeechSettled, 'key' | 'text' | 'heard'>): void {
  const { state } = draft;
  const { put } = state.dialogue;
  if (put?.key !== key || state.status !== 'active') return;
  if (openEffect(state, key) === undefined && openTaskQuestion(state)?.line.key !== key) return;
  state.dialogue.put = { ...put, ...heardOf(text, heard, () => valuesNamed(draft, text)) };
}

/**
 * Records how much of the question had played when the caller began to speak. If a part of it was played meanwhile, it is
 * partly heard: it was asked.
 */
export function recordHeardBefore(draft: Draft, { heard = [] }: Pick<UserTurn, 'heard'>): void {
  const { put } = draft.state.dialogue;
  const line = heard.find(({ key }) => key === put?.key);
  if (put === null || line === undefined) return;
  const { text } = line;
  const told = text === null ? ({ heard: 'unknown', isOver: false } as const) : undefined;
  const before = told ?? heardOf(put.text, text ?? '', () => valuesNamed(draft, put.text));
  const isPlayed = put.heard === 'heard' || put.heard === 'partly';
  const heardNow = before.heard === 'unheard' && isPlayed ? 'partly' : before.heard;
  draft.state.dialogue.put = { ...put, ...before, heard: heardNow };
}

/**
 * Checks whether a yes can answer the open question: the last line contained the whole question, and every value in it
 * was played. A weak yes after another agent line only shows that the caller listens.
 */
export function isOpenToYes({ state }: Draft, strength: 'plain' | 'weak'): boolean {
  const { put } = state.dialogue;
  const question = confirmationIn(state)?.payload.say ?? '';
  if (put === null || !put.text.includes(question) || !isHeardEnough(put, strength)) return false;
  return strength === 'plain' || turnOf(put.key, state) >= state.turn.number - 1;
}

/** Returns the known values in a line, in their spoken form. */
function valuesNamed(draft: Draft, text: string): readonly string[] {
  const { graph, state } = draft;
  const asked = openTaskQuestion(state);
  if (asked !== null) return namedIn(asked, text);
  const subject = confirmationIn(state)?.payload.subject;
  const known: [string, Json][] = [
    ...Object.entries(state.knowledge.slots).map(([name, { value }]): [string, Json] => [name, value]),
    ...(subject?.kind === 'call' ? Object.entries(valuesOf(subject.call)) : []),
    ...(subject?.kind === 'slot' ? [[subject.slot, subject.value] as [string, Json]] : []),
    ...Object.entries({ ...state.knowledge.outputs, ...state.knowledge.variables }),
  ];
  return known.flatMap(([name, value]) => {
    const slot = graph.slots.get(name);
    const said = slot === undefined ? (scalarText(value) ?? '') : sayValue(draft, slot, value);
    return said !== '' && text.includes(said) ? [said] : [];
  });
}
