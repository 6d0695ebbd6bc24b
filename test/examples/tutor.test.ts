import { expect, it } from 'vitest';
import config, { reminders } from '../../examples/tutor.config.ts';
import { assertSimulation, simulateRoom } from '../../src/testing/simulate-room.ts';

it('the tutor corrects a sentence and hands over to the reminder, which is scheduled once', async () => {
  const { flows = {}, tools = [] } = config;
  const now = Date.UTC(2030, 0, 7, 9);
  const result = await simulateRoom(
    flows['tutor'] ?? '',
    [
      { say: 'Ana' },
      { expect: { said: ['Nice to meet you, Ana.', 'Send one sentence in English.'] } },
      { say: 'Every day they goes home' },
      { expect: { said: ['Better: Every day they go home.', 'What should I remind you about, Ana?'] } },
      { say: 'to buy milk' },
      { say: 'in about a thousand minutes' },
      { expect: { said: 'It must be at most 600. In how many minutes?' } },
      { say: 'make it ninety' },
      { expect: { said: 'I will remind you in 90 minutes.', ended: 'reminder_scheduled', requests: 0 } },
    ],
    { model: {}, flows, tools, now, wordsPerMinute: 0 },
  );
  assertSimulation(result);
  expect([...reminders.values()]).toEqual([{ task: 'to buy milk', at: now + 90 * 60_000 }]);
});
