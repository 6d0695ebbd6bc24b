import { describe, expect, it } from 'vitest';
import { read } from '../../../src/language/english/reading.ts';
import { outcome, type Row } from './outcome.ts';
import { NOW } from './unseen-sentences.ts';

const values = new Map<string, readonly string[]>([
  ['checkup', ['routine', 'annual', 'physical']],
  ['pain', ['hurts', 'ache']],
  ['medical_records', []],
  ['new-patient', ['first visit']],
  ['existing_patient', []],
  ['other', []],
]);

describe('a choice asked for', () => {
  const rows: Row[] = [
    ['checkup', 'checkup'],
    ['a check up', 'checkup'],
    ['just a check-up please', 'checkup'],
    ['two checkups', 'checkup'],
    ['my annual physical', 'checkup'],
    ['it hurts', 'pain'],
    ['my knee is hurting', 'pain'],
    ['I have aches', 'pain'],
    ['medical records', 'medical_records'],
    ['medical_records', 'medical_records'],
    ['records', 'medical_records'],
    ['I am a new one', 'new-patient'],
    ['existing patient', 'existing_patient'],
    ['not pain, a checkup', 'checkup'],
    ['no pain, just a checkup', 'checkup'],
    ["it's not pain it's a checkup", 'checkup'],
    ['no, pain', 'pain'],
    ['checkup, no wait, pain', 'pain'],
    ['something else', 'other'],
    ['none of those', 'other'],
    ['the first one', 'checkup'],
    ['option two', 'pain'],
    ['the last one', 'other'],
    ['number three', 'medical_records'],
    ['pain or a checkup', 'ambiguous'],
    ['a checkup and records', 'ambiguous'],
    ['checkup no pain', 'checkup'],
    ['patient', 'not-found'],
    ['more than a checkup', 'not-found'],
    ['no pain', 'not-found'],
    ["I don't have any pain", 'not-found'],
    ['nothing to do with records', 'not-found'],
    ['painting', 'not-found'],
    ['the first time', 'not-found'],
    ['number nine', 'not-found'],
    ['one', 'not-found'],
    ['what are the options', 'not-found'],
    ['', 'not-found'],
    ['constructor', 'not-found'],
    ['__proto__', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('enum', text, { asked: true, values })).toBe(expected);
  });
});

describe('a choice that was not asked for', () => {
  const rows: Row[] = [
    ['hello I need a checkup', 'checkup'],
    ['can I get my medical records', 'medical_records'],
    ['the first one', 'not-found'],
    ['records', 'not-found'],
    ['is it a checkup or records', 'ambiguous'],
    ['hello', 'not-found'],
  ];
  it.each(rows)('%j is %j', (text, expected) => {
    expect(outcome('enum', text, { values })).toBe(expected);
  });
});

it('the longest phrase wins', () => {
  const teeth = new Map([
    ['cleaning', []],
    ['deep_cleaning', ['deep clean']],
  ]);
  expect(outcome('enum', 'a deep cleaning', { asked: true, values: teeth })).toBe('deep_cleaning');
  expect(outcome('enum', 'a cleaning', { asked: true, values: teeth })).toBe('cleaning');
});

it('a part behind a whole name is what the name is of, no other choice', () => {
  const bikes = new Map([
    ['city', ['town']],
    ['race', ['road', 'racing']],
    ['electric', ['e-bike']],
  ]);
  const asked = (text: string): unknown => outcome('enum', text, { values: bikes, asked: true });
  expect(asked('a road bike')).toBe('race');
  expect(asked('an e-bike')).toBe('electric');
  expect(asked('a bike or a road one')).toBe('ambiguous');
});

it('a phrase of two values is ambiguous', () => {
  const desks = new Map([
    ['sales', ['help']],
    ['support', ['help']],
  ]);
  expect(outcome('enum', 'I need help', { values: desks })).toBe('ambiguous');
});

it('yes and no can be values', () => {
  const consent = new Map([
    ['yes', []],
    ['no', []],
    ['later', ['not now']],
  ]);
  expect(outcome('enum', 'nope', { asked: true, values: consent })).toBe('no');
  expect(outcome('enum', 'yeah sure', { asked: true, values: consent })).toBe('yes');
  expect(outcome('enum', 'not now', { asked: true, values: consent })).toBe('later');
});

it('names of object properties are ordinary values', () => {
  const odd = new Map([
    ['__proto__', []],
    ['toString', []],
  ]);
  expect(outcome('enum', '__proto__', { values: odd })).toBe('__proto__');
  expect(outcome('enum', 'to string', { values: odd })).toBe('toString');
});

it('a choice by place or by half its name is not certain', () => {
  expect(read('enum', 'the first one', { now: NOW, asked: true, values })).toMatchObject({ certain: false });
  expect(read('enum', 'records', { now: NOW, asked: true, values })).toMatchObject({ certain: false });
  expect(read('enum', 'a checkup', { now: NOW, asked: true, values })).toMatchObject({ certain: true });
});

it('a number in the name of a value is never left out', () => {
  const slots = new Map([
    ['tue_10', ['tuesday at ten']],
    ['wed_11', ['wednesday at eleven']],
  ]);
  expect(outcome('enum', 'tuesday at ten', { asked: true, values: slots })).toBe('tue_10');
  expect(outcome('enum', 'tuesday at 10', { asked: true, values: slots })).toBe('tue_10');
  expect(outcome('enum', 'tuesday at eleven', { asked: true, values: slots })).toBe('not-found');
});

it('without values nothing is read', () => {
  expect(outcome('enum', 'a checkup', { asked: true })).toBe('not-found');
});
