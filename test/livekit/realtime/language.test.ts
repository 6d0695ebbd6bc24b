import { asLanguageCode, voice } from '@livekit/agents';
import { expect, it } from 'vitest';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { until } from '../until.ts';
import { realtimeCall } from './rig.ts';

const inTwo = {
  language: 'en',
  languages: ['en', 'es'],
  initialNode: 'details',
  slots: { guests: { type: 'integer', ask: { en: 'For how many?', es: '¿Cuántos son?' } } },
  nodes: {
    details: { collect: ['guests'], defaultTransition: 'done' },
    done: { say: { en: 'Goodbye.', es: 'Adiós.' }, end: 'done' },
  },
} satisfies ConversationFlow;

it('a recogniser beside a realtime model reports the caller’s language before their words are read', async () => {
  const { model, session, runner, heard } = await realtimeCall(inTwo, () => ({ text: '' }));
  const changes: string[] = [];
  runner.on('language:changed', ({ data }) => void changes.push(`${data.to} by ${data.by}`));
  await until(() => heard.length > 0, 'the question');
  const says = 'no sé todavía';
  const heardBeside = voice.createUserInputTranscribedEvent({
    transcript: says,
    isFinal: true,
    language: asLanguageCode('es'),
  });
  session.emit(voice.AgentSessionEventTypes.UserInputTranscribed, heardBeside);
  model.last.callerSays(says);
  await until(() => heard.length > 1, 'the question in Spanish');
  expect(changes).toEqual(['es by recogniser']);
  expect(heard.at(-1)).toContain('¿Cuántos son?');
  model.last.callerSays('somos cuatro');
  expect(await runner.ended).toBe('done');
  expect(runner.state.knowledge.slots['guests']?.value).toBe(4);
  expect(heard.at(-1)).toBe('Adiós.');
});
