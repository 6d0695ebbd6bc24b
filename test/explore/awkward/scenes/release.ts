import { said, says } from '../../talk/said.ts';
import type { Phrases } from '../phrases.ts';
import type { Scene } from '../scene.ts';
import { done } from './scene-answers.ts';

/** A person is asked by voice. Their choice decides whether the write happens. */
export function release(name: string, language: 'en' | 'de', phrases: Phrases): Scene {
  const isGerman = language === 'de';
  const prompt = isGerman ? 'Soll ich die Zahlung freigeben?' : 'Shall I release the payment?';
  const yesChoice = isGerman ? 'freigeben' : 'release';
  const noChoice = isGerman ? 'ablehnen' : 'reject';
  return {
    name,
    source: {
      name: `release-${language}`,
      language,
      initialNode: 'ask',
      edges: [{ from: 'ask', to: 'pay', when: { equals: { var: 'ask.response.choice', value: yesChoice } } }],
      nodes: {
        ask: {
          type: 'control.gate',
          input: { prompt, choices: [yesChoice, noChoice] },
          defaultTransition: 'left',
          onError: 'desk',
        },
        pay: {
          call: 'pay',
          functions: [
            {
              name: 'pay',
              description: 'Pay.',
              effect: 'write',
              parameters: { type: 'object', properties: {} },
              transitionTo: 'paid',
            },
          ],
        },
        paid: { say: isGerman ? 'Bezahlt. Auf Wiederhören.' : 'It is paid. Goodbye.', end: 'paid' },
        left: { say: isGerman ? 'Nicht bezahlt. Auf Wiederhören.' : 'It is not paid. Goodbye.', end: 'left' },
        desk: { say: isGerman ? 'Ein Kollege ruft Sie an.' : 'A colleague will call you.', end: 'desk' },
      },
    },
    phrases,
    tools: done(['pay']),
    values: {},
    answers: [
      says(isGerman ? /freigeben/i : /release/i, said(isGerman ? 'Freigeben.' : 'Release it.', { wants: 'agree' })),
    ],
    refusals: isGerman ? ['Nicht freigeben.', 'Bitte nicht freigeben.'] : ['Do not release it.', "Don't release it."],
    question: isGerman ? 'Was kostet das?' : 'How much is it?',
    echo: isGerman ? 'Freigeben.' : 'Release.',
    consents: { pay: [prompt, `${prompt} ${yesChoice}, ${noChoice}?`] },
    decides: [],
  };
}
