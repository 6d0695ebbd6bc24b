import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { englishSpeech } from '../../src/language/english/speech.ts';
import { conversation, graphOf } from './session.ts';

const flow: ConversationFlow = {
  initialNode: 'desk',
  slots: {
    size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?' },
    colour: { type: 'enum', values: ['red', 'blue'] },
    who: { type: 'name', ask: 'Who?', confirm: 'readback' },
  },
  nodes: {
    desk: {
      taskMessages: [{ role: 'system', content: 'Help.' }],
      functions: [
        { name: 'sized', transitionTo: 'sized' },
        { name: 'coloured', transitionTo: 'coloured' },
        { name: 'named', transitionTo: 'named' },
        { name: 'leave', transitionTo: 'bye' },
      ],
    },
    sized: { collect: ['size', 'colour'], defaultTransition: 'bye' },
    coloured: { collect: ['colour', 'size'], defaultTransition: 'bye' },
    named: { collect: ['who'], defaultTransition: 'bye' },
    help: { say: 'Let me get someone.', end: 'helped' },
    bye: { say: 'Bye.', end: true },
  },
};

function atDesk(more: Partial<ConversationFlow> = {}) {
  const call = conversation(graphOf({ ...flow, ...more }));
  call.start();
  return call;
}

describe('a reply that failed', () => {
  test('is made up for by a fixed line', () => {
    const call = atDesk();
    call.failReply();
    expect(call.outcome).toEqual([`say: ${englishSpeech.lines.again[0]}`]);
  });

  test('by the node’s own line before the flow’s', () => {
    const nodes = {
      ...(flow.nodes as object),
      desk: { ...(flow.nodes as { desk: object }).desk, fallback: 'Pardon?' },
    };
    const own = atDesk({ fallback: 'Hm?', nodes });
    own.failReply();
    expect(own.outcome).toEqual(['say: Pardon?']);
    const general = atDesk({ fallback: 'Hm?' });
    general.failReply();
    expect(general.outcome).toEqual(['say: Hm?']);
  });

  test('because the model had no answer to words is an attempt at the open question, and climbs its ladder', () => {
    const nodes = {
      ask: { say: 'Shall we start?', functions: [{ name: 'start', transitionTo: 'desk' }] },
      ...(flow.nodes as object),
    };
    const call = conversation(graphOf({ ...flow, initialNode: 'ask', onError: 'help', nodes }));
    call.start();
    const heard: unknown[] = [];
    const missed: number[] = [];
    for (const words of ['Blah.', 'Blub.', 'Foo.']) {
      call.turn(words);
      call.failReply('empty');
      heard.push(call.outcome);
      missed.push(...call.told('question:missed').map(({ attempt }) => attempt));
    }
    expect(heard.slice(0, 2)).toEqual([
      ['say: Sorry, I did not get that. Shall we start?'],
      ['say: A short answer is enough. Shall we start?'],
    ]);
    expect(missed).toEqual([1, 2, 3]);
    expect(call.state.status).toBe('ending');
  });

  test('a second in a row leaves for on_error', () => {
    const call = atDesk({ onError: 'help' });
    call.failReply();
    expect(call.state.position.node).toBe('desk');
    call.turn('hello?');
    call.failReply();
    expect(call.moves).toEqual(['desk -> help by error']);
    expect(call.outcome).toEqual(['say: Let me get someone.', 'end helped']);
  });

  test('a reply that went well in between counts from the start', () => {
    const call = atDesk({ onError: 'help' });
    call.failReply();
    call.turn('hello?');
    call.batch([], 'Hello.');
    call.turn('hello?');
    call.failReply();
    expect(call.state.position.node).toBe('desk');
  });

  test('without on_error the line is said again', () => {
    const call = atDesk();
    call.failReply();
    call.turn('hello?');
    call.failReply();
    expect(call.outcome).toEqual([`say: ${englishSpeech.lines.again[0]}`]);
  });

  test('that is not open any more changes nothing', () => {
    const call = atDesk();
    call.batch([], 'Hello.');
    const { state } = call;
    call.failReply();
    expect(call.state).toEqual(state);
    expect(call.told('signal:ignored')).toEqual([{ signal: 'reply:failed', reason: 'unknown-effect' }]);
  });
});

describe('a reply that failed where something was to be found out', () => {
  test('is followed by the author’s own question, which needs no model', () => {
    const call = atDesk();
    call.batch([{ name: 'sized' }]);
    call.turn('erm');
    call.failReply();
    expect(call.outcome).toEqual(['say: Sorry, I did not get that. Which size?']);
  });

  test('or by the read-back', () => {
    const call = atDesk();
    call.batch([{ name: 'record', arguments: { who: 'Maria Delgado' } }, { name: 'named' }]);
    call.turn('erm');
    call.failReply();
    expect(call.outcome).toEqual(['say: Sorry, I did not get that. Maria Delgado, is that right?']);
  });

  test('but not by another reply, where the model was to ask', () => {
    const call = atDesk();
    call.batch([{ name: 'coloured' }]);
    expect(call.outcome).toEqual(['reply coloured']);
    call.failReply();
    expect(call.outcome).toEqual([`say: ${englishSpeech.lines.again[0]}`]);
  });
});
