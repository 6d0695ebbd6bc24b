import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { createGate } from './gate.ts';
import { live } from './live.ts';

type Gate = ReturnType<typeof createGate>;

const flow: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'Hello.',
      taskMessages: [{ role: 'system', content: 'Book it.' }],
      functions: [{ name: 'book', description: 'Book it.', effect: 'write', timeoutMs: 60_000, transitionTo: 'done' }],
    },
    done: { say: 'It is booked.', end: true },
  },
};

const bookBy = (begun: Gate, end: Gate) =>
  flowTool({
    name: 'book',
    description: 'Book it.',
    parameters: z.object({}),
    async execute() {
      begun.open();
      await end.opened;
    },
  });

/** A call whose model has called a function that runs until the test ends it. */
async function calling(words: string, given: Partial<ConversationFlow> = {}) {
  const begun = createGate();
  const end = createGate();
  const clock = createVirtualClock();
  const script = { desk: [{ when: 'book', text: words, calls: [{ name: 'book' }] }] };
  const call = await live({ ...flow, ...given }, script, { tools: [bookBy(begun, end)], clock });
  const sent = call.runner.send('book it, please');
  onTestFinished(() => end.open());
  await begun.opened;
  await clock.runUntil(() => clock.pending > 0, 10);
  return { ...call, clock, sent, end };
}

it.each([
  ['in English', {}, 'One moment, please.'],
  ['in the language of the conversation', { language: 'de' as const }, 'Einen Moment, bitte.'],
])('a caller hears, once, that a function works long which the model has called: %s', async (_what, given, moment) => {
  const { clock, heard, end, runner, sent } = await calling('', given);
  await clock.advance(3_900);
  expect(heard).toEqual(['Hello.']);
  await clock.advance(30_000);
  expect(heard).toEqual(['Hello.', moment]);
  end.open();
  await clock.advance(1_000);
  await sent;
  await runner.ended;
  expect(heard).toEqual(['Hello.', moment, 'It is booked.']);
});

it('the model’s words with a long call are sent at once and replace the waiting line', async () => {
  const { clock, heard, end, runner, sent } = await calling('Let me do that.');
  await clock.advance(9_000);
  expect(heard).toEqual(['Hello.', 'Let me do that.']);
  end.open();
  await clock.advance(1_000);
  await sent;
  await runner.ended;
  expect(heard).toEqual(['Hello.', 'Let me do that.', 'It is booked.']);
});
