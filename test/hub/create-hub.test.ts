import { describe, expect, test } from 'vitest';
import type { Event } from '../../src/model/events/event.ts';
import { createHub, type HubOptions, type ListenerFailure } from '../../src/engine/hub/create-hub.ts';
import { createCountingIds } from '../../src/testing/counting-ids.ts';
import { createVirtualClock } from '../../src/testing/virtual-clock.ts';

function openHub(options: Partial<HubOptions> = {}) {
  return createHub({ clock: createVirtualClock(5_000), ids: createCountingIds(), sessionId: 's', ...options });
}

/** A listener that notes the `seq` of what it hears. */
function listening(): { heard: number[]; listener: (event: Event) => void } {
  const heard: number[] = [];
  return { heard, listener: (event) => void heard.push(event.seq) };
}

const quiet = { name: 'x' };

describe('an envelope', () => {
  test('has an id of its own, a number, the time of the clock, and the ids it was emitted with', () => {
    const hub = openHub();
    const heard: Event[] = [];
    hub.subscribe('*', (event) => void heard.push(event));

    hub.emit('harness:start', { name: 'a' }, { requestId: 'r', nodeId: 'n' });
    hub.emit('harness:start', { name: 'b' }, { requestId: 'r' });

    const shared = { sessionId: 's', requestId: 'r', time: 5_000, type: 'harness:start' };
    expect(heard).toEqual([
      { ...shared, id: 'event-1', seq: 1, nodeId: 'n', data: { name: 'a' } },
      { ...shared, id: 'event-2', seq: 2, data: { name: 'b' } },
    ]);
  });

  test('names a session and a request, also where the emitter names none', () => {
    const hub = createHub({ clock: createVirtualClock(), ids: createCountingIds() });
    const heard: Event[] = [];
    hub.subscribe('*', (event) => void heard.push(event));

    hub.emit('harness:start', quiet);

    expect(heard[0]).toMatchObject({ sessionId: 'session-1', requestId: 'req-1' });
  });

  test('is numbered within its session, also where sessions share a hub', () => {
    const hub = openHub();
    const heard: string[] = [];
    hub.subscribe('*', (event) => void heard.push(`${event.sessionId}${event.seq}`));

    for (const sessionId of ['a', 'b', 'a', '__proto__', '__proto__']) hub.emit('harness:start', quiet, { sessionId });

    expect(heard).toEqual(['a1', 'b1', 'a2', '__proto__1', '__proto__2']);
  });

  test('cannot be changed by a listener, nor by the emitter afterwards', () => {
    const hub = openHub();
    const heard: Event[] = [];
    hub.subscribe('*', (event) => {
      Object.assign(event, { seq: 99 });
    });
    hub.subscribe('*', (event) => {
      Object.assign(event.data, { name: 'changed' });
    });
    hub.subscribe('*', (event) => void heard.push(event));
    const data = { name: 'kept' };

    hub.emit('harness:start', data);
    data.name = 'changed';

    expect(heard).toMatchObject([{ seq: 1, data: { name: 'kept' } }]);
  });
});

describe('a subscription', () => {
  test.each([
    ['*', ['agent:text', 'agent:tool:start', 'task:start']],
    ['agent:text', ['agent:text']],
    ['agent:*', ['agent:text', 'agent:tool:start']],
    ['agent:tool:*', ['agent:tool:start']],
    ['agent:to:*', []],
    ['age:*', []],
  ] as const)('to %s hears what belongs to it', (pattern, expected) => {
    const hub = openHub();
    const heard: string[] = [];
    hub.subscribe(pattern, (event) => void heard.push(event.type));

    hub.emit('agent:text', { delta: '' });
    hub.emit('agent:tool:start', { tool: 't', callId: 'c' });
    hub.emit('task:start', { taskId: 't' });

    expect(heard).toEqual(expected);
  });

  test('may be one of several of the same listener, and each ends on its own', () => {
    const hub = openHub();
    const { heard, listener } = listening();
    const stop = hub.subscribe('*', listener);
    hub.subscribe('*', listener);

    hub.emit('harness:start', quiet);
    stop();
    stop();
    hub.emit('harness:start', quiet);

    expect(heard).toEqual([1, 1, 2]);
  });

  test('that ends while an event is delivered hears nothing more, and costs no other listener an event', () => {
    const hub = openHub();
    const [own, other] = [listening(), listening()];
    hub.subscribe('*', () => stopSecond());
    const stopSecond = hub.subscribe('*', own.listener);
    const stopThird = hub.subscribe('*', () => stopThird());
    hub.subscribe('*', other.listener);

    hub.emit('harness:start', quiet);
    hub.emit('harness:start', quiet);

    expect(own.heard).toEqual([]);
    expect(other.heard).toEqual([1, 2]);
  });

  test('that begins while an event is delivered hears the ones emitted from then on', () => {
    const hub = openHub();
    const { heard, listener } = listening();
    hub.subscribe('*', (event) => {
      if (event.seq === 1) hub.subscribe('*', listener);
    });

    hub.emit('harness:start', quiet);
    hub.emit('harness:start', quiet);

    expect(heard).toEqual([2]);
  });
});

