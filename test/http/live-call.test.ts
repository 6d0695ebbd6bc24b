import { expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { until } from '../livekit/until.ts';
import { ask, jsonOf, openDesk } from './desk.ts';

const flow: ConversationFlow = {
  initialNode: 'details',
  slots: { full_name: { type: 'name', ask: 'What is your name?', pii: true } },
  nodes: {
    details: { collect: ['full_name'], defaultTransition: 'approve' },
    approve: {
      type: 'interrupt.escalate',
      input: {
        to: 'refunds',
        question: 'Refund the order?',
        facts: { order: 'A-17' },
        say: 'Let me check that with my colleague.',
      },
      defaultTransition: 'sorry',
    },
    refunded: {
      say: 'It is approved. Anything else?',
      taskMessages: [{ role: 'system', content: 'Talk.' }],
      functions: [{ name: 'leave', transitionTo: 'bye' }],
    },
    sorry: { say: 'I am sorry.', end: 'refused' },
    bye: { say: 'Goodbye.', end: 'done' },
  },
  edges: [{ from: 'approve', to: 'refunded', when: { equals: { var: 'approve.decision', value: 'approve' } } }],
};

it('a call goes on with what is decided by a link, is taken over and given back over HTTP, and all of it is written down', async () => {
  const desk = await openDesk();
  const { store, clock } = desk;
  const heard: string[] = [];
  const session = createTextSession(new ScriptedModel(({ userText }) => ({ text: `You said ${userText}.` })));
  const runner = createRunner({ session, flow, store, sessionId: 's', clock, timeZone: 'UTC' });
  runner.onSpeech((text) => heard.push(text));
  await runner.start();
  await runner.idle();
  await runner.send('Maria Delgado');
  expect(heard.at(-1)).toMatch(/Let me check that with my colleague\.$/);
  const shown = await ask(desk, 'GET', '/sessions/s');
  expect(jsonOf(shown)).toMatchObject({
    stand: expect.stringMatching(/@ approve$/),
    values: ['full_name = "[personal]"'],
  });
  expect(shown.text).not.toMatch(/Maria|Delgado/);

  const { waits } = jsonOf(await ask(desk, 'GET', '/waits')) as { waits: { key: string }[] };
  expect(waits).toMatchObject([{ sessionId: 's', to: 'refunds', facts: { order: 'A-17' }, isOpen: true }]);
  const key = waits[0]?.key ?? '';
  const made = await ask(desk, 'POST', `/waits/${encodeURIComponent(key)}/link`, { json: {} });
  const { pathname } = new URL((jsonOf(made) as { url: string }).url);
  const page = await ask(desk, 'GET', pathname, { bearer: null });
  const [, factsHash = ''] = /name="factsHash" value="(\w+)"/.exec(page.text) ?? [];
  const form = { decision: 'approve', factsHash };
  expect((await ask(desk, 'POST', pathname, { bearer: null, form })).status).toBe(200);
  await until(() => heard.includes('It is approved. Anything else?'), 'the decision to be heard');
  // The wait is over now: the same form gets the same answer, and the page shows the outcome.
  expect((await ask(desk, 'POST', pathname, { bearer: null, form })).status).toBe(200);
  expect((await ask(desk, 'GET', pathname, { bearer: null })).text).toContain('It was decided already.');

  const post = async (path: string, json: unknown) => (await ask(desk, 'POST', `/sessions/s/${path}`, { json })).status;
  expect(await post('takeover', { do: 'start' })).toBe(202);
  expect(await post('takeover', { do: 'say', text: 'This is Ada from the desk.' })).toBe(202);
  await until(() => heard.includes('This is Ada from the desk.'), 'the words of the person to be heard');
  expect(await post('takeover', { do: 'end' })).toBe(202);
  expect(await post('proxy', { text: 'good day' })).toBe(202);
  await until(
    () => heard.some((line) => line.startsWith('You said good day.')),
    'the words in the stead of the caller',
  );
  await runner.stop();
  expect(
    (await store.audit.list({ sessionId: 's', limit: 99 })).map(({ action, actor }) => [action, actor?.id]),
  ).toEqual([
    ['wait:link', 'ada'],
    ['wait:resolve', 'refunds'],
    ['takeover:start', 'ada'],
    ['takeover:say', 'ada'],
    ['takeover:end', 'ada'],
    ['proxy:say', 'ada'],
  ]);
  expect(await store.inbox.list({ limit: 9 })).toEqual([]);
});
