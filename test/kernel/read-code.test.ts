import { expect, test } from 'vitest';
import { codeIn } from '../../src/engine/words/read-code.ts';
import { graphOf } from './session.ts';

const graph = graphOf({
  initialNode: 'ask',
  slots: {
    code: { type: 'text', ask: 'Which code?', pattern: '^[A-Z]{2}[0-9]{4,6}$' },
    note: { type: 'text', ask: 'A note?' },
  },
  nodes: { ask: { collect: ['code', 'note'], defaultTransition: 'bye' }, bye: { say: 'Bye.', end: true } },
});
const slot = (name: string) => graph.slots.get(name)!;

test.each([
  ['AB123456', 'AB123456'],
  ['No, AB123456.', 'AB123456'],
  ['it is ab 1234, please', 'AB1234'],
  ['AB 12-34', 'AB1234'],
])('%j says the code %s', (text, value) => {
  expect(codeIn(slot('code'), text)?.value).toBe(value);
});

test.each(['ABC1234', 'AB123', 'AB1234 or AB1235', 'I do not know'])('%j says no code', (text) => {
  expect(codeIn(slot('code'), text)).toBeUndefined();
});

test('a slot without a pattern has no code', () => {
  expect(codeIn(slot('note'), 'AB1234')).toBeUndefined();
});
