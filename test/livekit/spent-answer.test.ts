import { expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { talk } from '../offline/brain/talk.ts';

const flow: ConversationFlow = {
  initialNode: 'form',
  slots: {
    who: { type: 'name', ask: 'May I have your name?', confirm: 'readback' },
    newsletter: { type: 'boolean', description: 'Whether the caller wants our newsletter.' },
  },
  nodes: {
    form: { collect: ['who', 'newsletter'], defaultTransition: 'bye' },
    bye: { say: 'Goodbye.', end: true },
  },
};

test('the yes to a read-back does not answer the question after it', async () => {
  const { runner, say } = await talk({ flow });
  expect(await say('Maria Delgado')).toContain('Maria Delgado, is that right?');
  expect(await say('yes')).toContain('newsletter');
  expect(Object.keys(runner.state.knowledge.slots)).toEqual(['who']);
  expect(await say('yes please')).toContain('Goodbye.');
});

test('the no to a read-back does not answer the question after it', async () => {
  const { runner, say } = await talk({ flow });
  expect(await say('Maria Delgado')).toContain('Maria Delgado, is that right?');
  expect(await say('no')).toContain('May I have your name?');
  expect(Object.keys(runner.state.knowledge.slots)).toEqual([]);
});
