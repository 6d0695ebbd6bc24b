import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { NodeDocument } from '../../src/flow/document/node.ts';
import { conversation, graphOf, noon } from './session.ts';

const task = [{ role: 'system' as const, content: 'Help.' }];

function enter(node: NodeDocument) {
  const flow: ConversationFlow = {
    initialNode: 'only',
    state: { city: 'Oslo' },
    slots: { size: { type: 'text', ask: 'Which size?' } },
    nodes: { only: node, bye: { say: 'Bye.', end: true } },
  };
  const call = conversation(graphOf(flow));
  call.start();
  return call;
}

const pre = { type: 'function', handler: 'before', city: '{{ city }}', n: 1 };
const post = { type: 'function', handler: 'after' };

describe('actions', () => {
  test('are performed in order around what the node says', () => {
    const call = enter({
      say: 'Hello.',
      preActions: [{ type: 'tts_say', text: 'From {{ city }}.' }, pre],
      postActions: [post, { type: 'notify' }],
      defaultTransition: 'bye',
    });
    expect(call.outcome).toEqual([
      'say: From Oslo.',
      'pre-action before',
      'say: Hello.',
      'post-action after',
      'post-action notify',
    ]);
  });

  test('carry the fields of their own, filled in', () => {
    const call = enter({ preActions: [pre], say: 'Hello.', defaultTransition: 'bye' });
    expect(call.effects[0]?.payload).toEqual({
      action: 'function',
      handler: 'before',
      when: 'pre',
      data: { city: 'Oslo', n: 1 },
    });
  });

  test('stand around a reply and a question too', () => {
    expect(
      enter({ taskMessages: task, preActions: [pre], postActions: [post], defaultTransition: 'bye' }).outcome,
    ).toEqual(['pre-action before', 'reply only', 'post-action after']);
    expect(
      enter({ collect: ['size'], preActions: [pre], postActions: [post], defaultTransition: 'bye' }).outcome,
    ).toEqual(['pre-action before', 'say: Which size?', 'post-action after']);
  });

  test('that settle are not open any more', () => {
    const call = enter({ say: 'Hello.', postActions: [post], defaultTransition: 'bye' });
    const key = call.effects[1]?.key ?? '';
    call.settleEffect(key, 'failed');
    expect(call.state.effects).not.toHaveProperty(key);
    expect(call.outcome).toEqual([]);
  });
});

