import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import type { TaskFlow } from '../../src/flow/task-document.ts';
import { type Script, type SimulationOptions, type SimulationResult, simulateRoom } from '../../src/testing/index.ts';

/** A node that asks by itself, and a function whose flow asks. */
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

/** What was said, and that nothing was amiss. */
function lines({ transcript, failures }: SimulationResult): string[] {
  expect(failures).toEqual([]);
  return transcript.map(({ who, text, interrupted }) => `${who}: ${text}${interrupted ? ' …' : ''}`);
}

describe.concurrent('a node that asks', () => {
  test('asks aloud, and goes on with the choice that the caller means', async () => {
    const result = await play([{ join: true }, { say: 'The premium one please' }]);
    expect(lines(result)).toEqual([
      'agent: Which plan would you like?',
      'caller: The premium one please',
      'agent: So it is premium.',
    ]);
    expect(result.state.outputs).toEqual({
      plan: { response: { content: 'The premium one please', choice: 'premium' } },
    });
    expect(result.requests).toEqual([]);
  });
});

describe.concurrent('a function whose flow asks', () => {
  test('goes on with the answer, which is no turn of the conversation', async () => {
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
});
