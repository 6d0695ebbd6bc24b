import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { defineNodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { englishSpeech } from '../../src/language/english/speech.ts';
import { conversation, graphOf } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];
const slow = defineNodeType({
  name: 'own.slow',
  description: 'Slow.',
  input: z.object({}),
  output: z.object({}),
  run: () => Promise.resolve({}),
});
const flow: ConversationFlow = {
  initialNode: 'hello',
  slots: { size: { type: 'text', ask: 'Which size?' }, who: { type: 'name', ask: 'Who?', confirm: 'readback' } },
  nodes: {
    hello: { say: 'Hello.', defaultTransition: 'desk' },
    desk: {
      taskMessages: task,
      postActions: [{ type: 'log' }],
      contextStrategy: 'reset_with_summary',
      functions: [
        { name: 'book', effect: 'write', confirm: 'Shall I?', transitionTo: 'bye' },
        { name: 'form', transitionTo: 'form' },
        { name: 'work', transitionTo: 'work' },
        { name: 'leave', transitionTo: 'bye' },
      ],
    },
    form: { collect: ['who', 'size'], defaultTransition: 'bye' },
    work: { type: 'own.slow', defaultTransition: 'bye' },
    bye: { say: 'Bye.', end: 'gone' },
  },
};
const graph = graphOf(flow, ['book'], [slow]);
const recap = `say: ${englishSpeech.lines.recap[0]}`;

function started() {
  const call = conversation(graph);
  call.start();
  return call;
}
function atDesk() {
  const call = started();
  call.turn('hi');
  for (const { key, kind } of call.effects) if (kind === 'context' || kind === 'action') call.settleEffect(key);
  return call;
}

describe('a session that another process takes over', () => {
  test('does not leave the caller without what they are to answer, in a node that has but its line', () => {
    const call = started();
    const said = call.effects[0]?.key ?? '';
    call.resume();
    expect(call.outcome).toEqual([recap, 'say: Hello.']);
    expect(call.told('effect:settled')).toEqual([{ key: said, kind: 'say', state: 'unknown' }]);
    call.turn('hi');
    expect(call.state.position.node).toBe('desk');
  });

  test('asks anew what the caller was to answer and may not have heard, and only that', () => {
    const asking: ConversationFlow = {
      initialNode: 'ask',
      nodes: { ask: { say: 'Shall we start?', functions: [{ name: 'start', transitionTo: 'ask' }] } },
    };
    const call = conversation(graphOf(asking));
    call.start();
    call.resume();
    expect(call.outcome).toEqual([recap, 'say: Shall we start?']);
    const heard = conversation(graphOf(asking));
    const heardKey = heard.start()[0]?.key ?? '';
    heard.heard(heardKey, 'Shall we start?');
    heard.resume();
    expect(heard.outcome).toEqual([recap, 'reply ask']);
  });

  test('replies anew where a reply was cut off, and where the model was waiting for the caller', () => {
    const cut = atDesk();
    cut.resume();
    expect(cut.outcome).toEqual([recap, 'reply desk']);
    const idle = atDesk();
    idle.batch([], 'What can I do?');
    idle.resume();
    expect(idle.outcome).toEqual([recap, 'reply desk']);
  });

  test('answers words that nobody has answered, in a node that collects', () => {
    const call = atDesk();
    call.batch([{ name: 'form' }]);
    call.turn('my name is complicated');
    call.resume();
    expect(call.outcome).toEqual([recap, 'reply form']);
    call.batch([{ name: 'record', arguments: { who: 'Maria Delgado' } }]);
    expect(call.state.knowledge.slots).toMatchObject({ who: { value: 'Maria Delgado' } });
  });

  test('and in a node whose line may not have been heard', () => {
    const asking: ConversationFlow = {
      initialNode: 'ask',
      nodes: { ask: { say: 'Shall we start?', functions: [{ name: 'start', transitionTo: 'ask' }] } },
    };
    const call = conversation(graphOf(asking));
    call.start();
    call.turn('well');
    call.resume();
    expect(call.outcome).toEqual([recap, 'reply ask']);
  });

  test('asks the pending question anew', () => {
    const call = atDesk();
    call.batch([{ name: 'form' }]);
    call.resume();
    expect(call.outcome).toEqual([recap, 'say: Who?']);
  });

  test('asks an open confirmation anew, and takes its answer', () => {
    const call = atDesk();
    call.batch([{ name: 'book', state: 'waiting' }]);
    const wait = call.effects[0]?.key ?? '';
    call.resume();
    expect(call.outcome).toEqual([recap, 'say: Shall I?']);
    expect(call.state.effects).toHaveProperty(wait);
    call.turn('yes');
    expect(call.outcome).toEqual(['tool book']);
  });

  test('reads an open read-back anew', () => {
    const call = atDesk();
    call.batch([{ name: 'record', arguments: { who: 'Maria Delgado' } }, { name: 'form' }]);
    call.resume();
    expect(call.outcome).toEqual([recap, 'say: Maria Delgado, is that right?']);
    call.turn('yes');
    expect(call.outcome).toEqual(['say: Which size?']);
  });

  test('runs a confirmed call again under the same key, and asks nothing meanwhile', () => {
    const call = atDesk();
    call.batch([{ name: 'book', state: 'waiting' }]);
    const key = call.turn('yes')[0]?.key ?? '';
    call.resume();
    expect(call.outcome).toEqual([recap, 'tool book']);
    expect(call.effects[1]?.key).toBe(key);
    call.settleTool(key);
    expect(call.outcome).toEqual(['say: Bye.', 'end gone']);
  });

  test('and so a write that its completion had begun', () => {
    const call = atDesk();
    const key = call.called({ name: 'book' });
    call.resume();
    expect(call.effects.map((effect) => effect.key)).toContain(key);
    call.settleTool(key);
    expect(call.state.position.node).toBe('bye');
  });

  test('runs a catalog node again under the same key', () => {
    const call = atDesk();
    const key = call.batch([{ name: 'work' }])[0]?.key ?? '';
    call.resume();
    expect(call.outcome).toEqual([recap, 'task own.slow']);
    call.settleEffect(key, 'done', {});
    expect(call.state.position.node).toBe('bye');
  });

  test('asks again for context changes and actions that had not settled', () => {
    const call = started();
    call.turn('hi');
    const open = call.effects.filter(({ kind }) => kind !== 'reply');
    expect(open.map(({ kind }) => kind)).toEqual(['context', 'action']);
    call.resume();
    expect(call.effects).toEqual(expect.arrayContaining([...open]));
  });

  test('that was ending says nothing more, and ends', () => {
    const call = atDesk();
    call.batch([{ name: 'leave' }]);
    call.resume();
    expect(call.outcome).toEqual(['end gone']);
    call.settleEffect(call.effects[0]?.key ?? '');
    expect(call.state.status).toBe('ended');
  });

  test('may be taken over again and again, and asks the same', () => {
    const call = atDesk();
    call.batch([{ name: 'form' }]);
    for (let time = 0; time < 5; time += 1) call.resume();
    expect(call.outcome).toEqual([recap, 'say: Who?']);
    expect(Object.keys(call.state.effects)).toHaveLength(2);
  });
});

