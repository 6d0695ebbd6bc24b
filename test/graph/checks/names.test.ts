import { describe, expect, test } from 'vitest';
import { flow, found, problemsOf } from './found.ts';

const saying = (say: string, parts: object = {}, nodes: object = {}): object =>
  flow({ start: { say, defaultTransition: 'done' }, ...nodes }, parts);
const look = { look: { type: 'test.pure', defaultTransition: 'done' } };

describe('nothing declares a name', () => {
  test.each([
    ['in a text', saying('Hi {{ nmae.first }}.'), 'nodes.start.say "{{ nmae.first }}"@3'],
    [
      'in a prompt',
      flow({}, { roleMessages: [{ role: 'system', content: 'Of {{ clinc }}.' }] }),
      'roleMessages[0].content "{{ clinc }}"@3',
    ],
    [
      'in a condition',
      flow({}, { edges: [{ from: 'start', to: 'done', when: { any: [{ not: { exists: { var: 'vist' } } }] } }] }),
      'edges[0].when.any[0].not.exists.var',
    ],
    [
      'in an input',
      flow({ look: { type: 'test.pure', defaultTransition: 'done', input: { list: [{ text: 'for {{ a }}' }] } } }),
      'nodes.look.input.list[0].text "{{ a }}"@4',
    ],
    [
      'in an action',
      flow({ start: { say: 'Hi.', defaultTransition: 'done', preActions: [{ type: 'beep', tone: '{{ a }}' }] } }),
      'nodes.start.preActions[0].tone "{{ a }}"@0',
    ],
    ['though each object has it', saying('{{ constructor }}'), 'nodes.start.say "{{ constructor }}"@0'],
  ])('%s', (_what, document, place) => {
    expect(found('undeclared-name', document)).toEqual([`warning ${place}`]);
  });

  test('because it is a parameter of a tool, whose result alone is kept', () => {
    const functions = [{ name: 'tool', parameters: { properties: { time: {} } } }];
    expect(found('undeclared-name', saying('{{ time }}', { functions }))).toHaveLength(1);
  });
});

describe('a name is declared', () => {
  test.each([
    ['by a slot', saying('{{ name }}', { slots: { name: { type: 'name' } } })],
    ['by state', saying('{{ name.first }}', { state: { name: null } })],
    ['by an input', saying('{{ name }}', { input: { name: { type: 'string' } } })],
    ['by save_as', saying('{{ name }}', { functions: [{ name: 'tool', saveAs: 'name' }] })],
    [
      'by a parameter of a function that only moves',
      saying('{{ name }}', { functions: [{ name: 'go', parameters: { properties: { name: {} } } }] }),
    ],
    ['by a catalog node', saying('{{ look.route }}', {}, look)],
    [
      'by a catalog node with a hyphen',
      saying('{{ look-up }}', {}, { 'look-up': { type: 'test.pure', defaultTransition: 'done' } }),
    ],
    [
      'by the text’s own kind',
      saying('Hi.', { slots: { x: { type: 'text', confirm: 'readback', confirmText: '{{ value }}?' } } }),
    ],
    [
      'by the function that is confirmed',
      saying('Hi.', { functions: [{ name: 'tool', confirm: '{{ args.time }}?' }] }),
    ],
  ])('%s', (_what, document) => {
    expect(found('undeclared-name', document)).toEqual([]);
  });
});

describe('a node type that reads names by itself', () => {
  const reading = (text: string, ...rules: object[]): object =>
    flow({ look: { type: 'test.reads', defaultTransition: 'done', input: { text, rules } } }, { state: { known: 1 } });

  test('has them checked, in its conditions and in its texts', () => {
    const rule = { any: [{ exists: { var: 'knwon' } }, { not: { equals: { var: 'own.part', value: 1 } } }] };
    expect(found('undeclared-name', reading('{{ own }} of {{ knwon }}', rule))).toEqual([
      'warning nodes.look.input.text "{{ knwon }}"@13',
      'warning nodes.look.input.rules[0].any[0].exists.var',
    ]);
    expect(found('undeclared-name', reading('{{ own }} of {{ known }}', { exists: { var: 'known' } }))).toEqual([]);
  });

  test('has the faults of its texts told', () => {
    expect(found('template-syntax', reading('of {{ a b }}'))).toEqual(['error nodes.look.input.text "{{ a b }}"@3']);
  });

  test('is not asked about an input that does not fit it', () => {
    const input = { text: 3, rules: [{ exists: { var: 'knwon' } }] };
    const document = flow({ look: { type: 'test.reads', defaultTransition: 'done', input } });
    expect(found('undeclared-name', document)).toEqual([]);
    expect(found('invalid-node-input', document)).toEqual(['error nodes.look.input.text']);
  });
});

test('the hint of an undeclared name is the next best thing', () => {
  const hint = (name: string): string | undefined =>
    problemsOf(saying(`{{ ${name} }}`, { state: { visit: null } })).find(({ code }) => code === 'undeclared-name')
      ?.hint;
  expect(hint('vist')).toBe('Did you mean "visit"?');
  expect(hint('args.time')).toContain('confirm text');
  expect(hint('value')).toContain('confirm_text');
  expect(hint('something')).toContain('code sets it');
});

test('an output has only the fields of its type', () => {
  expect(found('unknown-output-field', saying('To {{ look.rout }}.', {}, look))).toEqual([
    'warning nodes.start.say "{{ look.rout }}"@3',
  ]);
  expect(found('unknown-output-field', saying('{{ look.toString }}', {}, look))).toHaveLength(1);
  const hint = (say: string): string | undefined =>
    problemsOf(saying(say, {}, look)).find(({ code }) => code === 'unknown-output-field')?.hint;
  expect(hint('{{ look.rout }}')).toBe('Did you mean "route"?');
  expect(hint('{{ look.something }}')).toBe('It has route.');
  for (const say of ['{{ look.route.deeper }}', '{{ look }}', '{{ loose.any }}', '{{ any.any }}']) {
    const loose = { type: 'test.loose', defaultTransition: 'done' };
    const any = { type: 'test.any', defaultTransition: 'done' };
    expect(found('unknown-output-field', saying(say, {}, { ...look, loose, any }))).toEqual([]);
  }
});

describe('one name is one thing', () => {
  const slots = { x: { type: 'text' } };
  const input = { x: { type: 'string' } };
  const state = { x: 1 };
  const functions = [{ name: 'tool', saveAs: 'x' }];
  const x = { type: 'test.pure', defaultTransition: 'done' };

  test.each([
    ['slot and input', flow({}, { slots, input }), 'key of slots.x'],
    ['variable and slot', flow({}, { slots, state }), 'key of state.x'],
    ['result and input', flow({}, { input, functions }), 'functions[0].saveAs'],
    ['catalog node and variable', flow({ x }, { state }), 'key of nodes.x'],
    [
      'a name that each object has',
      flow({}, { input: { constructor: { type: 'string' } }, state: { constructor: 1 } }),
      'key of state.constructor',
    ],
  ])('not %s', (_what, document, place) => {
    expect(found('name-collision', document)).toEqual([`error ${place}`]);
  });

  test.each([
    ['a variable with a first value and a later one', flow({}, { state, functions })],
    ['a conversation node and a slot', flow({ x: { say: 'X.', defaultTransition: 'done' } }, { slots })],
    [
      'a slot and a parameter that fills it',
      flow({}, { slots, functions: [{ name: 'go', transitionTo: 'done', parameters: { properties: { x: {} } } }] }),
    ],
  ])('but %s', (_what, document) => {
    expect(found('name-collision', document)).toEqual([]);
  });
});
