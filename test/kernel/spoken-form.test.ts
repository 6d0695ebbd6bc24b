import { expect, test } from 'vitest';
import { sayValue } from '../../src/kernel/state/names.ts';
import { checkFlow } from '../../src/flow/load/check-flow.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';
import { conversation, graphOf, noonCivil } from './session.ts';

const say = (slot: object, value: string): string => {
  const { graph } = checkFlow(
    { initialNode: 'a', slots: { day: slot }, nodes: { a: { collect: ['day'], say: 'A.', end: 'done' } } },
    { catalog: builtinCatalog },
  );
  const compiled = graph?.slots.get('day');
  if (graph == null || compiled === undefined) throw new Error('The flow of the test is broken.');
  return sayValue({ graph, civil: noonCivil }, compiled, value);
};

test('a day to come is said by weekday, and with its year where that is a year ahead or more', () => {
  const day = { type: 'date', ask: 'When?', after: 'today' };
  expect(say(day, '2026-12-01')).toBe('Tuesday, December 1');
  expect(say(day, '2027-11-20')).toBe('Saturday, November 20');
  expect(say(day, '2027-11-21')).toBe('Sunday, November 21, 2027');
  expect(say(day, '2028-02-29')).toBe('Tuesday, February 29, 2028');
});

test('any other day is said with its year', () => {
  expect(say({ type: 'date', ask: 'When?', before: 'today' }, '1984-03-04')).toBe('March 4, 1984');
});

test.each([
  ['en', ['Emma', 'Dracula', 'Ulysses'], 'You can renew Emma, Dracula and Ulysses.'],
  ['es', ['Emma', 'Dracula'], 'You can renew Emma y Dracula.'],
  ['de', [1, 2], 'You can renew 1 und 2.'],
  ['fr', ['Emma'], 'You can renew Emma.'],
  ['pt', ['Emma', 'Dracula'], 'You can renew Emma e Dracula.'],
  ['en', [{ title: 'Emma' }], 'You can renew [{"title":"Emma"}].'],
])('a list of texts is said as people say it, in %s: %j', (language, titles, said) => {
  const call = conversation(
    graphOf({
      initialNode: 'a',
      language,
      state: { titles },
      nodes: { a: { say: 'You can renew {{ titles }}.', end: 'done' } },
    }),
  );
  call.start();
  expect(call.outcome).toEqual([`say: ${said}`, 'end done']);
});
