import { expect, test } from 'vitest';
import { goThrough, lastWords, quickVoice, visit, visitsIn } from './intake.ts';
import { ledgerVariables } from './ledger.ts';
import { openStage, roomflowWorker } from './stage.ts';

const stage = openStage(
  'clinic',
  roomflowWorker('agent.config.ts', (its) => ({ ...ledgerVariables(its), ...quickVoice })),
);

test('the intake of the clinic is typed in a room, answered by voice, and ends the call', async (context) => {
  const caller = await stage.call(context, 'typed');
  await goThrough(caller, (words) => caller.type(words), /goodbye/i);
  expect(caller.heard()).toMatch(lastWords);
  expect(caller.sound().loudSeconds).toBeGreaterThan(15);
  expect(visitsIn(stage.folder, 'typed')).toEqual([visit]);
  await caller.until(() => !caller.isAgentThere(), 'the agent to leave');
}, 280_000);