describe('a session that is ended from outside', () => {
  test('gives up speech, waits and reads, and lets a write settle', () => {
    const call = atDesk();
    const key = call.called({ name: 'book' });
    call.end('hung-up');
    expect(call.state.status).toBe('ended');
    expect(Object.keys(call.state.effects)).toEqual([key]);
    expect(call.told('flow:ended')).toEqual([{ reason: 'hung-up' }]);
    call.settleTool(key, { result: 1 });
    expect(call.state).toMatchObject({ status: 'ended', position: { node: 'desk' }, effects: {} });
    expect(call.outcome).toEqual([]);
  });

  test('runs that write again after a crash', () => {
    const call = atDesk();
    const key = call.called({ name: 'book' });
    call.end();
    call.resume();
    expect(call.effects.map((effect) => effect.key)).toEqual([key]);
  });

  test('keeps the reason that the flow itself ended for, and tells it once', () => {
    const call = atDesk();
    call.batch([{ name: 'leave' }]);
    const end = call.effects.at(-1)?.key ?? '';
    call.end('hung-up');
    expect(call.told('flow:ended')).toEqual([{ reason: 'gone' }]);
    call.settleEffect(end);
    expect(call.told('flow:ended')).toEqual([]);
    expect(call.state).toMatchObject({ status: 'ended', effects: {} });
  });

  test('asks about nothing that a late batch brings', () => {
    const call = atDesk();
    const reply = Object.keys(call.state.effects)[0] ?? '';
    call.end();
    call.batch([{ name: 'book', state: 'waiting' }, { name: 'leave' }], '', { reply });
    expect(call.state).toMatchObject({ position: { node: 'desk' }, dialogue: { confirmations: [] } });
    expect(call.outcome).toEqual([]);
  });
});
