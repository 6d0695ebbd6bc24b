import { describe, expect, test } from 'vitest';
import { fillLine } from '../../src/flow/expression/sentences.ts';
import { lines as productLines } from '../../src/language/english/lines.ts';
import { languageOf } from '../../src/language/language-of.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { TaskFlow } from '../../src/flow/document/task-document.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { systemClock } from '../../src/system.ts';
import { type Script, type SimulationOptions, type SimulationResult, simulateRoom } from '../../src/testing/index.ts';
import type { RealtimeScript } from './realtime/fake-model.ts';
import { live } from './live.ts';
import { realtimeCall } from './realtime/rig.ts';
import { until } from './until.ts';
import { voiceCall } from './speech/voice-rig.ts';
import { pacedSink } from './paced-sink.ts';

/** A node that asks the caller, and a function whose flow asks. */
const clinic: ConversationFlow = {
  initialNode: 'plan',
  nodes: {
    plan: {
      type: 'control.gate',
      input: { prompt: 'Which plan would you like?', choices: ['basic', 'premium'] },
      defaultTransition: 'desk',
      onError: 'sorry',
    },
    desk: {
      say: 'So it is {{ plan.response.choice }}.',
      taskMessages: [{ role: 'system', content: 'Book it.' }],
      functions: [
        { name: 'book', run: 'booking', saveAs: 'booked', transitionTo: 'done' },
        { name: 'cancel', transitionTo: 'gone' },
      ],
    },
    done: { say: 'Done: {{ booked.agreed.response.choice }}.', end: 'booked' },
    gone: { say: 'Cancelled.', end: 'cancelled' },
    sorry: { say: 'A colleague will call you.', end: 'unanswered' },
  },
};

const booking: TaskFlow = {
  flow: { name: 'booking', description: 'Books the visit.' },
  nodes: [
    { id: 'agreed', type: 'control.gate', input: { prompt: 'Shall I book it for you?', choices: ['yes', 'no'] } },
  ],
};

const play = (script: Script, options: Partial<SimulationOptions> = {}, flow = clinic): Promise<SimulationResult> =>
  simulateRoom(flow, script, {
    model: {
      '*': [
        { when: 'book', calls: [{ name: 'book' }] },
        { when: 'forget', calls: [{ name: 'cancel' }] },
      ],
    },
    flows: { booking },
    ...options,
  });

/** Returns the clinic with one text replaced. */
function changed(part: string, other: string): ConversationFlow {
  const text = JSON.stringify(clinic);
  expect(text).toContain(part);
  return JSON.parse(text.replace(part, other)) as ConversationFlow;
}

/** Returns the transcript and checks that there were no failures. */
function lines({ transcript, failures }: SimulationResult): string[] {
  expect(failures).toEqual([]);
  return transcript.map(({ who, text, interrupted }) => `${who}: ${text}${interrupted ? ' …' : ''}`);
}

describe.concurrent('a node that asks', () => {
  test('asks aloud, and continues with the caller’s choice', async () => {
    const result = await play([{ join: true }, { say: 'The premium one please' }]);
    expect(lines(result)).toEqual([
      'agent: Which plan would you like?',
      'caller: The premium one please',
      'agent: So it is premium.',
    ]);
    expect(result.state.knowledge.outputs).toEqual({
      plan: { response: { content: 'The premium one please', choice: 'premium' } },
    });
    expect(result.requests).toEqual([]);
  });
});

test('a node whose question exceeds its time limit continues without an answer', async () => {
  const hurried = changed('"type":"control.gate"', '"type":"control.gate","policy":{"timeout_ms":8000}');
  const result = await play([{ join: true }, { silence: 9_000 }], {}, hurried);
  expect(lines(result)).toEqual(['agent: Which plan would you like?', 'agent: A colleague will call you.']);
  expect(result.ended).toBe('unanswered');
});

