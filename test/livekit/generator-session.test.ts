import { describe, expect, it } from 'vitest';
import { defineFlow } from '../../src/flow/document/define.ts';
import { ask, end, handoff, say, tool } from '../../src/flow/document/generator-yields.ts';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { assertSimulation, simulateRoom } from '../../src/testing/simulate-room.ts';
import { systemClock } from '../../src/system.ts';
import { realtimeCall } from './realtime/rig.ts';
import { until } from './until.ts';
import { voiceCall } from './speech/voice-rig.ts';

const tutor = defineFlow(async function* () {
  const name = yield* ask({ key: 'name', text: "What's your name?" });
  yield* say(`Nice to meet you, ${name}.`);
  const sentence = yield* ask({ key: 'sentence', text: 'Send one sentence in English.' });
  const corrected = yield* tool<string>({ name: 'correct_sentence', args: { sentence } });
  yield* say(corrected.ok ? corrected.result : corrected.error);
  yield* handoff('reminder');
});
const reminder = defineFlow(async function* () {
  const task = yield* ask({ key: 'task', text: 'What should I remind you about?' });
  const hours = yield* ask({ key: 'hours', text: 'In how many hours?', type: 'integer', minimum: 1 });
  yield* say(`I will remind you of ${task} in ${hours} hours.`);
  yield* end('reminder_scheduled');
});
const flows = { tutor, reminder };
const functions = { correct_sentence: ({ sentence }: { sentence?: unknown }) => `${String(sentence)}, corrected.` };
const noModel = () => {
  throw new Error('No model is needed.');
};

