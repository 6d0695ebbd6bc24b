import { describe, expect, test } from 'vitest';
import { createFlowRunner } from '../../src/runner/create-flow-run.ts';
import type { FlowRun } from '../../src/runner/flow-run.ts';
import type { Channel } from '../../src/model/ports/channel.ts';
import { modelPort } from '../../src/livekit/model/model-port.ts';
import { type ModelScript, ScriptedModel } from '../../src/testing/scripted-model.ts';
import { silenceLivekit } from '../livekit/call-record.ts';
import { until } from '../livekit/until.ts';
import { conversation, person, premium } from './person.ts';

silenceLivekit();

describe('a channel that takes speech', () => {
  test('and fails is given no more, while the others hear all of it', async () => {
    const caller = person();
    const deaf: Channel = { name: 'deaf', onSpeech: () => Promise.reject(new Error('no')) };
    const broken: Channel = {
      name: 'broken',
      onSpeechEnd: () => {
        throw new Error('no');
      },
    };
    const running = conversation(premium, { channels: [deaf, broken, caller] }).run();
    await until(() => caller.heard.length === 1, 'the greeting');
    await caller.run().send('Good morning');
    await caller.run().send('premium');
    const { events, status } = await running;
    expect(status).toBe('complete');
    expect(caller.heard).toEqual(['Hello.', 'Which plan?', 'You take premium.']);
    const errors = events.flatMap(({ type, data }) =>
      type === 'channel:error' && 'channel' in data ? data.channel : [],
    );
    expect(errors.toSorted()).toEqual(['broken', 'deaf']);
  });
});

test('a message of a channel reaches the agent of a task flow that waits for one', async () => {
  const caller = person();
  const flow = `
flow: {}
nodes:
  helper: { type: agent.run, input: { input: Begin. }, config: { max_turns: 2, turn_timeout_ms: 20000 } }
`;
  const script: ModelScript = {
    '*': [
      { when: 'Begin', text: 'First.' },
      { when: 'Go on', text: 'Second.' },
    ],
  };
  const instance = createFlowRunner(flow, undefined, {
    model: modelPort(new ScriptedModel(script)),
    channels: [caller],
  });
  const texts: string[] = [];
  instance.subscribe('agent:text', ({ data }) => void ('delta' in data && texts.push(data.delta)));
  const running = instance.run();
  await until(() => texts.join('').includes('First.'), 'the first answer');
  expect(await caller.run().send('Go on')).toBe('taken');
  expect((await running).outputs).toEqual({ helper: { result: 'Second.' } });
  expect(await caller.run().send('Go on')).toBe('over');
});

test('a channel whose listening fails later is told of once, and one that comes after the run is not started', async () => {
  let isStarted = false;
  const late: Channel = { name: 'late', onStart: () => Promise.resolve(void (isStarted = true)) };
  const careless: Channel = { name: 'careless', onEvent: () => Promise.reject(new Error('no')) as never };
  const instance = createFlowRunner('flow: {}\nnodes: { a: { type: control.wait, input: { ms: 5 } } }\n', undefined, {
    channels: [careless],
  });
  const { events } = await instance.run();
  const errors = events.filter(({ type }) => type === 'channel:error');
  expect(errors.map(({ data }) => data)).toEqual([{ channel: 'careless', stage: 'event' }]);
  instance.attach(late).startSession();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isStarted).toBe(false);
});

describe('those who listen to a run', () => {
  test.each<[string, FlowRun]>([
    [
      'a task flow',
      createFlowRunner('flow: {}\nnodes: { a: { type: control.noop }, b: { type: control.wait, input: { ms: 1 } } }\n'),
    ],
    [
      'a conversation',
      createFlowRunner({ initialNode: 'a', nodes: { a: { say: 'Bye.', end: 'done' } } }, undefined, {
        model: modelPort(new ScriptedModel({})),
      }),
    ],
  ])('can neither end nor hold %s, whatever they do', async (_kind, instance) => {
    let heard = 0;
    instance.subscribe('*', () => {
      throw new Error('no');
    });
    instance.subscribe('*', () => Promise.reject(new Error('no')) as never);
    instance.subscribe('task:*', () => new Promise(() => undefined) as never);
    const leave = instance.subscribe('*', () => {
      heard += 1;
      leave();
    });
    instance.subscribe('harness:start', () => void instance.subscribe('*', () => void instance.sendTo('a', 'x')));
    const unread = instance.events('*', { limit: 3 });
    const { status, events } = await instance.run();
    expect(status).toBe('complete');
    expect(heard).toBe(1);
    expect(unread.dropped).toBe(events.length - 3);
    const replayed: number[] = [];
    instance.subscribe('*', ({ seq }) => void replayed.push(seq), { fromSeq: 2 });
    expect(replayed).toEqual(events.slice(1).map(({ seq }) => seq));
    await unread.return();
  });
});
