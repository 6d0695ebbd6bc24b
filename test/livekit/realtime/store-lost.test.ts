import { expect, it } from 'vitest';
import { createMemoryStore } from '../../../src/store/memory/store.ts';
import { FlowError } from '../../../src/model/errors.ts';
import { systemClock } from '../../../src/system.ts';
import { fastClock } from '../../fast-clock.ts';
import { twoNodes } from '../flows.ts';
import { realtimeCall, walks } from './rig.ts';

const farewell = 'I am sorry, something went wrong here. I have to end this conversation.';
const nobody = () => new Error('Nobody answers.');
const other = () => new FlowError('lease-lost', 'It is not ours any more.');

it.each<[string, 'commit' | 'inbox.isConsumed', 'says' | 'types', () => Error, readonly string[]]>([
  ['store-failed', 'inbox.isConsumed', 'says', nobody, [farewell]],
  ['store-failed', 'inbox.isConsumed', 'types', nobody, [farewell]],
  ['store-failed', 'commit', 'says', nobody, [farewell]],
  ['store-failed', 'commit', 'types', nobody, [farewell]],
  ['lease-lost', 'commit', 'says', other, []],
])(
  'a conversation on a realtime model is left by %s in %s when the caller %s; they are told where it is still ours to tell',
  async (reason, where, how, failure, lines) => {
    const memory = createMemoryStore({ clock: systemClock });
    let fails = false;
    const store: typeof memory = {
      ...memory,
      steps: {
        ...memory.steps,
        create: async (commit) => {
          if (fails && where === 'commit') throw failure();
          await memory.steps.create(commit);
        },
      },
      inbox: {
        ...memory.inbox,
        isConsumed: async (key) => {
          if (fails && where === 'inbox.isConsumed') throw failure();
          return await memory.inbox.isConsumed(key);
        },
      },
    };
    const { runner, model, heard, troubles, hasHeard } = await realtimeCall(
      twoNodes,
      walks,
      {},
      // The runner waits for a store that stays away.
      { store, clock: fastClock(8) },
    );
    await hasHeard(1);
    fails = true;
    if (how === 'says') model.last.callerSays('go on');
    else await runner.send('go on');
    expect(await runner.ended).toBe(reason);
    expect(heard).toEqual(['Here is Node A.', ...lines]);
    expect(troubles).toContain(`turn ${reason}`);
    expect(runner.state.status).toBe('active');
  },
);
