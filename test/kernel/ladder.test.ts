import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { OldReading } from '../../src/kernel/dialogue/old-reading.ts';
import type { ConversationFlow } from '../../src/flow/document/document.ts';
import type { NodeType } from '../../src/flow/graph/nodes/node-type.ts';
import { noInputMsOf } from '../../src/kernel/question/silence.ts';
import { lines } from '../../src/language/english/lines.ts';
import { readUtterance } from '../../src/engine/words/read-utterance.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { conversation, graphOf, noon, noonCivil } from './session.ts';

const flow: ConversationFlow = {
  initialNode: 'hello',
  slots: {
    size: { type: 'enum', values: ['small', 'large'], ask: 'Which size would you like?' },
    who: { type: 'name', ask: 'Who is calling?' },
  },
  nodes: {
    hello: { say: 'Welcome to the shop. Shall we start?', functions: [{ name: 'start', transitionTo: 'order' }] },
    order: { collect: ['size', 'who'], defaultTransition: 'bye' },
    bye: { say: 'Bye.', end: true },
  },
};

/** A conversation at the question for the size. */
function asked() {
  const call = conversation(graphOf(flow));
  call.start();
  call.turn('yes');
  call.batch([{ name: 'start' }]);
  expect(call.outcome).toEqual(['say: Which size would you like?']);
  return call;
}

/** Sends words that neither rules nor the model understand. */
function unclear(call: ReturnType<typeof asked>): readonly string[] {
  call.turn('blah');
  call.batch([]);
  return call.outcome;
}

describe('a question that is not answered', () => {
  test('is put in other words, then with what can be said, and then the conversation ends with the reason', () => {
    const call = asked();
    expect(unclear(call)).toEqual(['say: Sorry, I did not get that. Which size would you like?']);
    expect(unclear(call)).toEqual(['say: Please say small or large. Which size would you like?']);
    expect(unclear(call)).toEqual([
      'say: I am sorry, I cannot help you any further here, so I have to end this conversation. Goodbye.',
      'end no-match',
    ]);
  });

  test('is counted for those who watch and for conditions, without a word that was said', () => {
    const call = asked();
    unclear(call);
    expect(call.told('question:missed')).toEqual([{ cause: 'no-match', attempt: 1, of: 3 }]);
    expect(call.state.dialogue.attempts).toEqual({ order: 1, size: 1 });
  });

  test('that is answered after all leaves the next one a whole ladder', () => {
    const call = asked();
    unclear(call);
    unclear(call);
    call.turn('small');
    call.batch([{ name: 'record', arguments: { size: 'small' } }]);
    expect(call.outcome).toEqual(['say: Who is calling?']);
    expect(call.state.dialogue.attempts).toEqual({});
    expect(unclear(call)).toEqual(['say: Sorry, I did not get that. Who is calling?']);
  });

  test('at the end of a greeting is put again without the greeting', () => {
    const call = conversation(graphOf(flow));
    call.start();
    expect(unclear(call)).toEqual(['say: Sorry, I did not get that. Shall we start?']);
  });
});

