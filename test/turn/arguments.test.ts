import { describe, expect, it } from 'vitest';
import { readArguments } from '../../src/engine/calls/arguments.ts';
import { cpuSecondsOf } from '../cpu.ts';
import { graphOf } from '../kernel/session.ts';

function offered(parameters: Record<string, unknown>) {
  const graph = graphOf({
    initialNode: 'a',
    nodes: {
      a: { say: 'Hi.', functions: [{ name: 'f', parameters, transitionTo: 'b' }] },
      b: { say: 'Bye.', end: 'x' },
    },
  });
  return graph.nodes.get('a')!.functions[0]!;
}

const table = offered({
  type: 'object',
  properties: {
    time: { type: 'string', pattern: '^(17|18|19):[0-5][0-9]$' },
    people: { type: 'integer', minimum: 1, maximum: 12 },
    area: { enum: ['in', 'out'] },
    guest: { type: 'object', properties: { code: { type: 'string', pattern: '^[A-Z]+$' } } },
  },
  required: ['time'],
});

describe('arguments of a call', () => {
  it.each([
    '{"time":"18:30"}',
    '{"time":"18:30","people":12,"area":"out","guest":{"code":"AB"}}',
    ' {"time":"17:00"} ',
  ])('that fit are taken as they are: %s', (raw) => {
    expect(readArguments(table, raw)).toEqual({ ok: true, value: JSON.parse(raw) });
  });

  it.each([
    ['{"time":"20:00"}', 'time: it does not have the required form'],
    ['{"time":"18:30","guest":{"code":"ab"}}', 'guest.code: it does not have the required form'],
    ['{"time":"18:30","people":13}', 'people: it must be at most 12'],
    ['{"time":"18:30","people":2.5}', 'people: '],
    ['{"time":"18:30","people":12345678901234567}', 'a number that would lose digits'],
    ['{"time":"18:30","area":"roof"}', 'area: '],
    ['{"people":2}', 'time: '],
    ['{"time":"18:30"', 'no valid JSON'],
    ['[]', 'time: '],
    ['null', 'time: '],
    ['[{"time":"18:30"},{"time":"19:30"}]', 'one JSON object'],
    ['"half past six"', 'one JSON object'],
    [JSON.stringify(`{"a":${'['.repeat(200)}${']'.repeat(200)}}`), 'one JSON object'],
    ['{"guest":{"time":"18:30"}}', 'time: '],
  ])('that do not fit are told what is wrong: %s', (raw, reason) => {
    const read = readArguments(table, raw);
    expect(read.ok).toBe(false);
    expect(!read.ok && read.error).toContain(reason);
  });

  it.each([
    '"{\\"time\\":\\"18:30\\"}"',
    '[{"time":"18:30"}]',
    '{"arguments":{"time":"18:30"}}',
    '{"input":"{\\"time\\":\\"18:30\\"}"}',
  ])('that are wrapped once more are unwrapped, but for a write: %s', (raw) => {
    expect(readArguments(table, raw)).toEqual({ ok: true, value: { time: '18:30' } });
    expect(readArguments({ ...table, write: true }, raw).ok).toBe(false);
  });

  it.each(['', 'null', '""', '"{}"', '[]', '{}'])(
    'that are none are none in whatever way that is written: %s',
    (raw) => {
      const nothing = offered({ type: 'object', properties: {} });
      expect(readArguments(nothing, raw)).toEqual({ ok: true, value: {} });
    },
  );

  it('that are cut at any byte are never taken, nor what only looks like JSON', () => {
    const raw = '{"time":"18:30","people":12,"area":"out","guest":{"code":"AB"}}';
    const given = { ...table, write: true };
    for (let length = 1; length < raw.length; length += 1)
      expect(readArguments(given, raw.slice(0, length)).ok, raw.slice(0, length)).toBe(false);
    for (const people of ['NaN', 'Infinity', '0x10', '1e400', '"12"', 'undefined', '012'])
      expect(readArguments(given, `{"time":"18:30","people":${people}}`).ok, people).toBe(false);
    expect(readArguments(given, '{"__proto__":{"time":"18:30"}}').ok).toBe(false);
    expect(({} as Record<string, unknown>)['time']).toBeUndefined();
  });

  it.each([
    [{ days: { type: 'array', items: { type: 'string', pattern: '^\\d{4}-' } } }, '{"days":["garbage"]}', 'days.0: '],
    [{ seats: { type: 'array', minItems: 1 } }, '{"seats":[]}', 'seats: it must have at least 1 item'],
    [{ seat: { enum: [{ row: 1, place: 2 }] } }, '{"seat":{"row":1}}', 'seat: '],
  ])('of lists and of objects are held to every rule as well: %j', (properties, raw, reason) => {
    const read = readArguments(offered({ type: 'object', properties }), raw);
    expect(!read.ok && read.error).toContain(reason);
  });

  it('that fit one form of several are taken', () => {
    const ref = {
      anyOf: [
        { type: 'string', pattern: '^A' },
        { type: 'string', pattern: '^B' },
      ],
    };
    expect(readArguments(offered({ type: 'object', properties: { ref } }), '{"ref":"A1"}').ok).toBe(true);
    const seat = { enum: [{ row: 1, place: 2 }] };
    expect(readArguments(offered({ type: 'object', properties: { seat } }), '{"seat":{"place":2,"row":1}}').ok).toBe(
      true,
    );
  });

  it('are told all that is wrong with them at once', () => {
    const read = readArguments(table, '{"time":"20:00","people":13,"area":"roof"}');
    expect(!read.ok && read.error).toBe(
      'The arguments do not fit: time: it does not have the required form; people: it must be at most 12; ' +
        'area: it must be one of: "in", "out". Call again.',
    );
  });

  it('a format is a note to the model: a time of day needs no seconds and no zone', () => {
    const call = offered({
      type: 'object',
      properties: { at: { type: 'string', format: 'time' }, on: { type: 'string', format: 'date' } },
    });
    expect(readArguments(call, '{"at":"09:30","on":"2026-12-01"}').ok).toBe(true);
  });

  it('a default is not filled in: nothing runs that was not asked for', () => {
    const call = offered({ type: 'object', properties: { tip: { type: 'number', default: 20 } } });
    expect(readArguments(call, '{}')).toEqual({ ok: true, value: {} });
  });

  it('a pattern that would take for ever elsewhere ends at once', () => {
    const call = offered({ type: 'object', properties: { x: { type: 'string', pattern: '^(a+)+$' } } });
    const raw = JSON.stringify({ x: `${'a'.repeat(5_000)}b` });
    expect(cpuSecondsOf(() => expect(readArguments(call, raw).ok).toBe(false))).toBeLessThan(2);
  });
});

describe('a call without arguments', () => {
  it.each([
    { type: 'object', properties: {} },
    { type: 'object', properties: { time: { type: 'string' } }, additionalProperties: false },
    { type: 'object', properties: {}, required: [], title: 'Nothing', description: 'Takes nothing.' },
  ])('fits where nothing is required: %j', (parameters) => {
    expect(readArguments(offered(parameters), '{}')).toEqual({ ok: true, value: {} });
    expect(readArguments(offered(parameters), '')).toEqual({ ok: true, value: {} });
  });

  it.each([
    { type: 'object', properties: { time: { type: 'string' } }, required: ['time'] },
    { anyOf: [{ type: 'object', properties: { time: { type: 'string' } }, required: ['time'] }] },
  ])('does not fit where something is: %j', (parameters) => {
    expect(readArguments(offered(parameters), '{}')).toMatchObject({ ok: false });
  });
});
