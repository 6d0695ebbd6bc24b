import { voice } from '@livekit/agents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import type { FlowError } from '../../src/model/errors.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { createRunner, type FlowRunner } from '../../src/runner/flow-runner.ts';
import type { RunnerOptions } from '../../src/runner/options/runner-options.ts';
import { systemClock } from '../../src/system.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { type ModelScript, ScriptedModel } from '../../src/testing/scripted-model.ts';
import { createGate } from './gate.ts';
import { live } from './live.ts';

const prompt = (content: string) => [{ role: 'system' as const, content }];

const twoRooms: ConversationFlow = {
  name: 'rooms',
  initialNode: 'hall',
  nodes: {
    hall: { say: 'Hello.', taskMessages: prompt('Hall.'), functions: [{ name: 'go', transitionTo: 'attic' }] },
    attic: { taskMessages: prompt('Attic.'), functions: [{ name: 'leave', transitionTo: 'bye' }] },
    bye: { say: 'Goodbye.', end: 'left' },
  },
};
const script: ModelScript = {
  '*': [
    { when: 'up', calls: [{ name: 'go' }] },
    { when: 'out', calls: [{ name: 'leave' }] },
    { when: 'hello', text: 'Yes?' },
    { text: 'Here we are.' },
  ],
};

/** A runner that was not started. */
function runnerOf(flow: unknown, options: Partial<RunnerOptions> = {}): FlowRunner {
  const session = options.session ?? createTextSession(new ScriptedModel(script));
  onTestFinished(() => void session.close());
  const runner = createRunner({ session, flow: flow as ConversationFlow, timeZone: 'UTC', ...options });
  onTestFinished(() => runner.stop());
  return runner;
}

/** Returns the error of creating a runner. */
function refusal(flow: unknown, options: Parameters<typeof runnerOf>[1] = {}): FlowError {
  try {
    runnerOf(flow, options);
  } catch (error) {
    return error as FlowError; // The test checks its code, so any other error fails there.
  }
  throw new Error('The runner was made.');
}

describe('a LiveKit session belongs to one runner', () => {
  it('a second runner is refused, the first continues, and after it a new one may take the session', async () => {
    const session = createTextSession(new ScriptedModel(script));
    const first = runnerOf(twoRooms, { session, onEnd: 'keep' });
    await first.start();
    await first.idle();
    await expect(runnerOf(twoRooms, { session }).start()).rejects.toMatchObject({ code: 'session-held' });
    expect(await first.send('go up')).toBe('taken');
    expect(first.currentNode).toBe('attic');
    await first.leave();
    const next = runnerOf(twoRooms, { session, onEnd: 'keep' });
    await next.start();
    await next.idle();
    expect(next.currentNode).toBe('hall');
  });

  it('is free again if a runner could not start', async () => {
    const session = createTextSession(new ScriptedModel(script));
    await expect(runnerOf(twoRooms, { session, store: 'nowhere:/x' }).start()).rejects.toThrow();
    await runnerOf(twoRooms, { session }).start();
  });
});

describe('a runner is started once', () => {
  it('a second start is refused and disturbs nothing, also while the first is under way', async () => {
    const runner = runnerOf(twoRooms);
    const starting = runner.start();
    await expect(runner.start()).rejects.toMatchObject({ code: 'already-started' });
    await starting;
    await expect(runner.start()).rejects.toMatchObject({ code: 'already-started' });
    await runner.idle();
    expect(await runner.send('go up')).toBe('taken');
    expect(runner.currentNode).toBe('attic');
  });

  it('before the start, sending, reading and moving throw', async () => {
    const runner = runnerOf(twoRooms);
    const notStarted = expect.objectContaining({ code: 'not-started' });
    await expect(runner.send('hello')).rejects.toEqual(notStarted);
    await expect(runner.enter('attic')).rejects.toEqual(notStarted);
    await expect(runner.swapFlow(twoRooms)).rejects.toEqual(notStarted);
    expect(() => runner.state).toThrow('not-started');
    expect(() => runner.currentNode).toThrow('not-started');
  });

  it('a stopped runner does not start', async () => {
    const runner = runnerOf(twoRooms);
    await runner.stop();
    await expect(runner.start()).rejects.toMatchObject({ code: 'already-started' });
    expect(await runner.ended).toBe('stopped');
  });

  it('if LiveKit cannot start, the session is released', async () => {
    const clock = systemClock;
    const store = createMemoryStore({ clock });
    const session = createTextSession(new ScriptedModel(script));
    session.start = () => Promise.reject(new Error('no room'));
    const runner = runnerOf(twoRooms, { session, store, sessionId: 'call-1' });
    await expect(runner.start()).rejects.toThrow('no room');
    expect(await store.leases.acquire({ sessionId: 'call-1', owner: 'another', ttlMs: 1000 })).not.toBeNull();
    expect(await runner.ended).toBe('start-failed');
  });
});