describe('the author’s own ladder', () => {
  const reception = { say: 'One moment, I put you through.', end: 'person' };

  test('has lines of its own, how many attempts there are, and where it leads', () => {
    const call = conversation(
      graphOf({
        ...flow,
        slots: {
          ...flow.slots,
          size: {
            type: 'enum',
            values: ['small', 'large'],
            ask: 'Which size would you like?',
            ladder: { attempts: 2, lines: ['Small or large? {{ question }}'], onNoMatch: 'person' },
          },
        },
        nodes: { ...(flow.nodes as object), person: reception },
      }),
    );
    call.start();
    call.turn('yes');
    call.batch([{ name: 'start' }]);
    expect(unclear(call)).toEqual(['say: Small or large? Which size would you like?']);
    unclear(call);
    expect(call.moves).toEqual(['order -> person by trouble']);
    expect(call.outcome).toEqual(['say: One moment, I put you through.', 'end person']);
  });

  test('of the slot comes before the node’s, and that before the flow’s; on_trouble is where nothing else is named', () => {
    const lead = (slot: string | null, node: string | null, whole: string | null): readonly string[] => {
      const rule = (to: string | null) => (to === null ? {} : { ladder: { attempts: 1, onNoMatch: to } });
      const call = conversation(
        graphOf({
          initialNode: 'order',
          slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?', ...rule(slot) } },
          nodes: {
            order: { collect: ['size'], defaultTransition: 'bye', ...rule(node) },
            bye: { say: 'Bye.', end: true },
            a: reception,
            b: reception,
            c: reception,
            d: reception,
          },
          onTrouble: 'd',
          ladder: { attempts: 1, ...(whole === null ? {} : { onNoMatch: whole }) },
        }),
      );
      call.start();
      unclear(call);
      return call.moves;
    };
    expect(lead('a', 'b', 'c')).toEqual(['order -> a by trouble']);
    expect(lead(null, 'b', 'c')).toEqual(['order -> b by trouble']);
    expect(lead(null, null, 'c')).toEqual(['order -> c by trouble']);
    expect(lead(null, null, null)).toEqual(['order -> d by trouble']);
  });

  test('two nodes whose ways out are each other do not hold a caller who says nothing that is understood', () => {
    const one = (to: string) => ({
      collect: ['size'],
      defaultTransition: 'bye',
      ladder: { attempts: 1, onNoMatch: to },
    });
    const call = conversation(
      graphOf({ ...flow, initialNode: 'a', nodes: { ...(flow.nodes as object), a: one('b'), b: one('a') } }),
    );
    call.start();
    let turns = 0;
    while (call.state.status === 'active' && turns < 20) {
      unclear(call);
      turns += 1;
    }
    expect(turns).toBeLessThan(10);
    expect(call.outcome.at(-1)).toBe('end no-match');
  });
});

describe('several wordings', () => {
  test('are taken in turn', () => {
    const call = conversation(
      graphOf(
        {
          initialNode: 'desk',
          nodes: {
            desk: {
              say: ['Hello. What can I do?', 'What else can I do?', 'Anything else?'],
              functions: [{ name: 'more', transitionTo: 'desk' }],
            },
          },
        },
        [],
        [],
        true,
      ),
    );
    const said = [call.start()];
    for (let turn = 0; turn < 3; turn += 1) {
      call.turn('more');
      said.push(call.batch([{ name: 'more' }]));
    }
    expect(said.map(([effect]) => (effect?.kind === 'say' ? effect.payload.text : ''))).toEqual([
      'Hello. What can I do?',
      'What else can I do?',
      'Anything else?',
      'Hello. What can I do?',
    ]);
  });
});

describe('a name without a value', () => {
  const said = (say: string | string[], input: JsonObject = {}, language = 'en') => {
    const call = conversation(
      graphOf({
        language,
        initialNode: 'desk',
        nodes: { desk: { say, functions: [{ name: 'more', transitionTo: 'desk' }] } },
      }),
    );
    const [effect] = call.start(input);
    return effect?.kind === 'say' ? effect.payload.text : '';
  };

  test.each([
    ['Thank you, {{ name }}.', 'Thank you.'],
    ['Thank you, {{ name }}! Is that right?', 'Thank you! Is that right?'],
    ['Well, {{ name }}, what can I do?', 'Well, what can I do?'],
    ['{{ name }}, what can I do?', 'what can I do?'],
    ['It costs {{ name }} 3.50, at 10:30.', 'It costs 3.50, at 10:30.'],
  ])('leaves no comma and no space: %s', (say, heard) => {
    expect(said(say)).toBe(heard);
  });

  test('leaves the line as it is if it has one', () => {
    expect(said('Thank you, {{ name }}.', { name: 'Ada' })).toBe('Thank you, Ada.');
    expect(said('One , two .')).toBe('One , two .');
  });

  test('leaves out a wording that another one can stand in for', () => {
    const wordings = ['{{ name }}, your room is {{ room }}.', 'Your room is {{ room }}.', 'It is booked.'];
    expect(said(wordings, { name: 'Ada', room: '12' })).toBe('Ada, your room is 12.');
    expect(said(wordings, { room: '12' })).toBe('Your room is 12.');
    expect(said(wordings)).toBe('It is booked.');
  });

  test('leaves out a wording with another plural form of a number', () => {
    const wordings = ['You have {{ new.one }} message.', 'You have {{ new.other }} messages.', 'You have no messages.'];
    expect(said(wordings, { new: 1 })).toBe('You have 1 message.');
    expect(said(wordings, { new: 4 })).toBe('You have 4 messages.');
    expect(said(wordings)).toBe('You have no messages.');
    const french = ['{{ box.new.one }} message', '{{ box.new.other }} messages'];
    expect(said(french, { box: { new: 1.5 } }, 'fr')).toBe('1,5 message');
    expect(said(french, { box: { new: 2 } }, 'fr')).toBe('2 messages');
    expect(said('{{ seats.one }}', { seats: { one: 'A1' } })).toBe('A1');
  });
});