describe('A generator flow on a real AgentSession', () => {
  it('receives a tool’s result unchanged, even a list of two', async () => {
    const desk = defineFlow(async function* () {
      const found = yield* tool<readonly string[]>({ name: 'find_slots', effect: 'read' });
      yield* say(found.ok ? found.result.join(' or ') : found.error);
    });
    const result = await simulateRoom(desk, [{ expect: { said: '10:00 or 11:00' } }], {
      model: noModel,
      functions: { find_slots: () => ['10:00', '11:00'] },
    });
    assertSimulation(result);
  });

  it('talks in text without an inference, hands off, and ends for the reason it gives', async () => {
    const result = await simulateRoom(
      tutor,
      [
        { expect: { said: "What's your name?", node: 'name' } },
        { say: 'Ana' },
        { expect: { said: ['Nice to meet you, Ana.', 'Send one sentence in English.'], variables: { name: 'Ana' } } },
        { say: 'I goes home', id: 'm2' },
        { expect: { said: ['I goes home, corrected.', 'What should I remind you about?'], node: 'task' } },
        { say: 'I goes home', id: 'm2' },
        { expect: { node: 'task' } },
        { say: 'milk' },
        { say: 'zero' },
        { expect: { said: 'It must be at least 1. In how many hours?' } },
        { say: 'two or, no, three hours' },
        { expect: { said: 'I will remind you of milk in 3 hours.', ended: 'reminder_scheduled', requests: 0 } },
      ],
      { model: noModel, flows, functions },
    );
    assertSimulation(result);
    expect(result.path).toEqual([
      'start',
      'name',
      'say',
      'sentence',
      'correct_sentence',
      'say',
      'handoff',
      'task',
      'hours',
      'say',
      'end',
    ]);
    expect(result.events.filter(({ type }) => type === 'flow:handoff').map(({ data }) => data)).toEqual([
      { from: 'tutor', to: 'reminder' },
    ]);
  });

  it('takes words during a line as the answer to the question heard before', async () => {
    const result = await simulateRoom(
      tutor,
      [
        { interrupt: 'Ana', afterWords: 2 },
        { expect: { said: 'Nice to meet you, Ana.', node: 'sentence' } },
        { say: 'I goes home' },
        { interrupt: 'milk', afterWords: 1 },
        // Only the line before the question was heard, so the question is repeated.
        { expect: { said: 'What should I remind you about?', node: 'task' } },
      ],
      { model: noModel, flows, functions },
    );
    assertSimulation(result);
  });

  it('waits through silence, and asks again when the caller returns', async () => {
    const result = await simulateRoom(
      tutor,
      [
        { say: 'Ana' },
        { silence: 5_000 },
        { leave: true },
        { silence: 2_000 },
        { rejoin: true },
        { expect: { said: ['Sorry, I was gone for a moment.', 'Send one sentence in English.'], node: 'sentence' } },
      ],
      { model: noModel, flows, functions },
    );
    assertSimulation(result);
  });

  it('one inference reads a typed answer that the rules do not understand, and says nothing itself', async () => {
    const flow = defineFlow(async function* () {
      const born = yield* ask({ key: 'born', text: 'When were you born?', type: 'date', before: 'today' });
      yield* say(`Born ${born}.`);
      yield* ask({ key: 'more', text: 'More?' });
    });
    const result = await simulateRoom(
      flow,
      [{ say: 'the day the wall came down' }, { expect: { said: 'Born 1989-11-09.', requests: 1 } }],
      { model: { born: [{ calls: [{ name: 'answer', arguments: { value: '1989-11-09' } }] }] } },
    );
    assertSimulation(result);
  });

  it('talks by voice with a tool call and without an inference', async () => {
    const call = await voiceCall(tutor, noModel, { preemptive: 'of text and voice', flows });
    await call.hasHeard(1);
    await call.caller.says('Ana');
    await call.quiet();
    expect(call.heard).toEqual(["What's your name?", 'Nice to meet you, Ana. Send one sentence in English.']);
    expect(call.model.requests).toHaveLength(0);
  });

  it('does not take words as an answer before the question was heard', async () => {
    const call = await voiceCall(tutor, noModel, { preemptive: false, flows, hold: true });
    await call.caller.says('hello, is anybody there?');
    call.speaker.run();
    await call.quiet();
    expect(call.runner.state).toMatchObject({
      position: { node: 'name' },
      knowledge: { variables: {} },
      dialogue: { pendingAskKey: 'name' },
    });
    expect(call.heard.at(-1)).toBe("What's your name?");
    await call.caller.says('Ana');
    await call.quiet();
    expect(call.runner.state.knowledge.variables).toEqual({ name: 'Ana' });
  });

  it('can be swapped for a flow of nodes, and the reverse', async () => {
    const desk = defineFlow({
      initialNode: 'desk',
      nodes: {
        desk: { say: 'This is the desk.', functions: [{ name: 'bye', transitionTo: 'bye' }] },
        bye: { end: true },
      },
    });
    const call = await voiceCall(tutor, noModel, { preemptive: false, flows });
    await call.hasHeard(1);
    await call.runner.swapFlow(desk);
    expect(call.heard.at(-1)).toBe('This is the desk.');
    expect(call.runner.state).toMatchObject({ position: { node: 'desk', generator: null } });
    await call.runner.swapFlow(reminder);
    expect(call.heard.at(-1)).toBe('What should I remind you about?');
    expect(call.runner.state).toMatchObject({
      position: { flow: { id: 'reminder' }, node: 'task', generator: { step: 1 } },
    });
  });

  it('falls back to the classic path if its handoff has no target', async () => {
    const model = { classic: [{ afterTool: 'correct_sentence', text: 'We heard you.' }, { text: 'We open at nine.' }] };
    const call = await voiceCall(tutor, model, { preemptive: false, prompt: 'You are practical and friendly.' });
    await call.hasHeard(1);
    await call.runner.send('Ana');
    await call.runner.send('I goes home');
    expect(call.heard.at(-1)).toMatch(/We heard you\.$/);
    expect(call.runner.state).toMatchObject({
      position: { flow: { id: 'classic' }, node: 'classic', generator: null },
    });
    await call.runner.send('When do you open?');
    expect(call.heard.at(-1)).toBe('We open at nine.');
  });

  it('talks on a realtime model, whose own replies are not heard', async () => {
    const { model, runner, heard, hasHeard } = await realtimeCall(reminder, () => ({ text: 'I would say this.' }));
    await hasHeard(1);
    model.last.callerSays('milk');
    await hasHeard(2);
    model.last.callerSays('three');
    await expect(runner.ended).resolves.toBe('reminder_scheduled');
    expect(heard).toEqual([
      'What should I remind you about?',
      'In how many hours?',
      'I will remind you of milk in 3 hours.',
    ]);
  });

  it('is parked without a word if its code does not match, and resumes with the right code', async () => {
    const store = createMemoryStore({ clock: systemClock });
    const changed = defineFlow(async function* () {
      yield* ask({ key: 'full_name', text: 'And your full name?' });
    });
    const begun = await voiceCall(tutor, noModel, { preemptive: false, flows, store, sessionId: 's' });
    await begun.hasHeard(1);
    await begun.caller.says('Ana');
    await begun.quiet();
    await begun.runner.leave();

    const other = await voiceCall(changed, noModel, {
      preemptive: false,
      flows: { tutor: changed },
      store,
      sessionId: 's',
    });
    expect(await other.runner.ended).toBe('flow-nondeterministic');
    expect(other.heard).toEqual([]);

    const right = await voiceCall(tutor, noModel, { preemptive: false, flows, store, sessionId: 's' });
    await until(() => right.heard.length > 0, 'the recap');
    expect(right.heard).toEqual(['Sorry, I was gone for a moment. Send one sentence in English.']);
  });
});
