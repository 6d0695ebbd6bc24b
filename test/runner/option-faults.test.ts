import { describe, expect, test } from 'vitest';
import { serveChannel } from '../../src/livekit/channels/serve-channel.ts';
import { createTerminalChannel } from '../../src/livekit/channels/terminal.ts';
import { createVoiceChannel } from '../../src/livekit/channels/voice.ts';
import { createWebSocketChannel } from '../../src/livekit/channels/websocket.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { openStore } from '../../src/runner/options/open-store.ts';
import { loadFlow } from '../../src/flow/load/load-flow.ts';
import { replaySession } from '../../src/runner/replay-session.ts';
import { systemClock } from '../../src/system.ts';
import { runFlowTest } from '../../src/flowtest/run-flow-test.ts';
import { playInRoom } from '../../src/testing/play-in-room.ts';
import { simulateRoom } from '../../src/testing/simulate-room.ts';
import type { FlowError } from '../../src/model/errors.ts';
import type { EventType } from '../../src/model/events/event.ts';
import { createCatalog } from '../../src/flow/graph/nodes/catalog.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { checkFlow } from '../../src/runner/check-flow.ts';
import { createFlowRun, createFlowRunner } from '../../src/runner/create-flow-run.ts';
import type { FlowRunOptions } from '../../src/runner/flow-run.ts';
import { FlowRunner } from '../../src/runner/flow-runner.ts';
import type { FlowRunnerOptions } from '../../src/runner/options/flow-runner-options.ts';
import { createTextSession } from '../../src/livekit/agent/text-session.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

const tasks = { flow: {}, nodes: { a: { type: 'control.noop' } } };
const stays = {
  nodes: {
    a: { say: 'Hello.', functions: [{ name: 'leave', description: 'Leave.', transition_to: 'b' }] },
    b: { end: true as const },
  },
};
const talk = { initialNode: 'a', nodes: { a: { say: 'Hello.', end: true as const } } };

function slip(name: string, meant: string): string {
  return `${name}: there is no such option. Did you mean "${meant}"?`;
}

function refusalOf(run: () => unknown): string {
  try {
    run();
    return 'none';
  } catch (error) {
    return (error as FlowError).message; // A result that is not an error has no message, and the test fails.
  }
}

