import { describe, expect, test } from 'vitest';
import { createHub } from '../../src/engine/hub/create-hub.ts';
import type { Hub } from '../../src/model/ports/hub.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';
import { type Given, type NodeRun, scriptedModel, startNode } from './run-node.ts';

describe('a message to a running agent', () => {
  const config = { maxTurns: 3, turnTimeoutMs: 1_000 };

  test('is answered in a turn of its own, with all that was said before in view', async () => {
    const model = scriptedModel('First.', 'Second.');
    const run = startNode('agent.run', { input: 'One' }, { model: () => model, config });
    await run.settled();
    run.hub.emit('session:message', { content: 'Two', runId: 'run-1' });
    await run.clock.advance(1_000);
    expect(run.ended()).toEqual({ result: 'Second.' });
    expect(model.requests[1]?.messages.map(({ content }) => content)).toEqual(['One', 'First.', 'Two']);
    expect(run.told.at(-1)).toEqual(['agent:complete', 'run-1', { text: 'First.Second.' }]);
  });

  test('of another run is not heard', async () => {
    const model = scriptedModel('First.', 'Second.');
    const run = startNode('agent.run', { input: 'One' }, { model: () => model, config });
    run.hub.emit('session:message', { content: 'Two', runId: 'run-2' });
    run.hub.emit('session:message', { content: 'Two' });
    run.hub.emit('session:close', { runId: 'run-2' });
    await run.clock.advance(999);
    expect([run.ended(), model.requests.length]).toEqual([null, 1]);
  });

  test('that comes while it answers is taken next, without waiting for any other', async () => {
    let goOn = (): void => undefined;
    const pause = new Promise<void>((resolve) => (goOn = resolve));
    const model = scriptedModel([pause, { type: 'text', delta: 'First.' }], 'Second.');
    const run = startNode('agent.run', { input: 'One' }, { model: () => model });
    await run.settled();
    run.hub.emit('session:message', { content: 'Two', runId: 'run-1' });
    goOn();
    expect(await run.settled()).toEqual({ result: 'Second.' });
  });
});

describe('an agent ends', () => {
  const start = (config: Given['config']) => {
    const model = scriptedModel('1', '2', '3', '4');
    return startNode('agent.run', { input: 'Go' }, { model: () => model, config: config ?? {} });
  };

  test('once nobody has said anything for turn_timeout_ms', async () => {
    const run = start({ maxTurns: 3, turnTimeoutMs: 1_000 });
    await run.clock.advance(999);
    expect(run.ended()).toBeNull();
    await run.clock.advance(1);
    expect(run.ended()).toEqual({ result: '1' });
  });

  test('at once where it is told nothing of turns, after 30 seconds of silence where only of several', async () => {
    expect(await start({}).settled()).toEqual({ result: '1' });
    const several = start({ maxTurns: 2 });
    await several.clock.advance(29_999);
    expect(several.ended()).toBeNull();
    await several.clock.advance(1);
    expect(several.ended()).toEqual({ result: '1' });
  });

  test('after max_turns, whatever else has come', async () => {
    const run = start({ maxTurns: 2, turnTimeoutMs: 1_000 });
    for (const content of ['a', 'b']) run.hub.emit('session:message', { content, runId: 'run-1' });
    expect(await run.settled()).toEqual({ result: '2' });
  });

  test('when it is closed, after the turn that it is in', async () => {
    const run = start({ maxTurns: 3, turnTimeoutMs: 1_000 });
    run.hub.emit('session:message', { content: 'a', runId: 'run-1' });
    run.hub.emit('session:close', { runId: 'run-1' });
    expect(await run.settled()).toEqual({ result: '1' });
    const waiting = start({ maxTurns: 3, turnTimeoutMs: 1_000 });
    await waiting.clock.advance(500);
    waiting.hub.emit('session:close', { runId: 'run-1' });
    expect(await waiting.settled()).toEqual({ result: '1' });
  });

  test('however it does, without a timer or a listener left behind', async () => {
    const ends: ((run: NodeRun, hub: Hub) => Promise<void>)[] = [
      async (_run, hub) => Promise.resolve(hub.emit('session:close', { runId: 'run-1' })),
      async (run) => Promise.resolve(run.abort()),
      (run) => run.clock.advance(1_000),
    ];
    for (const end of ends) {
      const clock = createVirtualClock();
      const hub = createHub({ clock, ids: createCountingIds() });
      let open = 0;
      const counted: Hub = {
        ...hub,
        subscribe(pattern, listener) {
          open += 1;
          const stop = hub.subscribe(pattern, listener);
          return () => {
            open -= 1;
            stop();
          };
        },
      };
      const config = { maxTurns: 3, turnTimeoutMs: 1_000 };
      const given = { model: () => scriptedModel('1'), config, clock, hub: counted };
      const run = startNode('agent.run', { input: 'Go' }, given);
      await run.settled();
      expect(open).toBe(2);
      await end(run, hub);
      expect([(await run.settled()) === null, open, clock.pending]).toEqual([false, 0, 0]);
    }
  });
});