describe.concurrent('the caller’s words', () => {
  test('without a choice lead to a repetition with the choices, and to failure after three', async () => {
    const result = await play([{ join: true }, { say: 'Hm' }, { say: 'Both of them' }, { say: 'Who knows' }]);
    expect(lines(result)).toEqual([
      'agent: Which plan would you like?',
      'caller: Hm',
      'agent: Which plan would you like? basic, premium?',
      'caller: Both of them',
      'agent: You can say basic or premium. Which plan would you like?',
      'caller: Who knows',
      'agent: A colleague will call you.',
    ]);
    expect(result.ended).toBe('unanswered');
  });

  test.each<[string, Partial<ConversationFlow>, string, string]>([
    ['`on_trouble`', { onTrouble: 'sorry' }, 'A colleague will call you.', 'unanswered'],
    ['`on_no_match` of the flow', { ladder: { onNoMatch: 'sorry' } }, 'A colleague will call you.', 'unanswered'],
    ['an apology and the end', {}, productLines.endNotUnderstood[0], 'no-match'],
  ])('that names no choice leads to %s, where the question has no way of its own', async (_, more, line, ended) => {
    const nodes = { ...(clinic.nodes as Record<string, object>) };
    const flow: ConversationFlow = {
      ...clinic,
      ...more,
      nodes: { ...nodes, plan: { ...nodes['plan'], onError: undefined } },
    };
    const hm = { say: 'Hm' };
    const result = await play([{ join: true }, hm, hm, hm], {}, flow);
    expect(lines(result)).toHaveLength(7);
    expect(lines(result).at(-1)).toBe(`agent: ${line}`);
    expect(result.ended).toBe(ended);
  });

  test('during the question are the answer, if any of it was heard', async () => {
    const result = await play([{ interrupt: 'Premium', afterWords: 2 }]);
    expect(lines(result)).toEqual(['agent: Which plan …', 'caller: Premium', 'agent: So it is premium.']);
  });

  test('before any of the question was heard are not an answer, and the question is repeated', async () => {
    const sink = pacedSink();
    const { runner, heard, events } = await live(clinic, {}, { sink, waitForGreeting: false, flows: { booking } });
    const answered = runner.send('Premium');
    sink.run();
    await answered;
    expect(heard).toEqual(['Which plan would you like?']);
    await runner.send('Basic');
    expect(heard).toEqual(['Which plan would you like?', 'So it is basic.']);
    const turns = events.map(({ type }) => type).filter((type) => /^turn:(started|answered)$/.test(type));
    expect(turns).toEqual(['turn:started', 'turn:answered']);
  });

  test('twice under the same id are one answer', async () => {
    const result = await play([{ say: 'Hm', id: 'one' }, { say: 'Hm', id: 'one' }, { say: 'Basic' }]);
    expect(result.events.filter(({ type }) => type === 'turn:started')).toHaveLength(1);
    expect(result.events.filter(({ type }) => type === 'turn:answered')).toHaveLength(1);
    expect(result.state.position.node).toBe('desk');
  });

  test('may be a pressed key: the number of a choice', async () => {
    const result = await play([{ dtmf: '2' }]);
    expect(result.state.knowledge.outputs).toEqual({ plan: { response: { content: '2', choice: 'premium' } } });
  });
});

test('a new process repeats the open question, and shows the model the earlier answers', async () => {
  const store = createMemoryStore({ clock: systemClock });
  const options = { store, sessionId: 'call', flows: { booking } };
  const first = await live(clinic, {}, options);
  await first.runner.leave();
  const second = await live(clinic, {}, options);
  expect(second.heard.at(-1)).toContain('Which plan would you like?');
  await second.runner.send('premium');
  await second.runner.leave();
  const third = await live(clinic, {}, options);
  await third.runner.send('Hello?');
  expect(third.model.requests[0]?.items).toContain('user: premium');
  expect(third.model.requests[0]?.items).toContainEqual(expect.stringContaining('Which plan would you like?'));
});

