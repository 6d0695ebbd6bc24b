import { expect, it } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../../src/flow/document/document.ts';
import { flowTool } from '../../../src/livekit/tools/flow-tool.ts';
import { until } from '../until.ts';
import { voiceCall } from './voice-rig.ts';

const question = 'Shall I book Friday at ten for you?';

const desk: ConversationFlow = {
  initialNode: 'desk',
  nodes: {
    desk: {
      say: 'What can I do?',
      taskMessages: [{ role: 'system', content: 'Book it.' }],
      functions: [{ name: 'book', effect: 'write', confirm: question, transitionTo: 'bye' }],
    },
    bye: { say: 'Booked. Goodbye.', end: 'booked' },
  },
};

/** A call with a confirmation question, of which this many words were played. */
async function asked(words: number) {
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
  const call = await voiceCall(
    desk,
    {
      desk: [
        { when: 'book it', calls: [{ name: 'book' }] },
        { calls: [{ name: 'answer', arguments: { agrees: true } }] },
      ],
    },
    { preemptive: false, tools: [book] },
  );
  await call.hasHeard(1);
  call.speaker.hold();
  const before = call.speaker.words.length;
  await call.caller.says('book it');
  await until(() => call.speaker.isLoaded, 'the question');
  call.speaker.hear(words);
  await until(() => call.speaker.words.length === before + words, 'its words');
  return { ...call, runs: () => runs };
}

it.each(['uh-huh', 'yes'])('"%s" after two words of the question of a write is no consent', async (words) => {
  const { caller, speaker, heard, runs, quiet, hasHeard } = await asked(2);
  await caller.says(words);
  speaker.run();
  await hasHeard(3);
  await quiet();
  expect(runs()).toBe(0);
  // The question is repeated with all its values.
  expect(heard.at(-1)).toContain('book Friday at ten for you?');
  await caller.says('yes');
  await until(() => runs() === 1, 'the write');
});

it('"no" after two words of a write’s question refuses the write', async () => {
  const { caller, speaker, runs, quiet } = await asked(2);
  await caller.says('no');
  speaker.run();
  await quiet();
  expect(runs()).toBe(0);
});