describe('what code that no compiler has seen gives is refused by a name', () => {
  const wrong: readonly [name: string, value: unknown][] = [
    ['store', 5],
    ['store', {}],
    ['tools', 5],
    ['tools', [null]],
    ['input', 5],
    ['input', [1]],
    ['flows', 5],
    ['sessionId', ''],
    ['sessionId', 5],
  ];
  test.each([...wrong, ['clock', 5] as const, ['channels', 5] as const, ['channels', [null]] as const])(
    'createFlowRun and createFlowRunner: %s %j',
    (name, value) => {
      const options = { [name]: value } as FlowRunOptions; // Invalid on purpose.
      const refusal = new RegExp(`^config-invalid: ${name}: must be an? `);
      expect(refusalOf(() => createFlowRun(tasks, options))).toMatch(refusal);
      expect(refusalOf(() => createFlowRunner(tasks, builtinCatalog, options))).toMatch(refusal);
    },
  );

  test.each([
    ...wrong,
    ['language', 'Klingon'] as const,
    ['language', 5] as const,
    ['session', null] as const,
    ['session', {}] as const,
    ['agent', 5] as const,
    ['host', 'none'] as const,
    ['settings', []] as const,
    ['settings.clock', 5] as const,
    ['settings.moves', 5] as const,
    ['settings.timeZone', 'Mars'] as const,
    ['settings.catalog', {}] as const,
    ['host.user', 5] as const,
    ['host.resources', 'none'] as const,
  ])('FlowRunner: %s %j', (place, value) => {
    const session = createTextSession(new ScriptedModel({}));
    const [name = '', member] = place.split('.');
    const given = { [name]: member === undefined ? value : { [member]: value } };
    const options = { session, flow: talk, ...given } as FlowRunnerOptions; // Invalid on purpose.
    expect(refusalOf(() => new FlowRunner(options))).toMatch(new RegExp(`^config-invalid: ${place}: must be a`));
  });

  test.each([
    ['prompt', 'agent'],
    ['followUps', 'agent'],
    ['hooks', 'agent'],
    ['user', 'host'],
    ['correlation', 'host'],
    ['timeZone', 'settings'],
    ['clock', 'settings'],
    ['onEnd', 'settings'],
  ])('an option of an earlier release has its new place in the error: %s', (name, group) => {
    const session = createTextSession(new ScriptedModel({}));
    const options = { session, flow: talk, [name]: {} };
    expect(refusalOf(() => new FlowRunner(options))).toBe(
      `config-invalid: ${name}: this option is a part of ${group}. Write ${group}: { ${name}: … }.`,
    );
  });

  test.each(['owner', 'resume', 'begunBy', 'shared', 'writesTo'])(
    'an option of an earlier release that only a worker sets is refused: %s',
    (name) => {
      const session = createTextSession(new ScriptedModel({}));
      const options = { session, flow: talk, [name]: 'x' };
      expect(refusalOf(() => new FlowRunner(options))).toMatch(
        new RegExp(`^config-invalid: ${name}: this option is not open to code outside Roomflow\\. .+ Remove it\\.$`),
      );
    },
  );

  test.each([
    ['hoks', 'agent.hooks'],
    ['flowRouter', 'agent.router'],
    ['beforeResponse', 'agent.hooks.beforeResponse'],
    ['sessionID', 'sessionId'],
  ])('an option that is nearly called like one, or as elsewhere: %s', (name, meant) => {
    const session = createTextSession(new ScriptedModel({}));
    const told = `config-invalid: ${name}: there is no such option. Did you mean "${meant}"?`;
    const options = { session, flow: talk, [name]: {} };
    expect(refusalOf(() => new FlowRunner(options))).toBe(told);
    expect(refusalOf(() => createFlowRun(tasks, { [name]: {} }))).toBe(told);
    expect(refusalOf(() => new FlowRunner({ session, agent: { hoks: {} } } as FlowRunnerOptions))).toBe(
      'config-invalid: agent.hoks: there is no such option. Did you mean "agent.hooks"?',
    );
    // Options may be spread from an object of the caller.
    expect(
      refusalOf(() => new FlowRunner({ ...options, [name]: undefined, tenant: 5 } as FlowRunnerOptions)),
    ).not.toContain('tenant');
  });

  test.each([
    [{ callsPerTrun: 5 }, 'settings.limits: there is no "callsPerTrun". Did you mean "callsPerTurn"?'],
    [{ replyMs: '9' }, 'settings.limits.replyMs: must be a number, but it is text.'],
    [5, 'settings.limits: must be an object, but it is a number.'],
  ])('limits %j', (limits, told) => {
    const session = createTextSession(new ScriptedModel({}));
    const options = { session, flow: talk, settings: { limits } } as unknown as FlowRunnerOptions; // Invalid on purpose.
    expect(refusalOf(() => new FlowRunner(options))).toBe(`config-invalid: ${told}`);
  });

  test.each([
    [{ concurency: 5 }, 'policy: there is no "concurency". Did you mean "concurrency"?'],
    [{ concurrency: 0 }, 'policy.concurrency: must be at least 1, but it is 0.'],
    [{ failFast: 'no' }, 'policy.failFast: must be true or false, but it is text.'],
    [5, 'policy: must be an object, but it is a number.'],
    [null, 'policy: must be an object, but it is empty.'],
  ])('policy %j', (policy, told) => {
    const options = { policy } as unknown as FlowRunOptions; // Invalid on purpose.
    expect(refusalOf(() => createFlowRun(tasks, options))).toBe(`config-invalid: ${told}`);
    expect(refusalOf(() => createFlowRunner(tasks, builtinCatalog, options))).toBe(`config-invalid: ${told}`);
  });

  const session = createTextSession(new ScriptedModel({}));
  const channel = createWebSocketChannel();
  const memory = createMemoryStore({ clock: systemClock });
  const model = new ScriptedModel({});
  const given = (options: object) => options as never; // Invalid on purpose.
  test.each<[name: string, call: () => unknown, told: string]>([
    ['createTerminalChannel', () => createTerminalChannel(given({ inputs: 1 })), slip('inputs', 'input')],
    [
      'createTerminalChannel',
      () => createTerminalChannel(given({ width: '80' })),
      'width: must be a number of at least 0.',
    ],
    ['createVoiceChannel', () => createVoiceChannel(session, given({ onend: 'keep' })), slip('onend', 'onEnd')],
    ['createVoiceChannel', () => createVoiceChannel(given({})), 'session: must be a LiveKit AgentSession.'],
    [
      'createWebSocketChannel',
      () => createWebSocketChannel(given({ heartBeatMs: 5 })),
      slip('heartBeatMs', 'heartbeatMs'),
    ],
    ['serveChannel', () => serveChannel(channel, given({ tokn: 'x' })), 'token: is missing: it must be text.\n  tokn'],
    ['serveChannel', () => serveChannel(channel, { token: 'x'.repeat(16), port: -1 }), 'port: must be at least 0'],
    ['serveChannel', () => serveChannel(given({}), { token: 'x'.repeat(16) }), 'channel: must be a channel, as'],
    [
      'openStore',
      () => openStore('memory', given({ clok: 1 })),
      'clok: there is no such option. There are clock and access.',
    ],
    [
      'openStore',
      () => openStore('memory', given({ clock: systemClock, access: 'reed' })),
      'access: must be "read" or',
    ],
    [
      'openStore',
      () => openStore('memory', given({ clock: systemClock, acess: 'read' })),
      'acess: there is no such option.',
    ],
    ['replaySession', () => replaySession(memory, 's', given({ catalogue: 5 })), slip('catalogue', 'catalog')],
    ['checkFlow', () => checkFlow(talk, given({ functions: ['book'] })), 'functions: must be a Set of names.'],
    ['loadFlow', () => loadFlow(talk, given({ basefolder: '.' })), slip('basefolder', 'baseFolder')],
    ['simulateRoom', () => simulateRoom(talk, [], given({ modle: {} })), 'model: must be a script, or a LiveKit LLM.'],
    ['simulateRoom', () => simulateRoom(talk, [], given({ model, graceMS: 5 })), slip('graceMS', 'graceMs')],
    ['playInRoom', () => playInRoom(talk, [], given({ model })), 'server: must be an object with url, apiKey and'],
    ['runFlowTest', () => runFlowTest('x', given({ engin: 'live' })), slip('engin', 'engine')],
  ])('%s %#', async (_name, call, told) => {
    await expect(Promise.resolve().then(call)).rejects.toThrow(`config-invalid: ${told}`);
  });

  test.each([
    [[{ text: 'Hello.' }], 'must be a function, or an object of rules by node.'],
    [{ '*': { text: 'Hello.' } }, '*: must be a list of rules.'],
    [{ '*': [{ txt: 'Hello.' }] }, '*[0].txt: there is no such option. Did you mean "text"?'],
    [{ greet: [{}, { when: 5 }] }, 'greet[1].when: must be a text or a regular expression.'],
  ])('the script of a model %j', (script, told) => {
    expect(refusalOf(() => new ScriptedModel(script as never))).toContain(told);
  });

  test('what a runner is told: options of a turn, a node that is none, a listener that is none', async () => {
    const runner = new FlowRunner({ session: createTextSession(new ScriptedModel({})), flow: { ...talk, ...stays } });
    await runner.start();
    const told = async (call: () => unknown): Promise<string> =>
      await Promise.resolve()
        .then(call)
        .then(
          () => 'none',
          (error: FlowError) => error.message,
        );
    expect(await told(() => runner.send('Hi.', given({ evntId: 'a' })))).toBe(
      `input-invalid: ${slip('evntId', 'eventId')}`,
    );
    expect(await told(() => runner.send('Hi.', given({ via: 'voice' })))).toBe(
      'input-invalid: via: is not one of text, dtmf.',
    );
    expect(await told(() => runner.enter(undefined as never))).toMatch(
      /^node-unknown: node "undefined" is not in flow/,
    );
    expect(await told(() => runner.swapFlow(talk, given({ nodes: 'a' })))).toBe(
      `input-invalid: ${slip('nodes', 'node')}`,
    );
    expect(await told(() => runner.on('flow:ended', undefined as never))).toBe(
      'input-invalid: the listener must be a function.',
    );
    expect(await told(() => runner.onSpeech(undefined as never))).toBe(
      'input-invalid: the listener must be a function.',
    );
    await runner.stop();
  });

  test('what a run is told: a channel and a listener that are none, and how it is to end', () => {
    const run = createFlowRun(tasks);
    const none = 'input-invalid: attach() needs a channel, such as createTerminalChannel().';
    expect(refusalOf(() => run.attach(undefined as never))).toBe(none);
    expect(refusalOf(() => run.attach(given({})))).toBe(none);
    expect(refusalOf(() => run.subscribe('task:*', undefined as never))).toBe(
      'input-invalid: the listener must be a function.',
    );
    expect(refusalOf(() => run.abort(given({ handover: true })))).toBe(
      `input-invalid: ${slip('handover', 'handOver')}`,
    );
  });

  test('a listener to what is no event', () => {
    const runner = new FlowRunner({ session: createTextSession(new ScriptedModel({})), flow: talk });
    const listenTo = (type: string) => refusalOf(() => runner.on(type as EventType, () => undefined));
    expect(listenTo('transition:take')).toBe(
      'input-invalid: there is no event "transition:take" to listen to. Did you mean "transition:taken"?',
    );
    expect(listenTo('nope')).toMatch(
      /^input-invalid: there is no event "nope" to listen to\. There are .*turn:completed/,
    );
  });

  test.each([null, {}, new Map()])('a catalog %j', (given) => {
    const catalog = given as unknown as typeof builtinCatalog;
    expect(refusalOf(() => createFlowRunner(tasks, catalog))).toMatch(/^catalog-invalid: /);
    expect(refusalOf(() => createFlowRun(tasks, { catalog }))).toMatch(/^(config|catalog)-invalid: /);
    expect(refusalOf(() => checkFlow(talk, { catalog }))).toMatch(/^catalog-invalid: /);
  });

  test('a run that is to go on from nowhere', () => {
    expect(refusalOf(() => createFlowRun(tasks, { retry: true, sessionId: 'a' }))).toBe(
      'config-invalid: retry: needs store, where the run is kept that is to go on.',
    );
  });

  test('a member of the policy that is undefined is as one that is absent', async () => {
    const policy = { concurrency: undefined } as unknown as NonNullable<FlowRunOptions['policy']>; // Possible in JavaScript.
    expect(await createFlowRun(tasks, { policy }).run()).toMatchObject({ status: 'complete' });
  });

  test('what makes no catalog', () => {
    const wrong = [5, null, {}].map((given) => given as unknown as []); // Invalid on purpose.
    for (const types of wrong) expect(refusalOf(() => createCatalog(types))).toMatch(/^catalog-invalid: /);
    expect(refusalOf(() => createCatalog([], {} as unknown as Map<string, never>))).toMatch(/^catalog-invalid: /);
  });

  test.each([undefined, null, 5])('options that are %j', (given) => {
    expect(refusalOf(() => new FlowRunner(given as unknown as FlowRunnerOptions))).toMatch(/^config-invalid: /);
    expect(checkFlow(talk, given as unknown as object).diagnostics).toEqual([]);
  });
});
