import { describe, expect, test } from 'vitest';
import { builtInLinesOf } from '../../src/runner/conversation/built-in-lines.ts';
import { createMask, maskPersonal } from '../../src/store/mask-personal.ts';
import type { Json } from '../../src/model/json.ts';

const flow: Json = { slots: { full_name: { type: 'name', pii: true }, reason: { type: 'text' } } };
const state: Json = {
  slots: { full_name: { value: 'Maria Delgado', confirmed: true }, reason: { value: 'a checkup', confirmed: true } },
  stack: [{ caller: { slots: { full_name: { value: 'Maria Delgado', confirmed: false } } } }],
};

describe('the value of a slot with pii', () => {
  test('is masked under its name everywhere, and other slots are not', () => {
    expect(maskPersonal(state, [flow])).toEqual({
      slots: {
        full_name: { value: '[personal]', confirmed: true },
        reason: { value: 'a checkup', confirmed: true },
      },
      stack: [{ caller: { slots: { full_name: { value: '[personal]', confirmed: false } } } }],
    });
  });

  test('is masked, but its evidence, which does not reveal it, is not', () => {
    const known = { confirmed: true, grounded: true, source: { kind: 'said', turn: 7 } };
    const readings = {
      full_name: { grounded: true, value: 'Maria Delgado', from: { kind: 'function', name: 'look' } },
    };
    const provenance = { full_name: { grounded: true, source: { kind: 'said', turn: 7 } } };
    const kept: Json = {
      slots: { full_name: { value: 'Maria Delgado', ...known } },
      calls: [{ name: 'look', arguments: { id: 7 }, readings }],
      payload: { provenance, arguments: { note: 'said on 7' } },
    };
    expect(maskPersonal(kept, [flow])).toEqual({
      slots: { full_name: { value: '[personal]', ...known } },
      calls: [
        {
          name: 'look',
          arguments: { id: 7 },
          readings: { full_name: { ...readings.full_name, value: '[personal]' } },
        },
      ],
      payload: { provenance, arguments: { note: 'said on 7' } },
    });
  });

  test('is masked in the arguments of calls, in questions about it and in all other texts', () => {
    const kept: Json = {
      state,
      calls: [{ name: 'book', arguments: { patient: 'Maria Delgado', full_name: 'Mary Delgato', time: '09:30' } }],
      subject: { kind: 'slot', slot: 'full_name', value: 'Mia' },
      variables: { visit: { label: 'Checkup for Maria Delgado', id: 7 } },
    };
    expect(maskPersonal(kept, [flow])).toMatchObject({
      calls: [{ name: 'book', arguments: { patient: '[personal]', full_name: '[personal]', time: '09:30' } }],
      subject: { kind: 'slot', slot: 'full_name', value: '[personal]' },
      variables: { visit: { label: '[personal]', id: 7 } },
    });
  });

  test('is masked in speech, in any wording', () => {
    const signals: Json = [
      { type: 'user:turn', text: 'It is Maria, and I was born in May.', via: 'speech' },
      { type: 'speech:settled', text: 'Thank you.', heard: 'Thank', state: 'done' },
      { type: 'generator:yielded', answer: { value: 'the fourth', inbound: { eventId: 'e', text: 'x', via: 'text' } } },
    ];
    expect(maskPersonal(signals, [flow])).toEqual([
      { type: 'user:turn', text: '[personal]', via: 'speech' },
      { type: 'speech:settled', text: '[personal]', heard: '[personal]', state: 'done' },
      {
        type: 'generator:yielded',
        answer: { value: '[personal]', inbound: { eventId: '[personal]', text: '[personal]', via: '[personal]' } },
      },
    ]);
  });

  test('leaves the lines of the author readable, with the values in them masked, and a plain yes or no', () => {
    const spoken: Json = {
      slots: {
        full_name: {
          type: 'name',
          pii: true,
          ask: { en: 'Who is it?' },
          confirmText: ['{{ value }}?', 'Is it {{ value }}?'],
        },
      },
      nodes: { hello: { say: 'Welcome to the clinic.' }, since: { say: 'Since you are Maria Delgado, come in.' } },
    };
    const saidBy = (text: string, heard = text): Json => ({ type: 'speech:settled', text, heard });
    const answered = (text: string, acts: Json, rest = false): Json => ({
      ...{ type: 'user:turn', text, via: 'text' },
      utterance: { acts, rest, unfinished: false, foreign: false },
    });
    const yes: readonly Json[] = [{ by: 'rules', act: 'answer', yes: true, strength: 'plain' }];
    const signals: readonly Json[] = [
      saidBy('Welcome to the clinic. Who is it?', 'Welcome to'),
      saidBy('Is it Maria Delgado?'),
      saidBy('Since you are Maria Delgado, come in.'),
      saidBy('Welcome, Maria.'),
      answered('Yes, please.', yes),
      answered('Yes, I would.', [...yes, { by: 'rules', act: 'call', function: 'start', arguments: {} }]),
      answered('Yes, it is Maria.', yes, true),
      answered('Yes.', [...yes, { by: 'rules', act: 'call', function: 'is', arguments: { name: 'Maria' } }]),
      answered('Who is it?', []),
    ];
    const masked = maskPersonal({ state, signals }, [spoken]) as {
      readonly signals: readonly { text: string; heard?: string }[];
    };
    expect(masked.signals.map(({ text, heard = text }) => [text, heard])).toEqual([
      ['Welcome to the clinic. Who is it?', 'Welcome to'],
      ['Is it [personal]?', 'Is it [personal]?'],
      ['[personal]', '[personal]'],
      ['[personal]', '[personal]'],
      ['Yes, please.', 'Yes, please.'],
      ['Yes, I would.', 'Yes, I would.'],
      ['[personal]', '[personal]'],
      ['[personal]', '[personal]'],
      ['[personal]', '[personal]'],
    ]);
    // The value itself may be a yes.
    const smokes: Json = { slots: { smokes: { type: 'boolean', pii: true } } };
    const kept: Json = [answered('Yes.', yes), { slots: { smokes: { value: true, confirmed: true } } }];
    expect(maskPersonal(kept, [smokes])).toMatchObject([
      { text: '[personal]' },
      { slots: { smokes: { value: '[personal]', confirmed: true } } },
    ]);
  });

  test('leaves built-in lines readable too, in the languages of the flow', () => {
    const flow: Json = {
      ...{ language: 'de', languages: ['de', 'en'] },
      slots: { full_name: { type: 'name', pii: true, ask: { en: 'Who is it?', de: 'Wer ist da?' } } },
    };
    const texts = [
      'Sorry, I did not get that. Who is it?',
      'So: Who is it?',
      'Maria Delgado, is that right?',
      'Entschuldigung, das habe ich nicht verstanden. Wer ist da?',
      'Sorry, I did not get that. Maria is a fine name.',
    ];
    const signals = texts.map((text): Json => ({ type: 'speech:settled', text }));
    const masked = maskPersonal({ state, signals }, [flow, builtInLinesOf(flow)]) as typeof flow;
    expect(masked).toMatchObject({
      signals: [
        { text: texts[0] },
        { text: texts[1] },
        { text: '[personal], is that right?' },
        { text: texts[3] },
        { text: '[personal]' },
      ],
    });
  });

  test('does not change a session whose flows declare no such slot', () => {
    const others: Json[] = [{ slots: { full_name: { type: 'name' } } }, { nodes: {} }, null, 'x', { slots: [] }];
    expect(maskPersonal(state, others)).toBe(state);
  });

  test('is found under names with a meaning in JavaScript', () => {
    const odd = JSON.parse('{"slots":{"__proto__":{"pii":true},"constructor":{"pii":false}}}') as Json;
    const kept = JSON.parse('{"__proto__":"Maria","constructor":"Anna","other":"Maria and Anna"}') as Json;
    expect(JSON.stringify(maskPersonal(kept, [odd]))).toBe(
      '{"__proto__":"[personal]","constructor":"Anna","other":"[personal]"}',
    );
  });
});

