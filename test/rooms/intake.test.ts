import { describe, expect, test } from 'vitest';
import { goThrough, lastWords, quickVoice, visit, visitsIn } from './intake.ts';
import { ledgerVariables } from './ledger.ts';
import { greetingMs, openStage, roomflowWorker } from './stage.ts';

const stage = openStage(
  'clinic',
  roomflowWorker('agent.config.ts', (its) => ({ ...ledgerVariables(its), ...quickVoice })),
);

describe.concurrent('the intake of the clinic, in a room', () => {
  test('it is typed, answered by voice, and ends the call', async (context) => {
    const caller = await stage.call(context, 'typed');
    await goThrough(caller, (words) => caller.type(words), /goodbye/i);
    expect(caller.heard()).toMatch(lastWords);
    expect(caller.sound().loudSeconds).toBeGreaterThan(15);
    expect(visitsIn(stage.folder, 'typed')).toEqual([visit]);
    await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
  }, 280_000);

  test('a second participant is not listened to; a caller who comes back is where the call was', async (context) => {
    const caller = await stage.call(context, 'rejoin');
    await caller.until(() => /shall we start/i.test(caller.heard()), 'the greeting', greetingMs);
    const other = await stage.join(context, 'rejoin', 'other');
    await other.type('Goodbye, end the call.');
    await caller.type('Yes, please.');
    await caller.until(() => /full name\?/i.test(caller.heard()), 'the first question');
    await other.leave();
    await caller.leave();

    const back = await stage.join(context, 'rejoin');
    await back.until(() => /full name\?/i.test(back.heard()), 'the question once more');
    expect(back.agentAttributes()['flow.node']).toBe('details');
  }, 240_000);

  test('a room that is deleted ends the call and leaves a worker for the next one', async (context) => {
    const caller = await stage.call(context, 'deleted');
    await caller.until(() => caller.isAgentThere(), 'the agent', greetingMs);
    await stage.rooms.deleteRoom('deleted');
    const next = await stage.call(context, 'next');
    await next.until(() => /shall we start/i.test(next.heard()), 'the greeting', greetingMs);
  }, 240_000);
});
