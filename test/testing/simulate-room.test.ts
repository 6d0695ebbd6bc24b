import { describe, expect, it } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { OfflineBrain } from '../../src/offline/brain/offline-brain.ts';
import {
  assertSimulation,
  createVirtualClock,
  type Script,
  type SimulationOptions,
  type SimulationResult,
  simulateRoom,
} from '../../src/testing/index.ts';
import { desk, deskModel, deskScripts } from './desk.ts';

const monday = createVirtualClock().now();

const play = (script: Script, options: Partial<SimulationOptions> = {}): Promise<SimulationResult> =>
  simulateRoom(desk, script, { model: deskModel, ...options });

const lines = ({ transcript }: SimulationResult): string[] =>
  transcript.map(({ who, text, interrupted }) => `${who}: ${text}${interrupted ? ' …' : ''}`);

const messages = ({ failures }: SimulationResult): string[] =>
  failures.map(({ step, message }) => `${step}: ${message}`);

describe.concurrent('a script', () => {
  it('is played to its end: who said what and when, the nodes, the events, what is known', async () => {
    const result = await play([
      { join: true },
      { expect: { node: 'hello', said: 'welcome' } },
      { say: 'I want to check in' },
      { expect: { node: 'details', said: 'What is your name?', notSaid: 'welcome', requests: 1 } },
      { say: 'Maria Delgado' },
      { expect: { slots: { name: 'Maria Delgado' }, ended: 'done', said: 'Goodbye.', requests: 1 } },
    ]);
    expect(messages(result)).toEqual([]);
    expect(result.ok).toBe(true);
    expect(lines(result)).toEqual([
      'agent: Welcome to the desk of the grand old harbour hotel.',
      'caller: I want to check in',
      'agent: What is your name?',
      'caller: Maria Delgado',
      'agent: Goodbye.',
    ]);
    // 160 words a minute are 375 ms a word.
    expect(result.transcript.map(({ at }) => at - monday)).toEqual([0, 3_750, 3_750, 5_250, 5_250]);
    expect(result.path).toEqual(['hello', 'details', 'bye']);
    expect(result.state).toMatchObject({
      position: { node: 'bye' },
      status: 'ended',
      knowledge: { slots: { name: { value: 'Maria Delgado' } } },
    });
    expect(result.events.map(({ type }) => type)).toContain('slot:filled');
    expect(result.requests.map(({ node }) => node)).toEqual(['hello']);
    expect(result.ended).toBe('done');
  });

  it('that does not begin with a join lets the caller join first', async () => {
    const result = await play([{ say: 'bye' }]);
    expect(lines(result).at(-1)).toBe('agent: Goodbye.');
  });

  it('leaves a conversation open that did not end', async () => {
    const result = await play([{ join: true }]);
    expect(result).toMatchObject({ ok: true, ended: null, path: ['hello'], state: { status: 'active' } });
  });

  it('with an unknown step or a wrong one throws, and names the step', async () => {
    const wrong = [{ join: true }, { silence: -1 }] as Script;
    await expect(play(wrong)).rejects.toThrow(/^script-invalid: the script\n {2}step 2: /);
  });

  it('to a broken flow throws', async () => {
    const broken = { initialNode: 'nowhere', nodes: {} } as unknown as ConversationFlow;
    await expect(simulateRoom(broken, [], { model: {} })).rejects.toThrow('flow-invalid');
  });

  it('begins when and where it is told', async () => {
    const noon = Date.UTC(2031, 4, 1, 12);
    const flow: ConversationFlow = {
      initialNode: 'a',
      input: { who: { type: 'string' } },
      nodes: { a: { say: 'Hello {{ who }}.', end: 'x' } },
    };
    const result = await simulateRoom(flow, [], { model: {}, now: noon, input: { who: 'Ann' } });
    expect(result.transcript).toEqual([{ who: 'agent', text: 'Hello Ann.', at: noon, interrupted: false }]);
  });
});

describe.concurrent('an interruption', () => {
  it('after so many words: exactly those are heard, by the caller and by the model', async () => {
    const result = await play([{ join: true }, { interrupt: 'one question', afterWords: 4 }]);
    expect(messages(result)).toEqual([]);
    expect(lines(result)).toEqual(['agent: Welcome to the desk …', 'caller: one question', 'agent: Yes please?']);
    expect(result.transcript[1]?.at).toBe(monday + 3 * 375);
    expect(result.requests[0]?.items).toEqual(['assistant: Welcome to the desk ', 'user: one question']);
  });

  it('after so many milliseconds of speech', async () => {
    const result = await play([{ say: 'slowly please' }, { interrupt: 'never mind', afterMs: 400 }], {
      wordsPerMinute: 120,
    });
    expect(messages(result)).toEqual([]);
    expect(lines(result).slice(1)).toEqual([
      'caller: slowly please',
      'agent: Here …',
      'caller: never mind',
      'agent: Yes please?',
    ]);
    // The greeting's ten words, the model's 1.2 s, and most of "Here".
    expect(result.transcript[3]?.at).toBe(monday + 5_000 + 1_200 + 400);
  });

  it('before the first word cuts off what the model is thinking about', async () => {
    const result = await play([{ say: 'slowly please' }, { interrupt: 'bye', afterWords: 0 }]);
    expect(messages(result)).toEqual([]);
    expect(lines(result).slice(1)).toEqual(['caller: slowly please', 'caller: bye', 'agent: Goodbye.']);
  });

  it('of an agent that has finished is a failure, and the words are taken all the same', async () => {
    const result = await play([{ say: 'anything' }, { interrupt: 'bye', afterWords: 30 }]);
    expect(messages(result)).toEqual(['2: the agent had finished before it could be interrupted']);
    expect(result.ended).toBe('done');
  });
});

