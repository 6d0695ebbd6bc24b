import { describe, expect, test } from 'vitest';
import { newSession, stateVersion } from '../../src/kernel/state/state.ts';
import { readState } from '../../src/kernel/state/upgrade.ts';
import { clinic } from './clinic.ts';
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
    const { context: _context, stack: _stack, ...first } = newSession('s');
    const upgrades = [
      (state: Record<string, unknown>) => ({ ...state, context: null, seen: [1] }),
      (state: Record<string, unknown>) => ({ ...state, stack: [], seen: [...(state['seen'] as number[]), 2] }),
    ];
    expect(readState({ ...(stored(first) as object), stateVersion: 1 }, upgrades, 3)).toMatchObject({
      stateVersion: 3,
      context: null,
      stack: [],
      seen: [1, 2],
    });
    expect(
      readState(
        { ...newSession('s'), stateVersion: 2 }, // Written by the second of three releases.
        [() => ({}), (state) => ({ ...state, seen: 'second only' })],
        3,
      ),
    ).toMatchObject({ seen: 'second only' });
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
  ])('that is none (%j) is refused', (garbage) => {
    expect(() => readState(garbage)).toThrow('state-unreadable');
  });
});
