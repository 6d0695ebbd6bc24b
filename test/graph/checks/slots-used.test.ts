import { expect, test } from 'vitest';
import { flow, found } from './found.ts';

const slots = { name: { type: 'name' }, phone: { type: 'phone', optional: true } };
const collecting = (collect: (string | object)[], parts: object = {}): object =>
  flow({ start: { collect, defaultTransition: 'done' } }, { slots, ...parts });

test('a node collects slots that exist, each once', () => {
  expect(found('unknown-slot', collecting(['nam', 'toString', 'name']))).toEqual([
    'error nodes.start.collect[0]',
    'error nodes.start.collect[1]',
  ]);
  expect(found('duplicate-collect', collecting(['name', 'phone', 'name']))).toEqual(['warning nodes.start.collect[2]']);
  expect(found('unknown-slot', collecting(['name', 'phone']))).toEqual([]);
  expect(found('duplicate-collect', collecting(['name', 'phone']))).toEqual([]);
});

test('a node forgets slots that exist, and collects them in either form', () => {
  const forget = flow({ start: { say: 'Hi.', forget: ['nam', 'name'], defaultTransition: 'done' } }, { slots });
  expect(found('unknown-slot', forget)).toEqual(['error nodes.start.forget[0]']);
  const again = collecting([{ slot: 'name', again: true }, { slot: 'fone' }, 'name']);
  expect(found('unknown-slot', again)).toEqual(['error nodes.start.collect[1].slot']);
  expect(found('duplicate-collect', again)).toEqual(['warning nodes.start.collect[2]']);
  expect(found('slot-never-collected', collecting([{ slot: 'name' }]))).toEqual([]);
});

test('a node that collects optional slots only asks for nothing', () => {
  expect(found('collect-never-asks', collecting(['phone']))).toEqual(['warning key of nodes.start.collect']);
  expect(found('collect-never-asks', collecting(['phone', 'name']))).toEqual([]);
  expect(found('collect-never-asks', collecting(['fone']))).toEqual([]);
});

test('a required slot is collected somewhere, or filled by a function', () => {
  expect(found('slot-never-collected', flow({}, { slots }))).toEqual(['warning key of slots.name']);
  expect(found('slot-never-collected', collecting(['name']))).toEqual([]);
  const functions = [{ name: 'go', transitionTo: 'done', parameters: { properties: { name: {} } } }];
  expect(found('slot-never-collected', flow({}, { slots, functions }))).toEqual([]);
});

test('the condition of a question reads declared names, and not the time', () => {
  const asked = (askWhen: object): object =>
    collecting(['name', 'note'], { slots: { ...slots, note: { type: 'text', askWhen } } });
  expect(found('when-operand', asked({ greater: { var: 'now', value: '12:00' } }))).toEqual([
    'error slots.note.askWhen.greater.var',
  ]);
  expect(found('undeclared-name', asked({ exists: { var: 'nam' } }))).toEqual([
    'warning slots.note.askWhen.exists.var',
  ]);
  expect(found('undeclared-name', asked({ exists: { var: 'name' } }))).toEqual([]);
  expect(found('early-edge', asked({ exists: { var: 'name' } }))).toEqual([]);
});

test('a computed value reads declared names and those before it, and not the time', () => {
  const computing = (computed: object): object => flow({}, { slots: { ...slots, day: { type: 'date' } }, computed });
  expect(found('undeclared-name', computing({ twice: { add: ['fone', 1] } }))).toEqual([
    'warning computed.twice.add[0]',
  ]);
  expect(found('when-operand', computing({ twice: { add: ['later', 1] }, later: { var: 'day' } }))).toEqual([
    'error computed.twice.add[0]',
  ]);
  expect(found('when-operand', computing({ self: { var: 'self' } }))).toEqual(['error computed.self.var']);
  expect(found('when-operand', computing({ left: { daysBetween: ['today', 'day'] } }))).toEqual([
    'error computed.left.daysBetween[0]',
  ]);
  expect(found('name-collision', computing({ day: { var: 'name' } }))).toEqual(['error key of computed.day']);
  expect(found('when-operand', computing({ later: { var: 'day' }, twice: { add: ['later', 1] } }))).toEqual([]);
});

test('a range has two ends of one type with an order', () => {
  const ending = (until: object): object =>
    collecting(['from', 'until'], { slots: { from: { type: 'date' }, until: { type: 'date', ...until } } });
  expect(found('unknown-slot', ending({ ends: 'form' }))).toEqual(['error slots.until.ends']);
  expect(found('rule-not-for-type', ending({ ends: 'until' }))).toEqual(['error slots.until.ends']);
  expect(found('rule-not-for-type', ending({ ends: 'from', type: 'time' }))).toEqual(['error slots.until.ends']);
  expect(found('rule-not-for-type', ending({ ends: 'from' }))).toEqual([]);
});