describe.concurrent('a caller who says nothing', () => {
  it('is asked again, with what can be said at last, and the conversation ends for that', async () => {
    const result = await play([
      { say: 'check in' },
      { silence: 7_999 },
      { expect: { notSaid: 'name' } },
      { silence: 1 },
      { expect: { said: 'Are you still there? What is your name?' } },
      { silence: 8_000 },
      { expect: { said: 'What is your name?' } },
      { silence: 8_000 },
      { expect: { said: 'I cannot hear you', ended: 'no-input' } },
    ]);
    expect(messages(result)).toEqual([]);
    const missed = result.events.flatMap(({ type, data }) => (type === 'question:missed' ? [data] : []));
    expect(missed).toEqual([1, 2, 3].map((attempt) => ({ cause: 'no-input', attempt, of: 3 })));
  });

  it('and then speaks over the question is listened to', async () => {
    const result = await play([
      { say: 'check in' },
      { silence: 8_000 },
      { interrupt: 'Maria Delgado', afterWords: 3 },
      { expect: { ended: 'done' } },
    ]);
    expect(messages(result)).toEqual([]);
    expect(lines(result)).toContain('agent: Are you still …');
  });

  it('and has left is not asked at all', async () => {
    const result = await play([{ say: 'check in' }, { leave: true }, { silence: 29_000 }, { rejoin: true }]);
    expect(messages(result)).toEqual([]);
    expect(lines(result).filter((line) => line.startsWith('agent: Are you still'))).toEqual([]);
  });
});

describe('virtual time', () => {
  it('an hour of silence takes next to no time', async () => {
    const before = performance.now();
    const patient = { ...desk, ladder: { noInputMs: 0 } };
    const script = [{ silence: 3_600_000 }, { say: 'bye' }, { expect: { ended: 'done' } }];
    const result = await simulateRoom(patient, script, { model: deskModel });
    expect(performance.now() - before).toBeLessThan(60_000);
    expect(messages(result)).toEqual([]);
    expect(result.transcript.at(-1)?.at).toBe(monday + 3_750 + 3_600_000);
  });

  it('what was said before a silence was not said in it', async () => {
    const result = await play([{ silence: 1_000 }, { expect: { notSaid: 'welcome' } }]);
    expect(messages(result)).toEqual([]);
  });

  it('passes while the model thinks', async () => {
    const result = await play([{ say: 'slowly' }]);
    expect(result.transcript.at(-1)).toMatchObject({ text: 'Here it is.', at: monday + 3_750 + 1_200 });
  });

  it('the reply deadline of 4 s, the filler and the fallback are in virtual time', async () => {
    const flow: ConversationFlow = { ...desk, filler: 'One moment.', fallback: 'Sorry?' };
    const result = await simulateRoom(flow, [{ say: 'hello' }], {
      model: () => ({ text: 'Too late.', delayMs: 60_000 }),
      wordsPerMinute: 0,
    });
    expect(lines(result).at(-1)).toBe('agent: One moment. Sorry?');
    // Words take no time here, so the caller waited for the filler and then for the deadline.
    const failed = result.events.find(
      ({ type, data }) => type === 'effect:settled' && 'state' in data && data.state === 'failed',
    );
    expect(failed?.time).toBe(monday + 4_000);
  });

  it('a function that hangs is over after its virtual time', async () => {
    const flow: ConversationFlow = {
      initialNode: 'a',
      nodes: { a: { say: 'Hi.', functions: [{ name: 'look', handler: 'look', timeoutMs: 9_000 }] } },
    };
    const result = await simulateRoom(flow, [{ say: 'look' }], {
      model: { a: [{ when: 'look', calls: [{ name: 'look' }] }, { text: 'It failed.' }] },
      functions: { look: () => new Promise(() => undefined) },
      wordsPerMinute: 0,
    });
    expect(result.transcript.at(-1)).toMatchObject({ text: 'It failed.', at: monday + 9_000 });
    expect(result.requests.at(-1)?.items.at(-1)).toBe('output: look The function took longer than 9000 ms.');
  });

  it('the same seed takes the same time for the same words, another seed another', async () => {
    const ends = async (seed: number): Promise<number | undefined> =>
      (await play([{ say: 'hello' }], { seed })).transcript.at(-1)?.at;
    const [one, again, other] = await Promise.all([ends(7), ends(7), ends(8)]);
    expect(one).toBe(again);
    expect(one).not.toBe(other);
  });
});

