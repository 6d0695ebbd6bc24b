import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import { viewOf } from '../../src/kernel/state/view.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const change = { name: 'change', description: 'The caller wants another day.' };
const flow: ConversationFlow = {
  initialNode: 'details',
  slots: {
    arrival: { type: 'date', ask: 'Which day do you arrive?' },
    note: { type: 'text', optional: true, ask: 'Is there anything else?' },
  },
  nodes: {
    details: { collect: ['arrival'], defaultTransition: 'offer' },
    offer: {
      say: 'We have a room on {{ arrival }}. Is that fine?',
      functions: [
        { name: 'agree', description: 'The caller agrees.', transitionTo: 'done' },
        { ...change, transitionTo: 'change' },
        { ...change, name: 'restart', transitionTo: 'again' },
      ],
    },
    change: { collect: [{ slot: 'arrival', again: true }], defaultTransition: 'offer' },
    again: { forget: ['arrival', 'note'], collect: ['arrival', 'note'], defaultTransition: 'offer' },
    done: { say: 'Done.', end: 'done' },
  },
};

function talk(more: Partial<ConversationFlow> = {}) {
  const graph = graphOf({ ...flow, ...more }, ['price', 'book']);
  const call = conversation(graph);
  call.start();
  return Object.assign(Object.create(call) as typeof call, {
    says(text: string): readonly string[] {
      const utterance = readUtterance({ graph, state: call.state, civil: noonCivil }, text);
      call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', utterance });
      return call.outcome;
    },
    /** The model records values that the caller has said. */
    records(values: Record<string, string>): readonly string[] {
      const readings = Object.fromEntries(Object.keys(values).map((name) => [name, { grounded: true }]));
      call.batch([{ name: 'record', arguments: values, readings }]);
      return call.outcome;
    },
  });
}

function atOffer() {
  const call = talk();
  call.says('December first');
  call.records({ arrival: '2026-12-01' });
  call.says('no');
  return call;
}

describe('a slot that a node collects again', () => {
  test('is asked for though it is known, and its new value is taken', () => {
    const call = atOffer();
    expect(call.batch([{ name: 'change' }]) && call.outcome).toEqual(['say: Which day do you arrive?']);
    expect(call.known).toEqual({ arrival: '2026-12-01' });
    call.says('December fourth');
    expect(call.records({ arrival: '2026-12-04' })).toEqual(['say: We have a room on December 4, 2026. Is that fine?']);
    expect(call.state.position.node).toBe('offer');
  });

  test('is asked for on each visit', () => {
    const call = atOffer();
    for (const day of ['2026-12-04', '2026-12-05']) {
      call.batch([{ name: 'change' }]);
      expect(call.outcome).toEqual(['say: Which day do you arrive?']);
      call.says('Another day');
      call.records({ arrival: day });
      call.says('no');
    }
  });

  test('keeps its value where the caller says no', () => {
    const call = atOffer();
    call.batch([{ name: 'change' }]);
    expect(call.says('no')).toEqual(['say: We have a room on December 1, 2026. Is that fine?']);
    expect(call.known).toEqual({ arrival: '2026-12-01' });
  });

  test.each(['the same', 'keep it as it is', 'leave it', 'same as before, please'])(
    'keeps its value where the caller says "%s"',
    (words) => {
      const call = atOffer();
      call.batch([{ name: 'change' }]);
      // The model may be asked, but the words decide.
      if (call.says(words).includes('reply change')) call.batch([], 'All right.', { asks: false });
      expect(call.outcome).toEqual(['say: We have a room on December 1, 2026. Is that fine?']);
    },
  );

  test('keeps its value where the model records it as the answer', () => {
    const call = atOffer();
    call.batch([{ name: 'change' }]);
    call.says('I stay with what I said');
    call.batch([{ name: 'record', arguments: { arrival: '2026-12-01' }, readings: { arrival: { grounded: false } } }]);
    expect(call.state.position.node).toBe('offer');
  });

  test('is not asked for where the words that lead there hold its new value', () => {
    const call = atOffer();
    const readings = { arrival: { grounded: true } };
    call.batch([{ name: 'record', arguments: { arrival: '2026-12-04' }, readings }, { name: 'change' }]);
    expect(call.outcome).toEqual(['say: We have a room on December 4, 2026. Is that fine?']);
  });

  test('is taken from words that lead there without a call of the model that holds it', () => {
    const call = atOffer();
    call.says('I would rather come on December 4, 2026');
    call.batch([{ name: 'change' }]);
    expect(call.outcome).toEqual(['reply change']);
  });

  test('decides nothing by its old value', () => {
    const call = talk({
      edges: [
        { from: 'change', to: 'done', when: { exists: { var: 'arrival' } } },
        { from: 'change', to: 'offer' },
      ],
    });
    call.says('December first');
    call.records({ arrival: '2026-12-01' });
    call.batch([{ name: 'change' }]);
    expect(call.state.position.node).toBe('change');
  });

  test('is shown to the model as asked again', () => {
    const call = talk({ slots: { ...flow.slots, arrival: { type: 'date' } } });
    call.records({ arrival: '2026-12-01' });
    call.batch([{ name: 'change' }]);
    expect(call.outcome).toEqual(['reply change']);
    expect(viewText(call)).toContain('Asked again: arrival.');
  });
});