test('answers and repeated questions use the language of the flow', async () => {
  const approval: ConversationFlow = {
    language: 'de',
    initialNode: 'approve',
    nodes: {
      approve: {
        type: 'control.gate',
        input: { prompt: 'Soll die Rechnung bezahlt werden?', choices: ['freigeben', 'ablehnen'] },
        defaultTransition: 'done',
        onError: 'open',
      },
      done: { say: 'Also {{ approve.response.choice }}.', end: 'decided' },
      open: { say: 'Dann bleibt es offen.', end: 'open' },
    },
  };
  const say = (words: string) => ({ say: words });
  const denied = await play([{ join: true }, say('nicht freigeben'), say('auf keinen Fall freigeben')], {}, approval);
  const [help] = languageOf('de').speech.lines.youCanSay;
  expect(lines(denied)).toEqual([
    'agent: Soll die Rechnung bezahlt werden?',
    'caller: nicht freigeben',
    'agent: Soll die Rechnung bezahlt werden? freigeben, ablehnen?',
    'caller: auf keinen Fall freigeben',
    `agent: ${fillLine(help, { question: 'Soll die Rechnung bezahlt werden?', choices: 'freigeben oder ablehnen' })}`,
  ]);
  const agreed = await play([{ join: true }, say('Ja, bitte freigeben')], {}, approval);
  expect(lines(agreed).at(-1)).toBe('agent: Also freigeben.');
});

describe.concurrent('a gate that asks for a release', () => {
  const approval = (language: 'en' | 'de' | 'es', prompt: string, choices: readonly string[]): ConversationFlow => ({
    language,
    initialNode: 'approve',
    nodes: {
      approve: {
        type: 'control.gate',
        input: { prompt, choices: [...choices] },
        defaultTransition: 'done',
        onError: 'open',
      },
      done: { say: '{{ approve.response.choice }}!', end: 'decided' },
      open: { say: '…', end: 'open' },
    },
  });
  const english = approval('en', 'Shall I release the payment?', ['release', 'reject']);
  const german = approval('de', 'Soll ich die Zahlung freigeben?', ['freigeben', 'ablehnen']);
  const spanish = approval('es', '¿Apruebo ahora mismo el pago?', ['aprobar', 'rechazar']);

  test.each([
    ['Yes.', english, 'agent: release!'],
    ["Please don't.", english, 'agent: reject!'],
    ['Yes, I mean, I have to ask my wife first.', english, 'agent: Shall I release the payment? release, reject?'],
    ['Ja.', german, 'agent: freigeben!'],
    ['Bitte nicht freigeben.', german, 'agent: ablehnen!'],
    ['Ja, aber erst morgen.', german, 'agent: Soll ich die Zahlung freigeben? freigeben, ablehnen?'],
    ['Sí.', spanish, 'agent: aprobar!'],
    ['No aprobar.', spanish, 'agent: rechazar!'],
    ['Sí, pero tengo que preguntar.', spanish, 'agent: ¿Apruebo ahora mismo el pago? aprobar, rechazar?'],
  ])('takes %j as its choice, or asks again', async (words, flow, next) => {
    expect(lines(await play([{ join: true }, { say: words }], {}, flow)).at(-1)).toBe(next);
  });

  test('does not count a yes during its first words', async () => {
    const result = await play([{ interrupt: 'Ja', afterWords: 2 }, { say: 'Ja' }], {}, german);
    expect(lines(result)).toEqual([
      'agent: Soll ich …',
      'caller: Ja',
      'agent: Soll ich die Zahlung freigeben?',
      'caller: Ja',
      'agent: freigeben!',
    ]);
  });

  test('repeats its question after a silence, in the language of the flow, and gives up after three', async () => {
    const result = await play([{ join: true }, { silence: 40_000 }], {}, german);
    const { lines: own } = languageOf('de').speech;
    const question = 'Soll ich die Zahlung freigeben?';
    expect(lines(result)).toEqual([
      `agent: ${question}`,
      `agent: ${fillLine(own.stillThere[0], { question })}`,
      `agent: ${fillLine(own.youCanSay[0], { question, choices: 'freigeben oder ablehnen' })}`,
      'agent: …',
    ]);
    expect(result.ended).toBe('open');
  });
});