describe('order', () => {
  test('is the order of emitting for every listener, also when a listener emits', () => {
    const hub = openHub();
    const [before, after] = [listening(), listening()];
    hub.subscribe('*', before.listener);
    hub.subscribe('*', (event) => {
      if (event.seq > 2) return;
      hub.emit('harness:start', quiet);
      hub.emit('harness:start', quiet);
    });
    hub.subscribe('*', after.listener);

    hub.emit('harness:start', quiet);

    expect(before.heard).toEqual([1, 2, 3, 4, 5]);
    expect(after.heard).toEqual([1, 2, 3, 4, 5]);
  });

  test('has no listener called within itself', () => {
    const hub = openHub();
    const trace: string[] = [];
    hub.subscribe('*', (event) => {
      trace.push(`in ${event.seq}`);
      if (event.seq === 1) hub.emit('harness:start', quiet);
      trace.push(`out ${event.seq}`);
    });

    hub.emit('harness:start', quiet);

    expect(trace).toEqual(['in 1', 'out 1', 'in 2', 'out 2']);
  });

  test('holds for a chain of events that is longer than what the hub holds', () => {
    const hub = openHub({ keep: 2 });
    const { heard, listener } = listening();
    hub.subscribe('*', (event) => {
      if (event.seq > 1) return;
      for (let count = 0; count < 10; count += 1) hub.emit('harness:start', quiet);
    });
    hub.subscribe('*', listener);

    hub.emit('harness:start', quiet);

    expect(heard).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});

describe('a replay', () => {
  test('gives what is held from a number on, of its pattern, and goes on without a gap or a double', () => {
    const hub = openHub();
    const { heard, listener } = listening();
    hub.emit('harness:start', quiet);
    hub.emit('harness:start', quiet);
    hub.emit('phase:start', quiet);
    hub.emit('harness:start', quiet);

    hub.subscribe('harness:*', listener, { fromSeq: 2 });
    expect(heard).toEqual([2, 4]);
    hub.emit('harness:start', quiet);

    expect(heard).toEqual([2, 4, 5]);
  });

  test('is asked for: without a number nothing old is heard', () => {
    const hub = openHub();
    const { heard, listener } = listening();
    hub.emit('harness:start', quiet);
    hub.subscribe('*', listener);
    expect(heard).toEqual([]);
  });

  test.each([
    ['the last 1,000 events', undefined, 1_500, 501, 1_000],
    ['as many as it was told', 3, 10, 8, 3],
    ['none if so told', 0, 10, undefined, 0],
  ])('reaches back %s', (_what, keep, emitted, first, count) => {
    const hub = openHub(keep === undefined ? {} : { keep });
    const { heard, listener } = listening();
    for (let index = 0; index < emitted; index += 1) hub.emit('harness:start', quiet);

    hub.subscribe('*', listener, { fromSeq: 1 });

    expect(heard[0]).toBe(first);
    expect(heard.length).toBe(count);
  });

  test('that begins in the midst of a delivery has no gap and no double', () => {
    const hub = openHub();
    const { heard, listener } = listening();
    hub.subscribe('*', (event) => {
      if (event.seq !== 1) return;
      hub.emit('harness:start', quiet);
      hub.subscribe('*', listener, { fromSeq: 1 });
      hub.emit('harness:start', quiet);
    });

    hub.emit('harness:start', quiet);
    hub.emit('harness:start', quiet);

    expect(heard).toEqual([1, 2, 3, 4]);
  });

  test('comes before what its listener emits meanwhile', () => {
    const hub = openHub();
    const heard: number[] = [];
    hub.emit('harness:start', quiet);
    hub.emit('harness:start', quiet);

    hub.subscribe(
      '*',
      (event) => {
        heard.push(event.seq);
        if (event.seq === 1) hub.emit('harness:start', quiet);
      },
      { fromSeq: 1 },
    );

    expect(heard).toEqual([1, 2, 3]);
  });
});

describe('a listener that fails', () => {
  test('harms neither the emitter nor another listener', () => {
    const hub = openHub();
    const { heard, listener } = listening();
    hub.subscribe('*', () => {
      throw new Error('secret words');
    });
    hub.subscribe('*', listener);

    hub.emit('harness:start', quiet);
    hub.emit('harness:start', quiet);

    expect(heard).toEqual([1, 2]);
  });

  test('is reported once, by where it failed and without any content', () => {
    const failures: ListenerFailure[] = [];
    const hub = openHub({ onListenerError: (failure) => void failures.push(failure) });
    hub.subscribe('agent:*', () => {
      throw new TypeError('secret words\n    at another secret');
    });

    hub.emit('agent:text', { delta: 'secret' });
    hub.emit('agent:text', { delta: 'secret' });

    expect(failures).toEqual([
      {
        pattern: 'agent:*',
        type: 'agent:text',
        eventId: 'event-1',
        error: 'TypeError',
        thrownAt: expect.stringMatching(/^at .*create-hub\.test\.ts:\d+:\d+\)?$/),
      },
    ]);
    expect(JSON.stringify(failures)).not.toContain('secret');
  });

  test('may throw what is no error, or reject later, and is reported all the same', async () => {
    const failures: string[] = [];
    const hub = openHub({ onListenerError: (failure) => void failures.push(`${failure.pattern} ${failure.error}`) });
    hub.subscribe('*', () => {
      // oxlint-disable-next-line typescript/only-throw-error -- What a careless listener does.
      throw 'secret words';
    });
    // A function that returns a promise is allowed where nothing is expected.
    hub.subscribe('harness:*', () => Promise.reject(new RangeError('secret words')) as unknown as void);

    hub.emit('harness:start', quiet);
    await Promise.resolve();

    expect(failures).toEqual(['* string', 'harness:* RangeError']);
  });

  test('does no harm either when its report fails', () => {
    const hub = openHub({
      onListenerError: () => {
        throw new Error('broken as well');
      },
    });
    const { heard, listener } = listening();
    hub.subscribe('*', () => {
      throw new Error('broken');
    });
    hub.subscribe('*', listener);

    hub.emit('harness:start', quiet);
    hub.emit('harness:start', quiet);

    expect(heard).toEqual([1, 2]);
  });
});

describe('a scope', () => {
  test('fills in ids, the inner over the outer and the emitter over both', () => {
    const hub = openHub();
    const heard: Event[] = [];
    hub.subscribe('*', (event) => void heard.push(event));
    const outer = hub.scoped({ flowId: 'outer', nodeId: 'outer', runId: 'outer' });
    const inner = outer.scoped({ nodeId: 'inner', runId: 'inner' });

    inner.emit('agent:text', { delta: '' }, { runId: 'own' });
    outer.emit('agent:text', { delta: '' });

    expect(heard).toMatchObject([
      { seq: 1, flowId: 'outer', nodeId: 'inner', runId: 'own' },
      { seq: 2, flowId: 'outer', nodeId: 'outer', runId: 'outer' },
    ]);
  });

  test('listens to the whole hub', () => {
    const hub = openHub();
    const { heard, listener } = listening();
    hub.emit('harness:start', quiet);
    hub.scoped({ runId: 'one' }).subscribe('*', listener, { fromSeq: 1 });
    hub.emit('harness:start', quiet);
    expect(heard).toEqual([1, 2]);
  });
});
