import { describe, expect, test } from 'vitest';
import { newSession, stateVersion } from '../../src/kernel/state/state.ts';
import { readState } from '../../src/kernel/state/upgrade.ts';
import { clinic } from './clinic.ts';
import { asVersion2 } from './older-state.ts';
import { conversation, graphOf } from './session.ts';

const stored = (state: unknown): unknown => JSON.parse(JSON.stringify(state));

describe('a stored state', () => {
  test('of this version is read as it is', () => {
    const call = conversation(graphOf(clinic, ['book_visit']));
    call.start();
    call.turn('hello');
    expect(readState(stored(call.state))).toEqual(call.state);
  });

  test('of an older one goes through each upgrade in turn', () => {
    const state = stored(newSession('s')) as object;
    const upgrades = [
      (older: object) => ({ ...older, seen: [1] }),
      (older: object) => ({ ...older, seen: [...('seen' in older ? (older.seen as number[]) : []), 2] }),
    ];
    expect(readState({ ...state, stateVersion: 1 }, upgrades, 3)).toMatchObject({ stateVersion: 3, seen: [1, 2] });
    // Written by the second of three releases.
    expect(readState({ ...state, stateVersion: 2 }, upgrades, 3)).toMatchObject({ seen: [2] });
  });

  test('of version 2 keeps each member in its group', () => {
    const call = conversation(graphOf(clinic, ['book_visit']));
    call.start();
    call.turn('hello');
    const older = asVersion2(call.state);
    expect(JSON.stringify(readState(stored(older)))).toBe(JSON.stringify(call.state));
    const { slots, taskQuestion, ...earlier } = older;
    expect(() => readState(stored({ ...earlier, taskQuestion }))).toThrow('lacks "knowledge.slots"');
    expect(readState(stored({ ...earlier, slots }))).toEqual(call.state);
  });

  test('with an unheard question has the mark at its line', () => {
    const call = conversation(graphOf(clinic, ['book_visit']));
    call.start();
    call.turn('hello');
    const put = { key: '', text: 'Shall I?', question: 's/1/9', heard: 'unheard', isOver: false } as const;
    const payload = { wait: 'confirm', say: 'Shall I?', subject: { kind: 'node', node: 'desk' } } as const;
    const wait = { key: 's/1/9', kind: 'wait', state: 'started', node: 'desk', visit: 1, payload } as const;
    const { state } = call;
    const now = { ...state, dialogue: { ...state.dialogue, put }, effects: { ...state.effects, [wait.key]: wait } };
    const before = { ...state, effects: { ...state.effects, [wait.key]: { ...wait, state: 'failed' } } };
    expect(readState(stored(before))).toEqual(now);
    expect(readState(stored(now))).toEqual(now);
  });

  test('of a newer release is refused', () => {
    expect(() => readState({ ...newSession('s'), stateVersion: stateVersion + 1 })).toThrow('state-too-new');
  });

  test.each([
    null,
    undefined,
    1,
    'state',
    [],
    {},
    { stateVersion: '1' },
    { stateVersion: 0 },
    { stateVersion: 1.5 },
    { stateVersion: Number.NaN },
    { stateVersion: 1, node: 'desk' },
    { ...newSession('s'), position: null },
    { ...newSession('s'), turn: 3 },
  ])('that is none (%j) is refused', (garbage) => {
    expect(() => readState(garbage)).toThrow('state-unreadable');
  });
});