describe.concurrent('a function whose flow asks', () => {
  test('repeats its question after a silence, and fails after three', async () => {
    const result = await play([{ say: 'basic' }, { say: 'Book it' }, { silence: 40_000 }]);
    expect(lines(result).slice(4)).toEqual([
      'agent: Shall I book it for you?',
      'agent: Are you still there? Shall I book it for you?',
      'agent: You can say yes or no. Shall I book it for you?',
      'agent: I see.',
    ]);
    const failed = result.events.find(({ type }) => type === 'task:failed');
    expect(failed?.data).toMatchObject({ taskId: 'booking.agreed', code: 'unanswered' });
  });

  test('continues with the answer, which is not a turn of the conversation', async () => {
    const result = await play([{ join: true }, { say: 'basic' }, { say: 'Book it' }, { say: 'Yes please' }]);
    expect(lines(result).slice(3)).toEqual([
      'caller: Book it',
      'agent: Shall I book it for you?',
      'caller: Yes please',
      'agent: Done: yes.',
    ]);
    expect(result.ended).toBe('booked');
    const turns = result.events.filter(({ type }) => type === 'turn:started' || type === 'turn:answered');
    expect(turns.map(({ type }) => type)).toEqual(['turn:answered', 'turn:started', 'turn:answered']);
  });

  test('has no function timeout: the caller may think for longer', async () => {
    const patient = { ...clinic, ladder: { noInputMs: 0 } };
    const script: Script = [{ say: 'basic' }, { say: 'Book it' }, { silence: 60_000 }, { say: 'No' }];
    const result = await play(script, {}, patient);
    expect(lines(result).at(-1)).toBe('agent: Done: no.');
  });

  test('ends with its own time limit, and the model gets the failure', async () => {
    const [agreed] = booking.nodes as [(typeof booking.nodes & readonly unknown[])[number]];
    const hurried: TaskFlow = { ...booking, nodes: [{ ...(agreed as object), policy: { timeoutMs: 9_000 } } as never] };
    const result = await play([{ say: 'basic' }, { say: 'Book it' }, { silence: 12_000 }, { say: 'Yes' }], {
      flows: { booking: hurried },
    });
    expect(lines(result).slice(3)).toEqual([
      'caller: Book it',
      'agent: Shall I book it for you?',
      'agent: I see.',
      'caller: Yes',
      'agent: I see.',
    ]);
    const failed = result.events.find(({ type }) => type === 'task:failed');
    expect(failed?.data).toMatchObject({ taskId: 'booking.agreed', code: 'task-timeout' });
  });

  test('ends when the caller hangs up, even if it writes', async () => {
    const writing = changed('"saveAs"', '"effect":"write","saveAs"');
    const result = await play(
      [{ say: 'basic' }, { say: 'Book it' }, { leave: true }, { silence: 31_000 }],
      {},
      writing,
    );
    expect(result.ended).toBe('caller-left');
    const failed = result.events.find(({ type }) => type === 'task:failed');
    expect(failed?.data).toMatchObject({ taskId: 'booking.agreed', code: 'caller-left' });
    const end = result.events.find(({ type }) => type === 'flow:ended');
    // The session does not wait for the write, because it can no longer get an answer.
    expect((failed?.time ?? 0) - (end?.time ?? 0)).toBe(0);
  });

  test('repeats its question to a caller who was away', async () => {
    const script: Script = [{ say: 'basic' }, { say: 'Book it' }, { leave: true }, { rejoin: true }, { say: 'Yes' }];
    const said = lines(await play(script)).slice(4);
    expect(said.filter((line) => line === 'agent: Shall I book it for you?')).toHaveLength(2);
    expect(said.at(-1)).toBe('agent: Done: yes.');
  });

  test('asks after the function’s own confirmation', async () => {
    const careful = changed('"saveAs"', '"confirm":"Shall I look for a time?","saveAs"');
    const script: Script = [{ say: 'basic' }, { say: 'Book it' }, { say: 'Yes' }, { say: 'Sure' }];
    expect(lines(await play(script, {}, careful)).slice(3)).toEqual([
      'caller: Book it',
      'agent: Shall I look for a time?',
      'caller: Yes',
      'agent: Shall I book it for you?',
      'caller: Sure',
      'agent: Done: yes.',
    ]);
  });

  test('asks one question at a time, although its tasks run concurrently', async () => {
    const both: TaskFlow = {
      flow: { name: 'booking' },
      nodes: [
        { id: 'agreed', type: 'control.gate', input: { prompt: 'Shall I book it for you?', choices: ['yes', 'no'] } },
        { id: 'name', type: 'control.gate', input: { prompt: 'Under which name?' } },
      ],
    };
    const script: Script = [{ say: 'basic' }, { say: 'Book it' }, { say: 'Yes' }, { say: 'Ann' }];
    const result = await play(script, { flows: { booking: both } });
    expect(lines(result).slice(4)).toEqual([
      'agent: Shall I book it for you?',
      'caller: Yes',
      'agent: Under which name?',
      'caller: Ann',
      'agent: Done: yes.',
    ]);
    expect(result.state.knowledge.variables).toMatchObject({ booked: { name: { response: { content: 'Ann' } } } });
  });
});

