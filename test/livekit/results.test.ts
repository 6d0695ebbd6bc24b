import { llm } from '@livekit/agents';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { next } from '../../src/livekit/tools/next.ts';
import { systemClock } from '../../src/system.ts';
import { calls, desk, outputs, replies, tool } from './desk-functions.ts';
import { live } from './live.ts';

/** Returns the model's view and the log of a function that returns this value, and whether its transition was taken. */
async function outcomeOf(execute: () => unknown) {
  const store = createMemoryStore({ clock: systemClock });
  const { runner, model, path } = await live(
    desk([{ name: 'look', transitionTo: 'tea' }]),
    replies(calls('look'), { text: 'Well.' }),
    { tools: [tool('look', execute)], store, sessionId: 's' },
  );
  await runner.send('look');
  await runner.stop();
  const [call] = (await store.steps.list('s')).flatMap(({ signal }) =>
    signal.type === 'batch:settled' && signal.calls.length > 0 ? signal.calls : [],
  );
  const [read = ''] = outputs(model.requests.at(-1)?.items);
  return {
    read: read.slice('output: look '.length),
    state: call?.state,
    result: call?.result,
    hasMoved: path.length > 0,
  };
}

const nothing = 'It ran and gave no result.';

describe('the result of a function', () => {
  it.each<[string, unknown, string, unknown]>([
    ['null', null, nothing, null],
    ['undefined', undefined, nothing, null],
    ['NaN', Number.NaN, nothing, null],
    ['an empty text', '', nothing, ''],
    ['a date that is none', new Date('no'), nothing, null],
    ['a map', new Map([['free', true]]), '{"free":true}', { free: true }],
    ['a set', new Set([1]), '[1]', [1]],
    ['a large integer', 2n ** 70n, '1180591620717411303424', '1180591620717411303424'],
    ['null with a node', next(null, 'garden'), nothing, null],
    ['false', false, 'false', false],
    ['zero', 0, '0', 0],
    ['an empty list', [], '[]', []],
  ])('%s: the model reads what there is, and no success that there was none of', async (_, value, read, result) => {
    expect(await outcomeOf(() => value)).toEqual({ read, state: 'done', result, hasMoved: true });
  });

  it.each<[string, () => unknown, string]>([
    ['an error', () => new Error('the password is 7'), 'An internal error occurred. The function did not succeed.'],
    ['an error for the model', () => new llm.ToolError('Not there.'), 'Not there.'],
    [
      'an error as a value',
      () => next(new Error('no'), 'garden'),
      'An internal error occurred. The function did not succeed.',
    ],
    ['a promise of an error', () => Promise.resolve(new llm.ToolError('Late.')), 'Late.'],
    ['an expression', () => /a/, 'An internal error occurred. The function did not succeed.'],
  ])('%s is a failure, as if it were thrown', async (_, execute, read) => {
    expect(await outcomeOf(execute)).toEqual({ read, state: 'failed', result: undefined, hasMoved: false });
  });
});