describe('silence', () => {
  test('is asked into, then with all that can be said, and ends the call for that reason', () => {
    const call = asked();
    call.silence();
    expect(call.outcome).toEqual(['say: Are you still there? Which size would you like?']);
    call.silence();
    expect(call.outcome).toEqual(['say: Please say small or large. Which size would you like?']);
    call.silence();
    expect(call.outcome).toEqual([
      'say: I cannot hear you, so I have to end this conversation here. Goodbye.',
      'end no-input',
    ]);
  });

  test('goes where on_no_input leads', () => {
    const call = conversation(
      graphOf({ ...flow, initialNode: 'order', ladder: { attempts: 1, onNoInput: 'bye', onNoMatch: 'order' } }),
    );
    call.start();
    call.silence();
    expect(call.moves).toEqual(['order -> bye by trouble']);
  });

  test('means nothing while the model or a function is at work', () => {
    const call = asked();
    call.turn('hm');
    expect(call.silence()).toEqual([]);
    expect(noInputMsOf(call.graph, call.state, noonCivil)).toBeNull();
  });

  test('is waited for as long as the slot, the node or the flow says, eight seconds where none does, and never where it is 0', () => {
    const ms = (size: number | undefined, order: number | undefined, whole: number | undefined): number | null => {
      const rule = (noInputMs: number | undefined) => (noInputMs === undefined ? {} : { ladder: { noInputMs } });
      const call = conversation(
        graphOf({
          ...rule(whole),
          initialNode: 'order',
          slots: { size: { type: 'enum', values: ['small', 'large'], ask: 'Which size?', ...rule(size) } },
          nodes: { order: { collect: ['size'], defaultTransition: 'bye', ...rule(order) }, bye: { end: true } },
        }),
      );
      call.start();
      return noInputMsOf(call.graph, call.state, noonCivil);
    };
    expect([ms(1000, 2000, 3000), ms(undefined, 2000, 3000), ms(undefined, undefined, 3000)]).toEqual([
      1000, 2000, 3000,
    ]);
    expect([ms(undefined, undefined, undefined), ms(0, 2000, 3000)]).toEqual([8000, null]);
  });
});