test('a realtime model lets tasks ask as well', async () => {
  const script: RealtimeScript = ({ items }) =>
    items.at(-1) === 'user:book' ? { calls: [{ name: 'book' }] } : { text: 'I see.' };
  const { runner, heard, path } = await realtimeCall(clinic, script, {}, { flows: { booking } });
  await runner.idle();
  await runner.send('premium');
  await runner.send('book');
  await runner.send('yes');
  const said = ['Which plan would you like?', 'So it is premium.', 'Shall I book it for you?', 'Done: yes.'];
  expect(heard).toEqual(said);
  expect(path).toEqual(['plan -> desk', 'desk -> done']);
});

/** A voice call with a confirmation question, of which this many words are heard. */
async function askedByVoice(words: number) {
  const desk = changed('"initialNode":"plan"', '"initialNode":"desk"');
  const call = await voiceCall(
    desk,
    { '*': [{ when: 'book', calls: [{ name: 'book' }] }] },
    { preemptive: 'of text and voice', flows: { booking } },
  );
  const { caller, speaker, hasHeard } = call;
  await hasHeard(1);
  const before = speaker.words.length;
  speaker.hold();
  await caller.says('book');
  await until(() => speaker.isLoaded, 'the question to come to the loudspeaker');
  speaker.hear(words);
  await until(() => speaker.words.length === before + Math.min(words, 6), 'the question to be heard');
  if (words === 99) await hasHeard(2);
  return call;
}

test.each([
  [0, false],
  // The last words were played when the caller had begun.
  [5, true],
  [99, true],
])('by voice, a question of which %s words were played takes an answer: %s', async (words, isTaken) => {
  const { caller, speaker, runner, heard, quiet } = await askedByVoice(words);
  await caller.says('yes');
  speaker.run();
  const last = isTaken ? 'Done: yes.' : 'I see.';
  await until(() => heard.at(-1) === last, `"${last}"`);
  await quiet();
  expect(runner.currentNode).toBe(isTaken ? 'done' : 'desk');
  const question = 'Shall I book it for you?'.split(' ').slice(0, words).join(' ');
  expect(heard.slice(1)).toEqual(words === 0 ? ['I see.'] : [question, 'Done: yes.']);
});

test('by voice, a yes before the question was heard is not an answer: the question is repeated and heard to its end', async () => {
  const { caller, speaker, heard, hasHeard } = await askedByVoice(3);
  await caller.says('yes');
  await until(() => speaker.isLoaded, 'the question to be put again');
  speaker.hear(3);
  await until(() => speaker.words.at(-1) === 'book', 'half of the question');
  await caller.begins();
  speaker.run();
  await hasHeard(3);
  await caller.isUnderstood('yes');
  await caller.stops();
  await hasHeard(4);
  expect(heard.slice(1)).toEqual(['Shall I book', 'Shall I book it for you?', 'Shall I book it for you?']);
  await caller.says('yes');
  await hasHeard(5);
  expect(heard.at(-1)).toBe('Done: yes.');
});

test('by voice, a no counts as soon as any of the question was heard', async () => {
  const { caller, speaker, heard } = await askedByVoice(3);
  await caller.says('no');
  speaker.run();
  await until(() => heard.at(-1) === 'Done: no.', 'the no to be taken');
  expect(heard.slice(1)).toEqual(['Shall I book', 'Done: no.']);
});
