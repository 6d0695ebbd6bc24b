import { describe, expect, it, test } from 'vitest';
import { answerFunction } from '../../src/flow/graph/compile/answer-function.ts';
import type { Graph } from '../../src/flow/graph/graph.ts';
import { readArguments } from '../../src/engine/calls/arguments.ts';
import { defaultLimits } from '../../src/engine/limits.ts';
import { reservedArguments } from '../../src/engine/calls/reserved-arguments.ts';
import { graphOf } from '../kernel/session.ts';

const german: Graph = graphOf({ initialNode: 'a', language: 'de', nodes: { a: { say: 'Hallo.', end: 'x' } } });
const english: Graph = graphOf({ initialNode: 'a', nodes: { a: { say: 'Hi.', end: 'x' } } });
const read = (raw: string, graph: Graph = english) =>
  readArguments(answerFunction('Shall I?'), raw, defaultLimits, (given) =>
    reservedArguments(answerFunction('Shall I?'), given, graph),
  );

describe('the argument of answer', () => {
  it.each<[string, boolean]>([
    ['{"agrees":true}', true],
    ['{"agrees":"no"}', false],
    ['{"agrees":"No."}', false],
    ['{"agrees":"false"}', false],
    ['{"agrees":"FALSE"}', false],
    ['{"agrees":0}', false],
    ['{"agrees":"0"}', false],
    ['{"agrees":1}', true],
    ['{"agrees":"True"}', true],
    ['{"agrees":"yes"}', true],
    ['{"agrees":true,"instead":null}', true],
    ['{"agrees":"no","reason":"too much"}', false],
    ['{"answer":"no"}', false],
    ['{"value":false}', false],
    ['{"arguments":{"agrees":"yes"}}', true],
    ['"no"', false],
    ['false', false],
    ['[{"agrees":"no"}]', false],
  ])('%s is read as record reads a yes or no', (raw, agrees) => {
    expect(read(raw)).toEqual({ ok: true, value: { agrees } });
  });

  it.each<[string, boolean]>([
    ['{"agrees":"ja"}', true],
    ['{"agrees":"nein"}', false],
    ['{"agrees":"no"}', false],
    ['{"agrees":"yes"}', true],
  ])('%s is read in the language of the conversation, and in English', (raw, agrees) => {
    expect(read(raw, german)).toEqual({ ok: true, value: { agrees } });
  });

  it.each(['{"agrees":"maybe"}', '{"agrees":2}', '{"agrees":null}', '{}', '{"a":true,"b":false}', '{"agrees":[]}'])(
    '%s is no yes and no no, and is refused',
    (raw) => {
      expect(read(raw).ok).toBe(false);
    },
  );

  it('is kept beside what the caller wants instead', () => {
    expect(read('{"agrees":"no","instead":7}')).toEqual({ ok: true, value: { agrees: false, instead: '7' } });
  });
});

test.each<[string, string]>([
  ['{"language":"es"}', 'es'],
  ['{"language":"ES"}', 'es'],
  ['{"language":"es-MX"}', 'es'],
  ['{"language":"Spanish"}', 'es'],
  ['"Spanish"', 'es'],
  ['{"lang":"de"}', 'de'],
])('set_language takes the tag or the name of a language of the flow: %s', (raw, language) => {
  const graph = graphOf({ initialNode: 'a', languages: ['en', 'es', 'de'], nodes: { a: { say: 'Hi.', end: 'x' } } });
  const offered = graph.setLanguage;
  if (offered === null) throw new Error('The flow has more than one language.');
  expect(readArguments(offered, raw, defaultLimits, (given) => reservedArguments(offered, given, graph))).toEqual({
    ok: true,
    value: { language },
  });
});

test('arguments of an author’s function are not changed', () => {
  const parameters = { type: 'object', properties: { agrees: { type: 'boolean' } }, required: ['agrees'] } as const;
  const given = { agrees: 'no', other: 1 };
  expect(reservedArguments({ name: 'consent', parameters }, given, english)).toBe(given);
});