describe.concurrent('who speaks', () => {
  it('the same message twice is one turn', async () => {
    const result = await play([
      { say: 'hello', id: 'm1' },
      { say: 'hello', id: 'm1' },
      { expect: { requests: 1, notSaid: 'Yes please?' } },
    ]);
    expect(messages(result)).toEqual([]);
    expect(result.events.filter(({ type }) => type === 'turn:started')).toHaveLength(1);
  });

  it('a second participant is not heard by the flow', async () => {
    const result = await play([
      { join: 'Ann' },
      { join: 'Ben' },
      { say: 'bye', from: 'Ben' },
      { expect: { node: 'hello', ended: false, requests: 0 } },
      { say: 'bye', from: 'Ann' },
      { expect: { ended: true } },
    ]);
    expect(messages(result)).toEqual([]);
    expect(lines(result)).toContain('Ben: bye');
  });

  it('whoever joins a conversation that has begun is not the caller', async () => {
    const result = await play([{ say: 'hello' }, { join: 'Ben' }, { say: 'bye', from: 'Ben' }]);
    expect(messages(result)).toEqual([]);
    expect(result.ended).toBe(null);
    expect(lines(result)).toContain('caller: hello');
  });

  it('keys are one turn, told apart from words', async () => {
    const result = await play([{ dtmf: '42#' }, { expect: { said: 'Yes please?' } }]);
    expect(messages(result)).toEqual([]);
    expect(result.requests[0]?.userText).toBe('42#');
    expect(result.events.find(({ type }) => type === 'turn:started')?.data).toMatchObject({ via: 'dtmf' });
  });
});

describe.concurrent('a caller who drops out', () => {
  it('and comes back within the time of grace is asked the open question anew, in the same node', async () => {
    const result = await play([
      { say: 'check in' },
      { leave: true },
      { silence: 29_000 },
      { rejoin: true },
      { expect: { node: 'details', said: ['Sorry, I was gone for a moment.', 'What is your name?'] } },
      { silence: 20_000 },
      { say: 'Maria Delgado' },
      { expect: { ended: 'done' } },
    ]);
    expect(messages(result)).toEqual([]);
  });

  it('and stays away ends the conversation', async () => {
    const result = await play([
      { leave: true },
      { silence: 30_000 },
      { expect: { ended: 'caller-left' } },
      { rejoin: true },
    ]);
    expect(messages(result)).toEqual(['4: the conversation has ended before (caller-left)']);
    expect(result.state.status).toBe('ended');
  });

  it('cannot be heard, and cannot come back without having left', async () => {
    const result = await play([{ rejoin: true }, { leave: true }, { say: 'bye' }], { graceMs: 5_000 });
    expect(messages(result)).toEqual(['1: the caller has not left', '3: the caller is not in the room']);
    expect(result.ended).toBe(null);
  });
});

describe.concurrent('what was expected and does not hold', () => {
  it('is listed with its step, and the rest is played', async () => {
    const result = await play([
      { join: true },
      { expect: { node: 'details', said: 'Willkommen', notSaid: '/desk$|hotel/', requests: 3, ended: true } },
      { say: 'check in' },
      { expect: { slots: { name: 'Maria' }, variables: { pay: 1 } } },
      { say: 'Maria Delgado' },
    ]);
    expect(result.ok).toBe(false);
    expect(messages(result)).toEqual([
      '2: expected node "details", got "hello"',
      '2: expected said "Willkommen", got "Welcome to the desk of the grand old harbour hotel."',
      '2: expected not said "/desk$|hotel/", got "Welcome to the desk of the grand old harbour hotel."',
      '2: expected ended true, got null',
      '2: expected requests 3, got 0',
      '4: expected slot name "Maria", got null',
      '4: expected variable pay 1, got null',
    ]);
    expect(result.ended).toBe('done');
  });

  it('is thrown by assertSimulation, with what was said', async () => {
    const result = await play([
      { interrupt: 'bye', afterWords: 2 },
      { expect: { ended: 'paid' } },
      { say: 'anyone there?' },
    ]);
    expect(() => assertSimulation(result)).toThrow(
      new Error(
        [
          'The conversation did not go as expected.',
          '  step 2: expected ended "paid", got "done"',
          '  step 3: the conversation has ended before (done)',
          'What was said:',
          '  agent: Welcome to …',
          '  caller: bye',
          '  agent: Goodbye.',
        ].join('\n'),
      ),
    );
    expect(() => assertSimulation({ ...result, ok: true, failures: [] })).not.toThrow();
  });

  it('requests to a model that nobody counts are no silent success', async () => {
    const result = await play([{ expect: { requests: 0 } }], { model: new OfflineBrain() });
    expect(messages(result)).toEqual([
      '1: the requests to this model are not counted: only those to a ScriptedModel are',
    ]);
  });
});

it.each(Object.entries(deskScripts))('%s, as in a room', async (_what, { script, graceMs }) => {
  assertSimulation(await play(script, { graceMs }));
});