describe('the end', () => {
  test('comes after what the node says and does', () => {
    const call = enter({ say: 'Bye.', end: 'gone', postActions: [post] });
    expect(call.outcome).toEqual(['say: Bye.', 'post-action after', 'end gone']);
    expect(call.state.status).toBe('ending');
  });

  test('true means completed', () => {
    expect(enter({ say: 'Bye.', end: true }).outcome.at(-1)).toBe('end completed');
  });

  test('is over when it was performed, and told once', () => {
    const call = enter({ say: 'Bye.', end: 'gone' });
    call.settleEffect(call.effects.at(-1)?.key ?? '');
    expect(call.state.status).toBe('ended');
    expect(call.told('flow:ended')).toEqual([{ reason: 'gone' }]);
    call.end('hung-up');
    expect(call.told('flow:ended')).toEqual([]);
  });

  test('as an action before the node speaks leaves nothing to be said', () => {
    const call = enter({
      say: 'Never.',
      taskMessages: task,
      preActions: [{ type: 'end_conversation', text: 'We are closed.' }, pre],
      postActions: [post],
    });
    expect(call.outcome).toEqual(['say: We are closed.', 'end end_conversation']);
  });

  test('as an action after the node has spoken comes once, even in a node that ends', () => {
    const call = enter({ say: 'Bye.', end: 'gone', postActions: [{ type: 'end_conversation' }, post] });
    expect(call.outcome).toEqual(['say: Bye.', 'end end_conversation']);
  });

  test('leaves no question open that the node has asked with its last breath', () => {
    const call = conversation(
      graphOf({
        initialNode: 'desk',
        slots: { who: { type: 'name', ask: 'Who?', confirm: 'readback' } },
        nodes: {
          desk: { taskMessages: task, functions: [{ name: 'go', transitionTo: 'form' }] },
          form: { collect: ['who'], postActions: [{ type: 'end_conversation' }], defaultTransition: 'desk' },
        },
      }),
    );
    call.start();
    call.batch([{ name: 'record', arguments: { who: 'Maria Delgado' } }, { name: 'go' }]);
    expect(call.outcome).toEqual(['end end_conversation']);
    expect(Object.keys(call.state.effects)).toHaveLength(1);
  });

  test('asks for no yes to what the model calls while it says goodbye', () => {
    const call = conversation(
      graphOf(
        {
          initialNode: 'only',
          nodes: {
            only: {
              taskMessages: task,
              postActions: [{ type: 'end_conversation' }],
              functions: [{ name: 'book', effect: 'write', confirm: true }],
            },
          },
        },
        ['book'],
      ),
    );
    call.start();
    call.batch([{ name: 'book', state: 'waiting' }]);
    expect(call.outcome).toEqual([]);
    expect(call.state).toMatchObject({ status: 'ending', dialogue: { confirmations: [] } });
  });

  test('may be left to the model’s last words', () => {
    expect(enter({ taskMessages: task, end: 'gone' }).outcome).toEqual(['reply only', 'end gone']);
  });

  test('waits for a reply that says goodbye, and is not held up by one that fails', () => {
    const call = enter({ taskMessages: task, postActions: [{ type: 'end_conversation' }] });
    expect(call.outcome).toEqual(['reply only', 'end end_conversation']);
    call.failReply();
    expect(call.outcome).toEqual([]);
    expect(Object.values(call.state.effects).map(({ kind }) => kind)).toEqual(['end']);
  });

  test('comes after the answer to words over its line, which is said then', () => {
    const call = enter({ say: 'Bye.', end: 'gone' });
    const key = Object.keys(call.state.effects)[0] ?? '';
    call.send({ type: 'speech:settled', at: noon, key, state: 'cancelled', text: 'Bye.', heard: 'B' });
    call.turn('how much is it', 'ev9', {});
    expect(call.outcome).toEqual(['reply only']);
    call.batch([], 'It is done.');
    expect(call.outcome).toEqual(['say: Bye.', 'end gone']);
  });

  test('comes at once after words that need no answer', () => {
    const call = enter({ say: 'Bye.', end: 'gone' });
    call.turn('thank you', 'ev9', { isPlain: true });
    expect(call.outcome).toEqual(['end gone']);
  });

  test('takes no turn any more where code or an action has brought it about', () => {
    const call = enter({ taskMessages: task, postActions: [{ type: 'end_conversation' }] });
    call.turn('wait');
    expect(call.told('signal:ignored')).toEqual([{ signal: 'user:turn', reason: 'ended' }]);
    expect(call.outcome).toEqual([]);
  });
});

describe('actions of a catalog node', () => {
  const gate: NodeDocument = {
    type: 'control.noop',
    preActions: [{ type: 'tts_say', text: 'One moment.' }],
    postActions: [{ type: 'log_it' }],
    defaultTransition: 'desk',
  };
  const flow: ConversationFlow = {
    initialNode: 'gate',
    nodes: {
      gate,
      desk: { say: 'Hello.', functions: [{ name: 'go', description: 'Go on.', transitionTo: 'gate' }] },
    },
  };

  test('are done as it is passed, in order', () => {
    const call = conversation(graphOf(flow));
    call.start();
    expect(call.outcome).toEqual(['say: One moment.', 'post-action log_it', 'say: Hello.']);
  });

  test('may end the conversation before it runs', () => {
    const ending = { type: 'end_conversation', text: 'Closed today.' };
    const call = conversation(graphOf({ ...flow, nodes: { ...flow.nodes, gate: { ...gate, preActions: [ending] } } }));
    call.start();
    expect(call.outcome).toEqual(['say: Closed today.', 'end end_conversation']);
    expect(call.state.knowledge.outputs).toEqual({});
  });
});
