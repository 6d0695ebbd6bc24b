import { wrappedStore } from '../durable/wrapped-store.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createTextSession, type TextSink } from '../../src/livekit/agent/text-session.ts';
import type { OutgoingCall } from '../../src/people/calls/call-out.ts';
import type { Store } from '../../src/model/ports/store.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createVirtualClock, type VirtualClock } from '../../src/testing/virtual-clock.ts';
import { until } from '../livekit/until.ts';
import { clerkOf, decideFirst } from './clerk-of.ts';

/** Longer than a lease. */
const gapMs = 61_000;

/** A refund. After its result the caller may ask for more, or the call ends. */
const flow = (isLast: boolean): ConversationFlow => ({
  initialNode: 'approve',
  slots: { more: { type: 'boolean', ask: 'Is there anything else?' } },
  nodes: {
    approve: {
      type: 'interrupt.escalate',
      input: { to: 'refunds', question: 'Refund it?', say: 'One moment.', reach: 'call' },
      defaultTransition: 'done',
    },
    done: { say: 'It is approved.', ...(isLast ? { end: 'refunded' } : { defaultTransition: 'more' }) },
    more: { collect: ['more'], defaultTransition: 'bye' },
    bye: { say: 'Goodbye.', end: 'bye' },
  },
});

/** Processes on one store. The first never finishes speaking from a given line on. */
function desk(isLast: boolean) {
  let clock: VirtualClock = createVirtualClock();
  const time: Clock = { now: () => clock.now(), schedule: (ms, task) => clock.schedule(ms, task) };
  const store = createMemoryStore({ clock: time });
  const placed: OutgoingCall[] = [];
  /** Writes after the death of the process have no effect. */
  const mortal = (isDead: () => boolean): Store =>
    wrappedStore(
      store,
      (_name, method) =>
        (...given) =>
          isDead() ? new Promise(() => undefined) : method(...given),
    );
  return {
    ...{ store, placed, time },
    die: () => void (clock = createVirtualClock(clock.now() + gapMs)),
    advance: async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
    },
    async call(hangsAt: string | null, isDead: () => boolean = () => false) {
      const heard: string[] = [];
      const begun: string[] = [];
      const sink: TextSink = {
        async write(text) {
          begun.push(text);
          if (hangsAt !== null && begun.join('').includes(hangsAt)) await new Promise(() => undefined);
        },
        end: () => undefined,
      };
      const session = createTextSession(new ScriptedModel(() => ({ text: 'Yes.' })), sink);
      const own = mortal(isDead);
      const runner = createRunner({
        session,
        flow: flow(isLast),
        store: own,
        sessionId: 's',
        clock: time,
        timeZone: 'UTC',
      });
      runner.onSpeech((text) => heard.push(text));
      onTestFinished(() => void session.close());
      await runner.start();
      return { runner, heard, begun };
    },
    clerk: () =>
      clerkOf({
        ...{ config: { calls: { attempts: 3, every: '5m' } }, flow: flow(isLast), store, clock: time },
        placeCall: (call) => Promise.resolve(void placed.push(call)),
        onError: () => undefined,
      }),
    async decide() {
      expect(await decideFirst(store, time)).toBe('posted');
    },
  };
}

test.each([true, false])(
  'a caller who loses the connection during the news is called back and hears it (the last words: %s)',
  async (isLast) => {
    const here = desk(isLast);
    let isDead = false;
    const first = await here.call('approved', () => isDead);
    await first.runner.idle();
    await here.decide();
    await until(() => first.begun.join('').includes('approved'), 'the news to be begun');
    isDead = true;
    here.die();
    const clerk = here.clerk();
    await clerk.start();
    await here.advance(65);
    expect(here.placed).toHaveLength(1);
    // Killed again while the called-back caller hears the result.
    let isDeadAgain = false;
    const second = await here.call('approved', () => isDeadAgain);
    await until(() => second.begun.join('').includes('approved'), 'the news to be begun once more');
    isDeadAgain = true;
    here.die();
    const other = here.clerk();
    await other.start();
    await here.advance(310);
    expect(here.placed).toHaveLength(2);
    const third = await here.call(null);
    await third.runner.idle();
    expect(third.heard.join(' ')).toBe('Hello again. It is approved.');
    if (!isLast) {
      await third.runner.send('Thanks.');
      await third.runner.send('No.');
    }
    await third.runner.ended;
    await here.advance(400);
    expect(here.placed).toHaveLength(2);
    expect(await here.store.inbox.list({ limit: 9 })).toEqual([]);
    await other.stop();
  },
);

test('a caller who loses the connection during a scheduled turn is called back if the turn asks for a call', async () => {
  const here = desk(false);
  let isDead = false;
  const { runner, begun } = await here.call('Yes.', () => isDead);
  await runner.idle();
  const signal = { type: 'user:turn', eventId: 'run', text: 'How is it going?', via: 'scheduled' } as const;
  const rest = { dueAt: here.time.now(), reach: 'call', correlation: { scheduleId: 'daily' }, actor: null } as const;
  await here.store.inbox.post([{ key: 'run', sessionId: 's', signal, ...rest }]);
  await until(() => begun.join('').includes('Yes.'), 'the answer to be begun');
  isDead = true;
  here.die();
  const clerk = here.clerk();
  await clerk.start();
  await here.advance(65);
  expect(here.placed).toMatchObject([{ sessionId: 's', correlation: { scheduleId: 'daily' } }]);
  await clerk.stop();
});

test('a caller who has heard the news is not called back, however the call ends', async () => {
  const here = desk(false);
  const { runner, heard } = await here.call(null);
  await runner.idle();
  await here.decide();
  await until(() => heard.join(' ').includes('approved'), 'the news');
  await runner.idle();
  await runner.leave();
  expect(await here.store.inbox.list({ limit: 9 })).toEqual([]);
});
