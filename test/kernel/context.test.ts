import { expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];

function enter(contextStrategy: object | string) {
  const flow = {
    initialNode: 'desk',
    nodes: {
      desk: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'next' }] },
      next: {
        say: 'One moment.',
        taskMessages: task,
        contextStrategy,
        functions: [{ name: 'on', transitionTo: 'last' }],
      },
      last: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'next' }] },
    },
  } as ConversationFlow;
  const call = conversation(graphOf(flow));
  call.start();
  call.batch([{ name: 'go' }]);
  return call;
}

test('append asks for nothing and cuts nothing', () => {
  const call = enter('append');
  expect(call.outcome).toEqual(['say: One moment.']);
  expect(call.state.position.context).toBeNull();
});

test('reset cuts the view at the visit, before anything is said there', () => {
  const call = enter('reset');
  expect(call.outcome).toEqual(['reset', 'say: One moment.']);
  expect(call.state.position.context).toMatchObject({
    strategy: 'reset',
    visit: call.state.position.visit,
    summary: null,
  });
});

test('reset_with_summary asks for a summary by the author’s prompt, and keeps the result', () => {
  const call = enter({ strategy: 'reset_with_summary', summaryPrompt: 'In one line.' });
  expect(call.effects[0]).toMatchObject({
    kind: 'context',
    payload: { strategy: 'reset_with_summary', prompt: 'In one line.' },
  });
  call.settleEffect(call.effects[0]?.key ?? '', 'done', 'Wants shoes.');
  expect(call.state.position.context).toMatchObject({ strategy: 'reset_with_summary', summary: 'Wants shoes.' });
});

test('a summary that failed leaves none, whatever came with it', () => {
  const call = enter('reset_with_summary');
  call.settleEffect(call.effects[0]?.key ?? '', 'failed', 'half a summ');
  expect(call.state.position.context).toMatchObject({ summary: null });
});

test('a summary that comes after the next cut is not taken for that one’s', () => {
  const call = enter('reset_with_summary');
  const first = call.effects[0]?.key ?? '';
  call.turn('on');
  call.batch([{ name: 'on' }]);
  call.batch([{ name: 'go' }]);
  call.settleEffect(first, 'done', 'The old one.');
  expect(call.state.position.context).toMatchObject({ summary: null, visit: call.state.position.visit });
});

test('a node that is passed through cuts nothing', () => {
  const call = conversation(
    graphOf({
      initialNode: 'pass',
      slots: { size: { type: 'text', optional: true } },
      nodes: {
        pass: {
          collect: ['size'],
          contextStrategy: 'reset',
          preActions: [{ type: 'tts_say', text: 'Never.' }],
          defaultTransition: 'bye',
        },
        bye: { say: 'Bye.', end: true },
      },
    }),
  );
  call.start();
  expect(call.outcome).toEqual(['say: Bye.', 'end completed']);
  expect(call.state.position.context).toBeNull();
});
