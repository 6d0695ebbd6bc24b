import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { FlowError } from '../../src/model/errors.ts';
import type { FlowToolContext } from '../../src/livekit/tools/flow-tool.ts';
import type { Handler } from '../../src/livekit/tools/run-function.ts';
import type { ModelScript } from '../../src/testing/scripted-model.ts';
import { createGate } from './gate.ts';
import { live } from './live.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

type Nodes = Extract<ConversationFlow['nodes'], Record<string, unknown>>;

/** A hall whose function `go` leads to the node under test, with the handlers that the node names. */
const entering = (node: Nodes[string], more: Omit<Partial<ConversationFlow>, 'nodes'> = {}): ConversationFlow => ({
  initialNode: 'hall',
  ...more,
  nodes: {
    hall: {
      say: 'Hello.',
      functions: [
        { name: 'go', parameters: { type: 'object', properties: { guest: { type: 'string' } } }, transitionTo: 'room' },
      ],
    },
    room: { functions: [{ name: 'back', transitionTo: 'hall' }], ...node },
  },
});
const script: ModelScript = {
  hall: [{ when: 'go', calls: [{ name: 'go', arguments: { guest: 'Ada' } }] }, { text: 'Yes?' }],
  room: [{ text: 'The room.' }],
};

/** Handlers that record their calls in one list with the spoken lines. */
function noting(names: readonly string[]): { trace: string[]; handlers: Record<string, Handler> } {
  const trace: string[] = [];
  const handlers = Object.fromEntries(names.map((name) => [name, () => void trace.push(name)]));
  return { trace, handlers };
}

describe('actions of a node', () => {
  it('run in order before and after its speech, with the model in between', async () => {
    const { trace, handlers } = noting(['first', 'second', 'third', 'fourth']);
    const { runner } = await live(
      entering({
        taskMessages: prompt('Room.'),
        preActions: [
          { type: 'function', handler: 'first' },
          { type: 'tts_say', text: 'One moment.' },
          { type: 'function', handler: 'second' },
        ],
        postActions: [
          { type: 'function', handler: 'third' },
          { type: 'tts_say', text: 'As I said.' },
          { type: 'function', handler: 'fourth' },
        ],
      }),
      (request) => {
        trace.push(`asked in ${request.node}`);
        return request.node === 'room' ? { text: 'The room.' } : { calls: [{ name: 'go' }] };
      },
      { handlers, sink: sinkInto(trace) },
    );
    trace.length = 0;
    await runner.send('go');
    const said = trace.filter((entry) => entry.startsWith('said'));
    expect(said).toEqual(['said: One moment.', 'said: The room.', 'said: As I said.']);
    // A handler does not wait for earlier speech, but the next node waits for this one.
    expect(trace.filter((entry) => entry !== 'said: One moment.')).toEqual([
      'asked in hall',
      'first',
      'second',
      'asked in room',
      'said: The room.',
      'third',
      'said: As I said.',
      'fourth',
    ]);
  });

  it('run on each visit, but not when its question is repeated', async () => {
    const { trace, handlers } = noting(['enter']);
    const { runner } = await live(
      entering({ taskMessages: prompt('Room.'), preActions: [{ type: 'function', handler: 'enter' }] }),
      {
        hall: [{ when: 'go', calls: [{ name: 'go' }] }, { text: 'Yes?' }],
        room: [{ when: 'back', calls: [{ name: 'back' }] }, { text: 'The room.' }],
      },
      { handlers },
    );
    await runner.send('go');
    await runner.send('what a room');
    expect(trace).toEqual(['enter']);
    await runner.send('back');
    await runner.send('go');
    expect(trace).toEqual(['enter', 'enter']);
  });

  it('run in their order around a line of the node, without the model', async () => {
    const { trace, handlers } = noting(['before', 'after']);
    const { runner, model } = await live(
      entering({
        say: 'Here it is.',
        preActions: [{ type: 'function', handler: 'before' }],
        postActions: [{ type: 'function', handler: 'after' }],
      }),
      script,
      { handlers, sink: sinkInto(trace) },
    );
    trace.length = 0;
    await runner.send('go');
    expect(trace).toEqual(['before', 'said: Here it is.', 'after']);
    expect(model.requests).toHaveLength(1);
  });
});

