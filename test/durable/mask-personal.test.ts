import { describe, expect, test } from 'vitest';
import { maskPersonal } from '../../src/durable/mask-personal.ts';
import type { Json } from '../../src/events/json.ts';

const flow: Json = { slots: { full_name: { type: 'name', pii: true }, reason: { type: 'text' } } };
const state: Json = {
  slots: { full_name: { value: 'Maria Delgado', confirmed: true }, reason: { value: 'a checkup', confirmed: true } },
  stack: [{ caller: { slots: { full_name: { value: 'Maria Delgado', confirmed: false } } } }],
};

describe('what a slot with pii holds', () => {
  test('is masked under its name wherever that stands, and other slots are not', () => {
    expect(maskPersonal(state, [flow])).toEqual({
      slots: {
        full_name: { value: '[personal]', confirmed: true },
        reason: { value: 'a checkup', confirmed: true },
      },
      stack: [{ caller: { slots: { full_name: { value: '[personal]', confirmed: false } } } }],
    });
  });

  test('is masked in the arguments of calls, in questions about it and in every other text', () => {
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

  test('is masked in what was said, in whatever words', () => {
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

  test('leaves a session as it is whose flows declare no such slot', () => {
    const others: Json[] = [{ slots: { full_name: { type: 'name' } } }, { nodes: {} }, null, 'x', { slots: [] }];
    expect(maskPersonal(state, others)).toBe(state);
  });

  test('is found under names that mean something to JavaScript', () => {
    const odd = JSON.parse('{"slots":{"__proto__":{"pii":true},"constructor":{"pii":false}}}') as Json;
    const kept = JSON.parse('{"__proto__":"Maria","constructor":"Anna","other":"Maria and Anna"}') as Json;
    expect(JSON.stringify(maskPersonal(kept, [odd]))).toBe(
      '{"__proto__":"[personal]","constructor":"Anna","other":"[personal]"}',
    );
  });
});
