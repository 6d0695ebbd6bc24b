import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { InboxEntry, OutsideSignal } from '../../src/model/inbox.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { until } from '../livekit/until.ts';

const leave = { name: 'leave', transitionTo: 'bye' };
const flow: ConversationFlow = {
  initialNode: 'talk',
  nodes: {
    talk: { say: 'Hello.', taskMessages: [{ role: 'system', content: 'Talk.' }], functions: [leave] },
    news: { say: 'There is news.', taskMessages: [{ role: 'system', content: 'Talk.' }], functions: [leave] },
    bye: { say: 'Goodbye.', end: 'done' },
  },
};

/** A running conversation with its heard lines. */
async function talking() {
  const clock = createVirtualClock();
  const store = createMemoryStore({ clock });
  const heard: string[] = [];
  const model = new ScriptedModel(({ userText }) => ({ text: `You said ${userText}.` }));
  const session = createTextSession(model);
  const runner = createRunner({ session, flow, store, sessionId: 's', clock, timeZone: 'UTC' });
  runner.onSpeech((text) => heard.push(text));
  await runner.start();
  await runner.idle();
  const post = (key: string, signal: OutsideSignal, dueAt = clock.now()): Promise<readonly string[]> => {
    const entry: InboxEntry = {
      key,
      sessionId: 's',
      dueAt,
      signal,
      reach: 'wait',
      correlation: {},
      actor: { id: 'ann' },
    };
    return store.inbox.post([entry]);
  };
  return { clock, store, runner, heard, post };
}

test('a live session takes posted entries once, between turns, and says what follows', async () => {
  const { store, runner, heard, post } = await talking();
  await post('n1', { type: 'node:requested', to: 'news' });
  await until(() => heard.includes('There is news.'), 'the node that was asked for to be heard');
  expect(await store.inbox.list({ limit: 9 })).toEqual([]);
  expect(await post('n1', { type: 'node:requested', to: 'talk' })).toEqual(['duplicate']);

  // Words by message are a turn of the flow and reach the hooks and the model like any other.
  await post('m1', { type: 'user:turn', eventId: 'sms1', text: 'good day', via: 'message' });
  await until(() => heard.includes('You said good day.'), 'the answer to the message to be heard');
  expect(await store.inbox.isConsumed('m1')).toBe(true);
  const turns = (await store.steps.list('s')).map(({ signal }) => signal).filter(({ type }) => type === 'user:turn');
  expect(turns).toMatchObject([{ eventId: 'sms1', via: 'message', actor: { id: 'ann' } }]);
  await runner.stop();
});

test('an entry for later is taken when it is due, even if it was posted before the call', async () => {
  const { clock, store, runner, heard, post } = await talking();
  await runner.leave();
  await post('later', { type: 'node:requested', to: 'news' }, clock.now() + 60_000);
  const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })));
  const next = createRunner({ session, flow, store, sessionId: 's', clock, timeZone: 'UTC' });
  next.onSpeech((text) => heard.push(text));
  await next.start();
  await next.idle();
  await clock.advance(59_000);
  expect(heard).not.toContain('There is news.');
  await clock.advance(1_000);
  await until(() => heard.includes('There is news.'), 'the node that was due to be heard');
  await next.stop();
  expect(clock.pending).toBe(0);
});

test('an entry that fits no conversation is a dead letter at once and delays no other entry', async () => {
  const { store, runner, heard, post } = await talking();
  await post('tick', { type: 'schedule:due' });
  await post('n1', { type: 'node:requested', to: 'news' });
  await until(() => heard.includes('There is news.'), 'the entry behind it to be taken');
  expect(await store.inbox.list({ limit: 9 })).toMatchObject([
    { entry: { key: 'tick' }, state: 'dead', reason: 'not-for-a-conversation' },
  ]);
  await runner.stop();
});