describe('a value in another spelling', () => {
  const slots = {
    full_name: { type: 'name', pii: true },
    phone: { type: 'phone', pii: true },
    card: { type: 'text', pii: true },
    born: { type: 'date', pii: true },
    state: { type: 'text', pii: true },
  };
  const known = {
    slots: {
      full_name: { value: 'José Núñez', confirmed: true },
      phone: { value: '+14155550123', confirmed: true },
      card: { value: '4111111111111111', confirmed: true },
      born: { value: '1984-03-04', confirmed: true },
      state: { value: 'Texas', confirmed: true },
    },
  };

  /** Returns the mask of an argument with a neutral name. */
  function shown(q: Json): Json {
    const kept = maskPersonal({ state: known, calls: [{ name: 'look', arguments: { q } }] }, [{ slots }]);
    return (kept as { calls: { arguments: { q: Json } }[] }).calls[0]?.arguments.q ?? null; // Masking keeps the shape.
  }

  test.each<Json>([
    '4111-1111-1111-1111',
    '4111 1111 1111 1111',
    4_111_111_111_111_111,
    '(415) 555-0123',
    '415 555 0123',
    '001 415 5550123',
    14_155_550_123,
    'jose nunez',
    'JOSÉ NÚÑEZ, room 4',
    'Mr. Nunez',
    'José_Núñez',
    '04.03.1984',
    '3/4/1984',
    'March 4th, 1984',
    '4 March 1984',
    '19840304',
    'the state of TEXAS',
    { deep: ['(415) 555-0123'] },
  ])('%j is masked', (written) => {
    expect(JSON.stringify(shown(written))).toMatch(/^(?:\{"deep":\[)?"\[personal\]"/);
  });

  test.each<Json>(['a table for two', 'node', 4, 1984, '2026-11-22', 'room 415', 'Joseph', 'done', 'taken'])(
    '%j is somebody else’s, or nothing personal',
    (written) => {
      expect(shown(written)).toEqual(written);
    },
  );

  test('types and the names of nodes and functions stay, even if a caller has the same name', () => {
    const odd = { slots: { full_name: { value: 'Taken', confirmed: true } } };
    const events: Json = [{ type: 'transition:taken', seq: 3, nodeId: 'greet', data: { to: 'taken', state: 'done' } }];
    expect(maskPersonal({ state: odd, events }, [{ slots }])).toMatchObject({ events });
  });
});

test('the address of a message is masked, and the target of a move is not', () => {
  const kept: Json = {
    effects: [{ kind: 'message', payload: { channel: 'sms', to: '+14155552671', data: { speech: 's/1/0' } } }],
    events: [{ type: 'transition:taken', data: { to: 'pay' } }],
  };
  expect(maskPersonal(kept, [flow])).toMatchObject({
    effects: [{ payload: { channel: 'sms', to: '[personal]' } }],
    events: [{ data: { to: 'pay' } }],
  });
});

describe('a value that is personal by its form', () => {
  test.each([
    '4111 1111 1111 1111',
    'it is 5500-0000-0000-0004.',
    'DE89 3704 0044 0532 0130 00',
    'GB82WEST12345698765432',
  ])('%s is masked in every session', (text) => {
    expect(maskPersonal({ calls: [{ arguments: { q: text } }] }, [])).toEqual({
      calls: [{ arguments: { q: '[personal]' } }],
    });
  });

  test.each([
    '4111 1111 1111 1112',
    's1/4/2.1',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'AD_4111111111111111x',
    'DE00 3704 0044 0532 0130 00',
  ])('%s is no number of a card or an account', (text) => {
    expect(maskPersonal({ calls: [{ arguments: { q: text } }] }, [])).toEqual({ calls: [{ arguments: { q: text } }] });
  });
});

test('a value that turns out to be personal is masked in earlier entries too', () => {
  const slots = { guest: { type: 'name', pii: true } };
  const mask = createMask();
  const first = [{ calls: [{ arguments: { q: 'Maria Delgado, a table' } }] }];
  expect(mask.learn(first, [], [])).toBe(false);
  expect(mask.of(first)).toBe(first);
  const second = [{ state: { slots: { guest: { value: 'Maria Delgado', confirmed: true } } } }];
  expect(mask.learn(second, first, [{ slots }])).toBe(true);
  expect(JSON.stringify(mask.of([...first, ...second]))).not.toMatch(/maria|delgado/i);
  // A repetition adds no new value.
  expect(mask.learn(second, [...first, ...second], [{ slots }])).toBe(false);

  // A flow that names another slot makes earlier values under that name personal.
  const third = createMask();
  third.learn([{ state: { slots: { city: { value: 'Paderborn' } } } }], [], [{ slots }]);
  expect(
    third.learn([], [{ state: { slots: { city: { value: 'Paderborn' } } } }], [{ slots: { city: { pii: true } } }]),
  ).toBe(true);
  expect(third.of([{ arguments: { q: 'from Paderborn' } }])).toEqual([{ arguments: { q: '[personal]' } }]);
});