describe('the caller’s input', () => {
  it('is taken once per id, however often and fast it comes', async () => {
    const { runner, model } = await live(twoRooms, script);
    const outcomes = await Promise.all([
      runner.send('hello', { eventId: 'm1' }),
      runner.send('hello', { eventId: 'm1' }),
      runner.send('hello', { eventId: 'm1' }),
    ]);
    expect(outcomes.toSorted()).toEqual(['duplicate', 'duplicate', 'taken']);
    expect(await runner.send('hello', { eventId: 'm1' })).toBe('duplicate');
    expect(await runner.send('hello', { eventId: 'm2' })).toBe('taken');
    expect(model.requests).toHaveLength(2);
    expect(runner.state.turn.number).toBe(3);
  });

  it('after the end returns `over`, without a request to the model', async () => {
    const { runner, model } = await live(twoRooms, script, { onEnd: 'keep' });
    await runner.send('go up');
    await runner.send('go out');
    expect(await runner.ended).toBe('left');
    const asked = model.requests.length;
    expect(await runner.send('hello')).toBe('over');
    expect(model.requests).toHaveLength(asked);
  });
});

describe('a runner reports', () => {
  it('the current node and all known values', async () => {
    const { runner } = await live(twoRooms, script);
    expect(runner.currentNode).toBe('hall');
    await runner.send('go up');
    expect(runner.currentNode).toBe('attic');
    expect(runner.state).toMatchObject({
      position: { node: 'attic', visit: 2, flow: { id: 'rooms' } },
      turn: { number: 2 },
      status: 'active',
    });
  });

  it('typed events of one session in order, until the listener unsubscribes', async () => {
    const runner = runnerOf(twoRooms);
    const moves: string[] = [];
    const seqs: number[] = [];
    const leave = runner.on('transition:taken', ({ data }) => moves.push(`${data.from} -> ${data.to}`));
    runner.hub.subscribe('*', ({ seq, sessionId }) => sessionId === runner.sessionId && seqs.push(seq));
    await runner.start();
    await runner.send('go up');
    leave();
    await runner.send('go out');
    expect(moves).toEqual(['hall -> attic']);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it('the heard words, and whether they were interrupted', async () => {
    const runner = runnerOf(twoRooms);
    const heard: [string, boolean][] = [];
    runner.onSpeech((text, interrupted) => heard.push([text, interrupted]));
    await runner.start();
    await runner.idle();
    await runner.send('hello');
    expect(heard).toEqual([
      ['Hello.', false],
      ['Yes?', false],
    ]);
  });
});

describe('code can move the conversation', () => {
  it('by entering a node, which then speaks', async () => {
    const { runner, path, heard } = await live(twoRooms, script);
    await runner.enter('attic');
    expect(path).toEqual(['hall -> attic']);
    expect(heard.at(-1)).toBe('Here we are.');
  });

  it('but not to a node that does not exist', async () => {
    const { runner, path } = await live(twoRooms, script);
    await expect(runner.enter('cellar')).rejects.toMatchObject({ code: 'node-unknown' });
    await expect(runner.enter('__proto__')).rejects.toMatchObject({ code: 'node-unknown' });
    expect(path).toEqual([]);
    expect(runner.currentNode).toBe('hall');
  });

  const first: ConversationFlow = {
    name: 'first',
    initialNode: 'ask',
    slots: { guest: { type: 'text', ask: 'Who?' }, table: { type: 'integer' } },
    nodes: {
      ask: { collect: ['guest'], defaultTransition: 'more' },
      more: { say: 'More?', functions: [{ name: 'again', transitionTo: 'ask' }] },
    },
  };
  const second: ConversationFlow = {
    name: 'second',
    initialNode: 'start',
    slots: { guest: { type: 'text', ask: 'Your name?' }, hour: { type: 'text', ask: 'When?' } },
    nodes: {
      start: { collect: ['guest', 'hour'], defaultTransition: 'done' },
      done: { say: '{{ guest }} at {{ hour }}.', end: 'done' },
    },
  };

  it('by swapping the flow, which continues with its known slots; the store keeps both', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const { runner, heard } = await live(
      first,
      { '*': [{ when: 'Ada', calls: [record({ guest: 'Ada' })] }] },
      { store },
    );
    const before = runner.state.position.flow;
    await runner.send('Ada');
    await runner.swapFlow(second);
    expect(heard.at(-1)).toBe('When?');
    expect(runner.state).toMatchObject({ position: { node: 'start', flow: { id: 'second' } } });
    expect(runner.state.knowledge.slots['guest']?.value).toBe('Ada');
    expect(await store.graphs.get(before.hash)).toMatchObject({ name: 'first' });
    expect(await store.graphs.get(runner.state.position.flow.hash)).toMatchObject({ name: 'second' });
  });

  it.each<[string, unknown, { node?: string }, string]>([
    ['a broken flow', { initialNode: 'x', nodes: {} }, {}, 'flow-invalid'],
    [
      'a flow that needs an input nobody gave',
      { ...second, input: { clinic: { type: 'string' } } },
      {},
      'input-missing',
    ],
    ['a node that it does not have', second, { node: 'nowhere' }, 'node-unknown'],
  ])('but not to %s: then nothing changes', async (_what, flow, options, code) => {
    const { runner, heard } = await live(first, { '*': [{ when: 'Ada', calls: [record({ guest: 'Ada' })] }] });
    const before = runner.state;
    await expect(runner.swapFlow(flow as ConversationFlow, options)).rejects.toMatchObject({ code });
    expect(runner.state).toEqual(before);
    await runner.send('Ada');
    expect(heard.at(-1)).toBe('More?');
  });
});

describe('a runner ends', () => {
  it('when it is stopped: once, with the first reason, and the lease is free', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const { runner, session } = await live(twoRooms, script, { store, sessionId: 'call-2' });
    let closed = false;
    session.on(voice.AgentSessionEventTypes.Close, () => (closed = true));
    await runner.stop('enough');
    await runner.stop('again');
    expect(await runner.ended).toBe('enough');
    expect(closed).toBe(false);
    expect(await store.leases.acquire({ sessionId: 'call-2', owner: 'another', ttlMs: 1000 })).not.toBeNull();
    expect(await runner.send('hello')).toBe('over');
  });

  it('with its flow: the session closes once the last words were heard', async () => {
    const { runner, session, heard } = await live(twoRooms, script);
    const closed = createGate();
    session.on(voice.AgentSessionEventTypes.Close, () => closed.open());
    await runner.send('go up');
    await runner.send('go out');
    expect(await runner.ended).toBe('left');
    expect(heard.at(-1)).toBe('Goodbye.');
    await closed.opened;
  });

  it('with its flow, and the session is kept where that is asked for', async () => {
    const { runner, session } = await live(twoRooms, script, { onEnd: 'keep' });
    await runner.send('go up');
    await runner.send('go out');
    expect(await runner.ended).toBe('left');
    const entered = createGate();
    session.updateAgent(voice.Agent.create({ instructions: 'Another one.', onEnter: () => entered.open() }));
    await entered.opened;
    await session.generateReply({ userInput: 'hello' }).waitForPlayout();
    expect(session.history.items.at(-1)).toMatchObject({ role: 'assistant', content: ['Yes?'] });
  });

  it('when LiveKit closes the session', async () => {
    const { runner, session } = await live(twoRooms, script);
    await session.close();
    expect(await runner.ended).toBe('session-closed');
  });

  it('even if the store has failed', async () => {
    const memory = createMemoryStore({ clock: systemClock });
    const { runner } = await live(twoRooms, script, {
      store: { ...memory, leases: { ...memory.leases, release: () => Promise.reject(new Error('gone')) } },
    });
    await expect(runner.stop()).rejects.toThrow('gone');
    expect(await runner.ended).toBe('stopped');
  });
});