describe('a handler', () => {
  it('receives its data, filled with known values, and a context', async () => {
    const given: { data: JsonObject; context: FlowToolContext }[] = [];
    const { runner } = await live(
      entering(
        {
          say: 'Here.',
          preActions: [{ type: 'function', handler: 'log', level: 3, who: '{{ guest }}', text: 'Room of {{ guest }}' }],
        },
        { slots: { guest: { type: 'text' } } },
      ),
      script,
      { handlers: { log: (data, context) => given.push({ data, context }) } },
    );
    await runner.send('go');
    expect(given[0]?.data).toMatchObject({ level: 3, who: 'Ada' });
    expect(given[0]?.context).toMatchObject({ sessionId: runner.sessionId, node: 'room', attempt: 1 });
    expect(given[0]?.context.key).toMatch(new RegExp(`^${runner.sessionId}/2/\\d+$`));
    expect(given[0]?.context.get('guest')).toBe('Ada');
    expect(given[0]?.context.get('nothing')).toBeUndefined();
  });

  it('of a custom action is found by the action’s type', async () => {
    const given: JsonObject[] = [];
    const { runner } = await live(entering({ say: 'Here.', preActions: [{ type: 'ring_bell', times: 2 }] }), script, {
      handlers: { ring_bell: (data) => given.push(data) },
    });
    await runner.send('go');
    expect(given).toEqual([expect.objectContaining({ times: 2 })]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new FlowError('bell-broken', 'the bell does not ring.');
      },
    ],
    ['rejects', () => Promise.reject(new FlowError('bell-broken', 'the bell does not ring.'))],
  ])('that %s is reported by its code, and the flow lives on', async (_how, handler) => {
    const { runner, heard, events } = await live(
      entering({
        say: 'Here.',
        preActions: [{ type: 'function', handler: 'ring' }],
        postActions: [{ type: 'function', handler: 'ring' }],
      }),
      script,
      { handlers: { ring: handler } },
    );
    await runner.send('go');
    expect(heard.at(-1)).toBe('Here.');
    expect(events.filter(({ type }) => type === 'response:failed').map(({ data }) => data)).toEqual([
      expect.objectContaining({ reason: 'bell-broken' }),
      expect.objectContaining({ reason: 'bell-broken' }),
    ]);
    const settled = events.filter(
      ({ type, data }) => type === 'effect:settled' && (data as { kind: string }).kind === 'action',
    );
    expect(settled.map(({ data }) => (data as { state: string }).state)).toEqual(['failed', 'failed']);
    await runner.send('and now?');
    expect(heard.at(-1)).toBe('The room.');
  });

  it('that is not registered is refused before the call begins', async () => {
    const broken = live(entering({ say: 'Here.', preActions: [{ type: 'function', handler: 'ring' }] }), script);
    await expect(broken).rejects.toMatchObject({ code: 'flow-invalid', message: expect.stringContaining('"ring"') });
  });

  it('that is slow delays the node’s speech', async () => {
    const [ringing, rung] = [createGate(), createGate()];
    const trace: string[] = [];
    const { runner } = await live(
      entering({ say: 'Here.', preActions: [{ type: 'function', handler: 'ring' }] }),
      script,
      {
        handlers: {
          ring: async () => {
            ringing.open();
            await rung.opened;
            trace.push('rung');
          },
        },
        sink: sinkInto(trace),
      },
    );
    trace.length = 0;
    const answered = runner.send('go');
    await ringing.opened;
    await new Promise((resolve) => setImmediate(resolve));
    expect(trace).toEqual([]);
    rung.open();
    await answered;
    expect(trace).toEqual(['rung', 'said: Here.']);
  });
});

