import { describe, expect, test } from 'vitest';
import type { ConversationFlow } from '../../src/flow/document.ts';
import { readWords } from '../../src/turn/words/read-words.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';
import { isConfirmation } from '../../src/kernel/draft.ts';

const flow: ConversationFlow = {
  initialNode: 'details',
  slots: {
    who: { type: 'name', ask: 'Who is calling, please?' },
    day: { type: 'date', ask: 'Which day?', after: 'today' },
    bike: { type: 'enum', ask: 'Which bike?', values: { city: [], race: [] }, optional: true },
  },
  nodes: {
    details: { collect: ['who', 'day'], defaultTransition: 'book' },
    book: {
      call: 'book_service',
      functions: [
        {
          name: 'book_service',
          parameters: {
            type: 'object',
            properties: { day: { type: 'string', format: 'date' }, bike: { type: 'string' } },
            required: ['day'],
          },
          effect: 'write',
          confirm: 'There is a place. Shall I book {{ day }} for {{ who }}?',
          transitionTo: 'done',
        },
      ],
    },
    done: { say: 'Booked.', end: 'done' },
  },
};

/** A conversation that has come to the question about the booking. */
function asked() {
  const call = conversation(graphOf(flow, ['book_service']));
  call.start();
  call.turn('Robert Smith, on December first');
  call.batch([{ name: 'record', arguments: { who: 'Robert Smith', day: '2026-12-01', bike: 'city' } }]);
  const [key, effect] = Object.entries(call.state.effects).find(([, { kind }]) => kind === 'tool') ?? [];
  if (key === undefined || effect?.kind !== 'tool') throw new Error('Nothing is called.');
  call.batch([{ name: 'book_service', key, arguments: effect.payload.arguments, state: 'waiting' }], '', {
    reply: null,
  });
  const says = (text: string): void => {
    const reading = readWords({ graph: call.graph, state: call.state, civil: noonCivil }, text);
    call.send({ type: 'user:turn', at: noon, eventId: `ev${call.log.length}`, text, via: 'text', reading });
  };
  return { call, says };
}

const question = (day: string, who: string): string => `wait: There is a place. Shall I book ${day} for ${who}?`;

describe('what a question about a call names is corrected by its answer, though the model has nothing to say to it', () => {
  test.each([
    ['No, Ada Park.', question('Tuesday, December 1', 'Ada Park')],
    ['No, December second.', question('Wednesday, December 2', 'Robert Smith')],
    ['no, the second', question('Wednesday, December 2', 'Robert Smith')],
    ['sorry, I meant the second', question('Wednesday, December 2', 'Robert Smith')],
  ])('%s', (words, next) => {
    const { call, says } = asked();
    expect(call.outcome).toEqual([question('Tuesday, December 1', 'Robert Smith')]);
    says(words);
    call.failReply('empty');
    expect(call.outcome).toEqual([next]);
  });

  test('not by a value that stands among other words', () => {
    const { call, says } = asked();
    says('No, my sister Ada Park had a race bike.');
    call.failReply('empty');
    expect(call.known).toMatchObject({ who: 'Robert Smith', day: '2026-12-01' });
  });

  test.each(['Je ne comprends pas.', 'no thanks mate', 'Silly Billy'])(
    'nor by words that may be a name: %s',
    (words) => {
      const { call, says } = asked();
      says(words);
      call.failReply('empty');
      expect(call.known).toMatchObject({ who: 'Robert Smith', day: '2026-12-01' });
    },
  );
});

test('a question that has just been put and comes again for other facts is put briefly, and a yes counts for it', () => {
  const { call, says } = asked();
  says('By the way, a race bike.');
  call.batch([{ name: 'record', arguments: { bike: 'race' } }]);
  const [effect] = call.effects;
  if (effect === undefined || !isConfirmation(effect)) throw new Error('Nothing is asked.');
  expect(effect.payload.put).toMatch(/: Shall I book Tuesday, December 1 for Robert Smith\?$/);
  expect(effect.payload.put).not.toContain('There is a place');
  says('yes');
  expect(call.outcome).toEqual(['tool book_service']);
  expect(call.effects[0]).toMatchObject({ payload: { arguments: { bike: 'race' } } });
});