describe('sessions', () => {
  it('that already run are taken over, with their earlier conversation', async () => {
    const model = new ScriptedModel(script);
    const session = createTextSession(model);
    await session.start({ agent: new voice.Agent({ instructions: 'Be kind.' }) });
    await session.generateReply({ userInput: 'hello' }).waitForPlayout();
    const runner = runnerOf(twoRooms, { session });
    const heard: string[] = [];
    runner.onSpeech((text) => heard.push(text));
    await runner.start();
    await runner.idle();
    await runner.send('go up');
    expect(heard).toEqual(['Hello.', 'Here we are.']);
    expect(runner.currentNode).toBe('attic');
    expect(model.requests.at(-1)).toMatchObject({
      instructions: 'Attic.',
      items: ['user: hello', 'assistant: Yes?', 'assistant: Hello.', 'user: go up', 'call: go', 'output: go ok'],
    });
  });

  it('of two runners in one process know nothing of each other', async () => {
    const [one, other] = await Promise.all([live(twoRooms, script), live(twoRooms, script)]);
    await Promise.all([one.runner.send('go up'), other.runner.send('hello')]);
    expect([one.runner.currentNode, other.runner.currentNode]).toEqual(['attic', 'hall']);
    expect(one.runner.sessionId).not.toBe(other.runner.sessionId);
    expect(one.path).toEqual(['hall -> attic']);
    expect(other.path).toEqual([]);
    expect(other.model.requests).toHaveLength(1);
  });
});