describe('end_conversation', () => {
  it('after the node was heard says its own words, ends, and runs no further action', async () => {
    const { trace, handlers } = noting(['after', 'never']);
    const { runner, heard } = await live(
      entering({
        taskMessages: prompt('Room.'),
        postActions: [
          { type: 'function', handler: 'after' },
          { type: 'end_conversation', text: 'Goodbye.' },
          { type: 'function', handler: 'never' },
        ],
      }),
      script,
      { handlers, onEnd: 'keep' },
    );
    await runner.send('go');
    expect(await runner.ended).toBe('end_conversation');
    expect(heard.join(' ')).toBe('Hello. The room. Goodbye.');
    expect(trace).toEqual(['after']);
  });

  it('before the node speaks ends without the node', async () => {
    const { runner, heard, model } = await live(
      entering({
        taskMessages: prompt('Room.'),
        preActions: [{ type: 'end_conversation', text: 'We are closed.' }],
      }),
      script,
      { onEnd: 'keep' },
    );
    await runner.send('go');
    expect(await runner.ended).toBe('end_conversation');
    expect(heard).toEqual(['Hello.', 'We are closed.']);
    expect(model.requests).toHaveLength(1);
  });

  it('comes last if a node ends: speech, then post-actions, then the end', async () => {
    const trace: string[] = [];
    const { runner } = await live(
      entering({
        functions: [],
        say: 'Goodbye then.',
        end: 'left',
        postActions: [{ type: 'function', handler: 'log' }],
      }),
      script,
      { handlers: { log: () => void trace.push(`log while ${runnerState()}`) }, sink: sinkInto(trace), onEnd: 'keep' },
    );
    const runnerState = (): string => runner.state.status;
    runner.on('flow:ended', () => trace.push('ended'));
    trace.length = 0;
    await runner.send('go');
    await runner.ended;
    expect(trace).toEqual(['said: Goodbye then.', 'log while ending', 'ended']);
  });
});

describe('respond_immediately: false', () => {
  it('enters silently, with its actions, and answers the caller’s next words', async () => {
    const { trace, handlers } = noting(['before', 'after']);
    const { runner, model, heard } = await live(
      entering({
        taskMessages: prompt('Room.'),
        respondImmediately: false,
        preActions: [{ type: 'function', handler: 'before' }],
        postActions: [{ type: 'function', handler: 'after' }],
      }),
      script,
      { handlers },
    );
    await runner.send('go');
    expect(runner.currentNode).toBe('room');
    expect(heard).toEqual(['Hello.']);
    expect(model.requests).toHaveLength(1);
    expect(trace).toEqual(['before', 'after']);
    await runner.send('and now?');
    expect(heard.at(-1)).toBe('The room.');
    expect(model.requests).toHaveLength(2);
  });

  it('of the first node lets the caller begin', async () => {
    const { runner, model, heard } = await live(
      {
        initialNode: 'room',
        nodes: {
          room: {
            taskMessages: prompt('Room.'),
            respondImmediately: false,
            functions: [{ name: 'again', transitionTo: 'room' }],
          },
        },
      },
      script,
    );
    expect(heard).toEqual([]);
    expect(model.requests).toHaveLength(0);
    await runner.send('hello');
    expect(heard).toEqual(['The room.']);
  });
});

/** Records each line when it was spoken completely. */
function sinkInto(trace: string[]): { write(text: string): Promise<void>; end(): void } {
  let line = '';
  const end = (): void => {
    const said = line.trim();
    line = '';
    if (said !== '') trace.push(`said: ${said}`);
  };
  return {
    async write(text) {
      line += text;
      if (/[.?!]\s*$/.test(line)) end();
    },
    end,
  };
}