describe('a slot that a node forgets', () => {
  test('is asked for as if it was never told, and so is one that was left unsaid', () => {
    const call = talk({
      nodes: { ...flow.nodes, details: { collect: ['arrival', 'note'], defaultTransition: 'offer' } },
    });
    call.records({ arrival: '2026-12-01' });
    call.says('no');
    expect(call.state.knowledge.declined).toEqual(['note']);
    call.batch([{ name: 'restart' }]);
    expect(call.told('slot:cleared')).toEqual([{ slot: 'arrival' }]);
    expect([call.known, call.state.knowledge.declined]).toEqual([{}, []]);
    expect(call.outcome).toEqual(['say: Which day do you arrive?']);
  });

  test('stays where the words that lead there tell it anew', () => {
    const call = atOffer();
    const readings = { arrival: { grounded: true } };
    call.batch([{ name: 'record', arguments: { arrival: '2026-12-04' }, readings }, { name: 'restart' }]);
    expect(call.known).toEqual({ arrival: '2026-12-04' });
  });

  test('is forgotten where the node before has collected it, so that a list is told one by one', () => {
    const call = talk({
      slots: { item: { type: 'text', ask: 'What else?' } },
      initialNode: 'item',
      nodes: {
        item: { forget: ['item'], collect: ['item'], defaultTransition: 'item_again' },
        item_again: { say: 'Noted: {{ item }}.', listen: false, defaultTransition: 'item' },
      },
    });
    call.says('Apples');
    expect(call.records({ item: 'apples' })).toEqual(['say: Noted: apples.', 'say: Now then: What else?']);
    expect(call.known).toEqual({});
  });

  test('stays over a digression that comes back', () => {
    const call = talk({
      functions: [{ name: 'ask_hours', description: 'Hours.', digression: true, transitionTo: 'hours' }],
      nodes: { ...flow.nodes, hours: { say: 'From ten.', defaultTransition: '$return' } },
      initialNode: 'again',
    });
    call.records({ arrival: '2026-12-01' });
    call.says('When are you open?');
    call.batch([{ name: 'ask_hours' }]);
    expect(call.known).toEqual({ arrival: '2026-12-01' });
  });

  test('takes the yes from what was computed with it: the call is made anew', () => {
    const call = talk({
      slots: { arrival: { type: 'date', ask: 'Which day do you arrive?' }, who: { type: 'name', ask: 'Who?' } },
      initialNode: 'price',
      nodes: {
        price: {
          call: 'price',
          functions: [
            {
              name: 'price',
              handler: 'price',
              saveAs: 'cost',
              transitionTo: 'start_over',
              parameters: { type: 'object', properties: { arrival: { type: 'string' } }, required: ['arrival'] },
            },
          ],
        },
        start_over: { say: 'Let me ask that again.', listen: false, forget: ['arrival'], defaultTransition: 'book' },
        book: {
          call: 'book',
          functions: [
            {
              name: 'book',
              handler: 'book',
              effect: 'write',
              confirm: 'It costs {{ cost }}. Shall I?',
              transitionTo: 'done',
            },
          ],
        },
        done: { say: 'Done.', end: 'done' },
      },
    });
    call.says('December first');
    call.records({ arrival: '2026-12-01' });
    const [tool] = Object.values(call.state.effects).filter(({ kind }) => kind === 'tool');
    call.settleTool(tool?.key ?? '', { result: 40 });
    expect(call.moves).toContain('book -> price by stale');
    expect(call.outcome.at(-1)).toContain('Which day do you arrive?');
  });
});

function viewText(call: ReturnType<typeof talk>): string {
  return JSON.stringify(viewOf(call.graph, call.state, noonCivil));
}

describe('a slot with ask_when', () => {
  const withCondition = (note: object) =>
    talk({ slots: { ...flow.slots, note: { type: 'text', ask: 'What else?', ...note } } });

  test('is not collected again while its condition does not hold, and no edge waits for it', () => {
    const call = talk({
      slots: { ...flow.slots, note: { type: 'text', ask: 'What else?', askWhen: { exists: { var: 'nothing' } } } },
      nodes: { ...flow.nodes, change: { collect: [{ slot: 'note', again: true }], defaultTransition: 'offer' } },
    });
    call.says('December first');
    call.records({ arrival: '2026-12-01', note: 'late' });
    expect(call.batch([{ name: 'change' }]) && call.outcome).toEqual([
      'say: We have a room on December 1, 2026. Is that fine?',
    ]);
  });

  test('is kept if the caller says it, and is not missing for the model', () => {
    const call = withCondition({ askWhen: { equals: { var: 'arrival', value: '2026-12-24' } } });
    expect(viewOf(call.graph, call.state, noonCivil).instructions).not.toContain('note');
    call.says('a room with a view');
    call.records({ note: 'a room with a view' });
    expect(call.known).toEqual({ note: 'a room with a view' });
  });
});