describe('before anything is said', () => {
  it('a broken flow is refused with all its problems and their locations', () => {
    const error = refusal(
      'initial_node: a\nnodes:\n  a:\n    say: Hi\n    colect: [x]\n  c:\n    default_transition: b\n',
    );
    expect(error.code).toBe('flow-invalid');
    expect(error.message).toMatch(/:7:\d+ unknown-target/);
    expect(error.message).toMatch(/:5:\d+ unknown-key/);
  });

  const greeting: ConversationFlow = {
    name: 'greeting',
    initialNode: 'a',
    input: {
      clinic: { type: 'string' },
      beds: { type: 'integer' },
      motto: { type: 'string', optional: true },
      open: { type: 'boolean', default: true },
    },
    nodes: { a: { say: '{{ clinic }}, {{ beds }} beds.', end: 'done' } },
  };

  it('a required input without a value is refused; all of them are named at once', () => {
    const error = refusal(greeting);
    expect(error.code).toBe('input-missing');
    expect(error.message).toContain('needs the input "clinic" (string), "beds" (integer).');
    expect(refusal(greeting, { input: { clinic: 'Harbour' } }).message).toContain('needs the input "beds" (integer).');
  });

  it.each([
    [{ clinic: 7, beds: 3 }, 'clinic', 'string'],
    [{ clinic: 'Harbour', beds: 2.5 }, 'beds', 'integer'],
    [{ clinic: 'Harbour', beds: 3, open: 'yes' }, 'open', 'boolean'],
    [{ clinic: 'Harbour', beds: 3, motto: null }, 'motto', 'string'],
  ])('an input of another type is refused: %j', (input, name, type) => {
    const error = refusal(greeting, { input });
    expect(error.code).toBe('input-invalid');
    expect(error.message).toContain(`input "${name}" of flow "greeting" must be of type ${type}`);
  });

  it('a given input is used', async () => {
    const { heard } = await live(greeting, {}, { input: { clinic: 'Harbour', beds: 3 } });
    expect(heard).toEqual(['Harbour, 3 beds.']);
  });
});

function record(slots: Record<string, string>) {
  return { name: 'record', arguments: slots };
}
