import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import type { RealtimeScript } from './fake-model.ts';
import { realtimeCall } from './rig.ts';

const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'What can I do?',
      taskMessages: [{ role: 'system', content: 'Book it.' }],
      functions: [{ name: 'book', effect: 'write', confirm: 'Shall I book it?', transitionTo: 'bye' }],
    },
    bye: { say: 'Booked.', end: 'booked' },
  },
};

test('with a realtime model without transcripts, a spoken consent does not count', async () => {
  let runs = 0;
  const book = flowTool({
    name: 'book',
    description: 'Books.',
    parameters: z.object({}),
    execute: () => {
      runs += 1;
      return Promise.resolve('done');
    },
  });
  const script: RealtimeScript = ({ tools, items }) =>
    !(items.at(-1) ?? '').startsWith('user:')
      ? { text: 'Well.' }
      : tools.includes('answer')
        ? { calls: [{ name: 'answer', args: { agrees: true } }] }
        : { calls: [{ name: 'book' }] };
  const call = await realtimeCall(desk, script, { userTranscription: false }, { tools: [book] });
  const { model, hasHeard, heard, runner } = call;
  await hasHeard(1);
  model.last.callerIsHeard('book it');
  await hasHeard(2);
  expect(heard.at(-1)).toBe('Shall I book it?');
  model.last.callerIsHeard('yes');
  await hasHeard(3);
  await runner.idle();
  expect(runs).toBe(0);
  expect(heard.at(-1)).toContain('Shall I book it?');
  await runner.send('yes');
  expect(runs).toBe(1);
});