describe('a caller who asks', () => {
  test('for the last words hears them again, and nothing is counted', () => {
    const call = asked();
    call.turn('what did you say?', undefined, { asksFor: 'repeat' });
    expect(call.outcome).toEqual(['say: Which size would you like?']);
    expect(call.state.dialogue.attempts).toEqual({});
    call.turn('what?', undefined, { asksFor: 'repeat' });
    expect(call.outcome).toEqual(['say: Which size would you like?']);
  });

  test('for the last words after a miss hears the whole line without the apology', () => {
    const call = conversation(
      graphOf({
        initialNode: 'offer',
        nodes: {
          offer: {
            say: 'It costs 40 euros. Would you like it?',
            functions: [{ name: 'take', description: 'The caller agrees.', transitionTo: 'done' }],
          },
          done: { say: 'Done.', end: true },
        },
      }),
    );
    const line = 'It costs 40 euros. Would you like it?';
    call.start();
    call.turn('blah');
    call.batch([]);
    expect(call.outcome).toEqual(['say: Sorry, I did not get that. Would you like it?']);
    call.turn('say that again, please', undefined, { asksFor: 'repeat' });
    expect(call.outcome).toEqual([`say: ${line}`]);
    expect(call.state.dialogue.ladder).toMatchObject({ noMatch: 1, puts: 1 });
    call.turn('Is there parking?');
    call.batch([], 'Yes, behind the house. Would you like it?');
    call.turn('what?', undefined, { asksFor: 'repeat' });
    expect(call.outcome).toEqual([`say: Yes, behind the house. ${line}`]);
  });

  test.each([
    ['en', 'how much again?', 'It costs 40 euros. Would you like it?', 'It is a city bike. Would you like that one?'],
    ['en', 'how much again?', 'It costs forty euros. Would you like it?', 'One more thing. Would you like a bag?'],
    ['en', 'when was that again?', 'You are booked at noon. Anything else?', 'You are booked. Anything else?'],
    [
      'de',
      'Wie viel war das noch mal?',
      'Das macht vierzig Euro. Möchten Sie es?',
      'Ein Rad ist frei. Möchten Sie es?',
    ],
    ['fr', "C'est combien déjà ?", 'Cela fait quarante euros. Le voulez-vous ?', 'Un vélo est libre. Le voulez-vous ?'],
    ['es', '¿Cuánto era?', 'Cuesta cuarenta euros. ¿Lo quiere?', 'Hay una bicicleta. ¿La quiere?'],
    ['pt', 'Quanto era mesmo?', 'Custa quarenta euros. Quer levar?', 'Há uma bicicleta. Quer levar?'],
  ])('for the price hears the whole line, if a value is in it: %s %j', (language, words, priced, other) => {
    const says = (say: string): readonly string[] => {
      const call = conversation(
        graphOf({
          language,
          initialNode: 'offer',
          nodes: {
            offer: { say, functions: [{ name: 'take', description: 'The caller agrees.', transitionTo: 'done' }] },
            done: { say: 'Done.', end: true },
          },
        }),
      );
      call.start();
      call.turn('blah');
      call.batch([]);
      const utterance = readUtterance({ graph: call.graph, state: call.state, civil: noonCivil }, words);
      call.send({ type: 'user:turn', at: noon, eventId: 'price', text: words, via: 'text', utterance });
      return call.outcome;
    };
    expect(says(priced)).toEqual([`say: ${priced}`]);
    expect(says(other)).toEqual(['reply offer']);
  });

  test('for time has a minute of it, and the question is the one that is open', () => {
    const call = asked();
    call.turn('one moment', undefined, { asksFor: 'patience' });
    expect(call.outcome).toHaveLength(1);
    expect(noInputMsOf(call.graph, call.state, noonCivil)).toBe(60_000);
    call.turn('sorry, what was that?', undefined, { asksFor: 'repeat' });
    expect(call.outcome).toEqual(['say: Which size would you like?']);
    expect(noInputMsOf(call.graph, call.state, noonCivil)).toBe(8_000);
  });

  test('for time has tried nothing by the words that end it', () => {
    const call = asked();
    call.turn('one moment', undefined, { asksFor: 'patience' });
    call.turn("okay, I'm back");
    call.batch([]);
    expect(call.outcome).toEqual(['say: So: Which size would you like?']);
    expect(call.state.dialogue.attempts).toEqual({});
    call.turn('blah');
    call.batch([]);
    expect(call.told('question:missed')).toEqual([{ cause: 'no-match', attempt: 1, of: 3 }]);
  });

  test('for a confirmation again may say yes to it then', () => {
    const call = conversation(
      graphOf(
        {
          initialNode: 'desk',
          nodes: {
            desk: {
              taskMessages: [{ role: 'system', content: 'Help.' }],
              functions: [{ name: 'book', effect: 'write', confirm: 'Shall I book it?', transitionTo: 'done' }],
            },
            done: { say: 'Booked.', end: true },
          },
        },
        ['book'],
      ),
    );
    call.start();
    call.batch([{ name: 'book', state: 'waiting' }]);
    call.turn('sorry?', undefined, { asksFor: 'repeat' });
    expect(call.outcome).toEqual(['say: Shall I book it?']);
    call.turn('yes', undefined, { answer: 'yes' });
    expect(call.outcome).toEqual(['tool book']);
  });
});

