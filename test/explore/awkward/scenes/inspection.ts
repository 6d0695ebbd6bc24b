import type { ConversationFlow } from '../../../../src/flow/document/document.ts';
import { said, tells } from '../../talk/said.ts';
import type { Phrases } from '../phrases.ts';
import type { Scene } from '../scene.ts';
import { agrees, done, readsBack } from './scene-answers.ts';

/** The lines of the flow in one language. */
export interface InspectionWords {
  readonly language: string;
  readonly asks: Readonly<Record<'full_name' | 'phone' | 'day' | 'note', string>>;
  readonly readback: string;
  readonly confirm: string;
  readonly end: string;
  readonly change: string;
  readonly goodbyes: Readonly<Record<'booked' | 'left' | 'desk', string>>;
}

function inspectionFlow({
  language,
  asks,
  readback,
  confirm,
  end: last,
  change,
  goodbyes,
}: InspectionWords): ConversationFlow {
  return {
    name: `inspection-${language}`,
    language,
    initialNode: 'details',
    onTrouble: 'desk',
    slots: {
      full_name: { type: 'name', ask: asks.full_name, confirm: 'readback', confirmText: readback },
      phone: {
        type: 'phone',
        region: language === 'en' ? 'US' : language.toUpperCase(),
        ask: asks.phone,
        confirm: 'readback',
        confirmText: readback,
      },
      day: { type: 'date', after: 'today', ask: asks.day },
      note: { type: 'text', optional: true, ask: asks.note },
    },
    nodes: {
      details: { collect: ['full_name', 'phone', 'day', 'note'], defaultTransition: 'book' },
      book: {
        call: 'book',
        functions: [
          {
            name: 'book',
            description: 'Book the inspector.',
            effect: 'write',
            parameters: {
              type: 'object',
              properties: {
                full_name: { type: 'string' },
                phone: { type: 'string', format: 'phone' },
                day: { type: 'string', format: 'date' },
              },
              required: ['full_name', 'phone', 'day'],
            },
            confirm: `${confirm} ${last}`,
            onRefuse: 'change',
            transitionTo: 'booked',
          },
        ],
      },
      change: {
        say: change,
        functions: [
          { name: 'go_on', description: 'The caller has told what to change.', transitionTo: 'book' },
          { name: 'leave', description: 'The caller wants nothing any more.', transitionTo: 'left' },
        ],
      },
      booked: { say: goodbyes.booked, end: 'booked' },
      left: { say: goodbyes.left, end: 'left' },
      desk: { say: goodbyes.desk, end: 'desk' },
    },
  };
}

export function inspection(
  name: string,
  words: InspectionWords,
  phrases: Phrases,
  values: Scene['values'],
  asked: {
    readonly name: RegExp;
    readonly phone: RegExp;
    readonly day: RegExp;
    readonly note: RegExp;
    readonly right: RegExp;
    readonly book: RegExp;
    readonly change: RegExp;
    readonly nothing: string;
    readonly question: string;
  },
): Scene {
  return {
    name,
    source: inspectionFlow(words),
    phrases,
    tools: done(['book']),
    values,
    answers: [
      agrees(asked.book, ['phone', 'day'], phrases),
      readsBack(
        asked.right,
        { full_name: values['full_name']!, phone: values['phone']!, day: values['day']! },
        phrases,
      ),
      tells(asked.name, 'full_name'),
      tells(asked.phone, 'phone'),
      tells(asked.day, 'day'),
      (question) => (asked.note.test(question) ? said(asked.nothing, { wants: 'refuse' }) : null),
      (question, _heard, { day }) =>
        asked.change.test(question) && day !== undefined
          ? said(`${day.words}.`, { slots: { day: day.value }, wants: 'go_on' })
          : null,
    ],
    question: asked.question,
    decides: [],
  };
}
