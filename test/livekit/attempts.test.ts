import { expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { Clock } from '../../src/model/ports/time.ts';
import { createRunner } from '../../src/runner/flow-runner.ts';
import { systemClock } from '../../src/system.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';
import { mortal } from '../durable/crash/mortal.ts';
import { live } from './live.ts';

const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: [{ role: 'system', content: 'Help.' }],
      functions: [
        { name: 'book', effect: 'write', description: 'Books.', retry: { maxAttempts: 2 }, transitionTo: 'booked' },
      ],
    },
    booked: { say: 'Booked.', end: 'booked' },
  },
};

it('the resuming process continues to count the attempts of a write', async () => {
  let now = systemClock.now();
  const clock: Clock = { now: () => now, schedule: (delayMs, task) => systemClock.schedule(delayMs, task) };
  const store = createMemoryStore({ clock });
  const { store: dying, die } = mortal(store, null, () => undefined);
  const attempts: string[] = [];
  let isStuck = (): void => undefined;
  const stuck = new Promise<void>((resolve) => (isStuck = resolve));
  const book = (execute: (attempt: number) => unknown) =>
    flowTool({
      name: 'book',
      description: 'Books.',
      effect: 'write',
      execute(_input, { attempt, key }) {
        attempts.push(`${attempt} of ${key}`);
        return execute(attempt);
      },
    });
  const script = () => ({ calls: [{ name: 'book' }] });
  // Called twice; the process dies in the second attempt.
  const busy = book((attempt) => {
    if (attempt === 1) throw new Error('The line is busy.');
    isStuck();
    return die();
  });
  const session = createTextSession(new ScriptedModel(script));
  const first = createRunner({ session, flow: desk, store: dying, sessionId: 'one', clock, tools: [busy] });
  await first.start();
  void first.send('book it').catch(() => undefined);
  await stuck;
  now += 60_000;
  const second = await live(desk, script, { store, sessionId: 'one', clock, tools: [book(() => 'ok')] });
  await second.hasHeard(1);
  const key = attempts[0]?.split(' ').at(-1) ?? '';
  expect(attempts).toEqual([1, 2, 3].map((attempt) => `${attempt} of ${key}`));
  expect(second.path).toEqual(['desk -> booked']);
});