describe('a value that breaks a rule of its slot', () => {
  test.each([
    ['phone', { type: 'phone', ask: 'Which number?' }, '555 0123', 'The area code is missing. Which number?'],
    ['day', { type: 'date', after: 'today', ask: 'Which day?' }, '2020-01-01', 'It must be after today. Which day?'],
    ['many', { type: 'integer', maximum: 9, ask: 'How many?' }, 12, 'It must be at most 9. How many?'],
  ] as const)('is asked for again with the reason: %s', (name, slot, value, expected) => {
    const call = conversation(
      graphOf({
        initialNode: 'form',
        slots: { [name]: slot },
        nodes: { form: { collect: [name], defaultTransition: 'bye' }, bye: { end: true } },
      }),
    );
    call.start();
    call.turn('x');
    call.batch([{ name: 'record', arguments: { [name]: value } }]);
    expect(call.outcome).toEqual([`say: ${expected}`]);
  });
});

describe('what the caller would rather not say', () => {
  const form = (optional: boolean) => {
    const call = conversation(
      graphOf({
        initialNode: 'form',
        slots: { phone: { type: 'phone', ask: 'Which number?', optional }, who: { type: 'name', ask: 'Who?' } },
        nodes: { form: { collect: ['phone', 'who'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
      }),
    );
    call.start();
    return call;
  };

  test('and may stay unsaid is asked for once', () => {
    const call = form(true);
    expect(call.outcome).toEqual(['say: Which number?']);
    call.turn("I'd rather not", undefined, { declines: true });
    expect(call.outcome).toEqual(['say: Who?']);
    expect(call.told('slot:declined')).toEqual([{ slot: 'phone' }]);
    call.turn('Ada Park');
    call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
    expect(call.outcome).toEqual(['say: Bye.', 'end completed']);
  });

  test.each<[string, OldReading, string]>([
    ['hmm', { isBlank: true }, ''],
    ['well, let me see', {}, ''],
    ['it is a lovely day', {}, 'It is.'],
  ])('and is asked once more where %j is no refusal, and no more than once', (words, reading, answer) => {
    const call = form(true);
    const says = (): readonly string[] => {
      call.turn(words, undefined, reading);
      if (reading.isBlank !== true) call.batch([], answer, answer === '' ? {} : { asks: false });
      return call.outcome;
    };
    expect(says()).toEqual([expect.stringMatching(/^say: .+ Which number\?$/)]);
    expect(call.told('slot:declined')).toEqual([]);
    expect(says()).toEqual(['say: Who?']);
    expect(call.told('slot:declined')).toEqual([{ slot: 'phone' }]);
  });

  test('and is asked once more where another fact was told instead', () => {
    const call = form(true);
    call.turn('I am Ada Park');
    call.batch([{ name: 'record', arguments: { who: 'Ada Park' } }]);
    expect(call.outcome).toEqual(['say: So: Which number?']);
    call.turn('hmm', undefined, { isBlank: true });
    expect(call.outcome).toEqual(['say: Bye.', 'end completed']);
  });

  test.each([
    ['No, thanks.', true],
    ['no', true],
    ['no onions, please', false],
  ])('of free text is left out by a plain no alone: %j', (words, isLeftOut) => {
    const graph = graphOf({
      initialNode: 'form',
      slots: { wish: { type: 'text', ask: 'Any wishes?', optional: true }, who: { type: 'name', ask: 'Who?' } },
      nodes: { form: { collect: ['wish', 'who'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
    });
    const call = conversation(graph);
    call.start();
    call.turn(words, undefined, readUtterance({ graph, state: call.state, civil: noonCivil }, words));
    expect(call.outcome).toEqual([isLeftOut ? 'say: Who?' : 'reply form']);
  });

  test('and may stay unsaid puts nobody out of the call, neither by its read-back nor by what a model asks instead', () => {
    const call = conversation(
      graphOf({
        initialNode: 'form',
        slots: {
          phone: { type: 'phone', ask: 'Which number?', optional: true, confirm: 'readback' },
          wish: { type: 'text', ask: 'Any wishes?', optional: true },
          who: { type: 'name', ask: 'Who?' },
        },
        nodes: {
          form: { collect: ['phone', 'wish', 'who'], defaultTransition: 'bye' },
          bye: { say: 'Bye.', end: true },
        },
      }),
    );
    call.start();
    call.turn('415 555 2671');
    call.batch([{ name: 'record', arguments: { phone: '415 555 2671' } }]);
    for (let attempt = 1; attempt <= 3; attempt += 1) call.turn('hmm', undefined, { isBlank: true });
    expect(call.outcome).toEqual(['say: Any wishes?']);
    expect(call.known).toEqual({});
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      call.turn('none at all', undefined, { leansNo: true });
      call.batch([], 'Sorry, what do you mean?', { asks: true });
    }
    expect(call.outcome).toEqual(['say: Who?']);
    expect(call.state.knowledge.declined).toEqual(['phone', 'wish']);
  });

  test('is kept all the same when it is said later', () => {
    const call = form(true);
    call.turn("I'd rather not", undefined, { declines: true });
    call.turn('well, 415 555 2671');
    call.batch([{ name: 'record', arguments: { phone: '415 555 2671' } }]);
    expect(call.known).toEqual({ phone: '+14155552671' });
    expect(call.state.knowledge.declined).toEqual([]);
  });

  test('and is required goes the ladder’s way, without an inference', () => {
    const call = form(false);
    const replies = ["I'd rather not", 'no', 'no'].map((text) => {
      call.turn(text, undefined, { declines: true });
      return call.outcome;
    });
    expect(replies).toEqual([
      ['say: I do need this to go on. Which number?'],
      ['say: Please say the number digit by digit, with its area code. Which number?'],
      [`say: ${lines.endNotUnderstood[0]}`, 'end refused'],
    ]);
  });
});

describe('a node that fails', () => {
  const flaky = defineFlakyType();

  function defineFlakyType(): NodeType {
    return {
      name: 'test.flaky',
      description: 'Takes time, and may fail.',
      input: z.strictObject({}),
      output: z.unknown(),
      run: () => Promise.resolve(null),
    };
  }

  const graph = (more: Partial<ConversationFlow> = {}) =>
    graphOf(
      {
        initialNode: 'look',
        nodes: {
          look: { type: 'test.flaky', defaultTransition: 'bye' },
          bye: { say: 'Bye.', end: true },
          help: { say: 'Let me get someone.', end: 'helped' },
        },
        ...more,
      },
      [],
      [flaky],
    );

  test('is tried once more, and then trouble leads on', () => {
    const call = conversation(graph({ onTrouble: 'help' }));
    const [first] = call.start();
    call.settleEffect(first?.key ?? '', 'failed');
    expect(call.outcome).toEqual(['task test.flaky']);
    call.settleEffect(call.effects[0]?.key ?? '', 'failed');
    expect(call.moves).toEqual(['look -> help by trouble']);
  });

  test('and fails again ends the conversation where nothing leads on', () => {
    const call = conversation(graph());
    const [first] = call.start();
    call.settleEffect(first?.key ?? '', 'failed');
    call.settleEffect(call.effects[0]?.key ?? '', 'failed');
    expect(call.outcome).toEqual([`say: ${lines.endFailed[0]}`, 'end node-failed']);
  });

  test('and goes well the second time goes on', () => {
    const call = conversation(graph());
    const [first] = call.start();
    call.settleEffect(first?.key ?? '', 'failed');
    call.settleEffect(call.effects[0]?.key ?? '', 'done', {});
    expect(call.moves).toEqual(['look -> bye by default']);
  });
});

test('three replies in a row that fail are trouble', () => {
  const desk = (more: Partial<ConversationFlow>) => {
    const call = conversation(
      graphOf({
        initialNode: 'desk',
        nodes: {
          desk: {
            taskMessages: [{ role: 'system', content: 'Help.' }],
            functions: [{ name: 'go', transitionTo: 'help' }],
          },
          help: { say: 'Let me get someone.', end: 'helped' },
        },
        ...more,
      }),
    );
    call.start();
    for (const text of ['a', 'b']) {
      call.failReply();
      call.turn(text);
    }
    call.failReply();
    return call;
  };
  expect(desk({ onTrouble: 'help' }).moves).toEqual(['desk -> help by trouble']);
  expect(desk({}).outcome).toEqual([`say: ${lines.endFailed[0]}`, 'end model-failed']);
});
