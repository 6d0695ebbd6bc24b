import { expect, test } from 'vitest';
import { z } from 'zod';
import { createMemoryStore } from '../../src/store/memory/store.ts';
import { flowTool } from '../../src/livekit/tools/flow-tool.ts';
import { createMessenger } from '../../src/people/messages/messenger.ts';
import { noticeSender, type Notice } from '../../src/people/messages/notify.ts';
import { resolveWait } from '../../src/people/resolve-wait.ts';
import { systemClock } from '../../src/system.ts';
import { live } from '../livekit/live.ts';
import { until } from '../livekit/until.ts';

test('a refund is paid once a notified person has approved, while the caller waits', async () => {
  const paid: unknown[] = [];
  const refundOrder = flowTool({
    name: 'refund_order',
    description: 'Pays the amount back.',
    parameters: z.object({ order: z.number(), amount: z.number() }),
    execute: async ({ order, amount }) => {
      paid.push({ order, amount });
      return { paid: true };
    },
  });
  const store = createMemoryStore({ clock: systemClock });
  const call = await live(
    'examples/refund-approval/flow.yaml',
    ({ node, userText }) =>
      node === 'details'
        ? { calls: [{ name: 'record', arguments: { order: 4711, amount: 20, reason: userText } }] }
        : { text: 'A few minutes at most. Would you like to wait?' },
    { store, tools: [refundOrder] },
  );
  const notices: Notice[] = [];
  const messenger = createMessenger({
    store,
    clock: systemClock,
    senderOf: () =>
      noticeSender(
        (notice) => notices.push(notice),
        () => Promise.resolve(null),
      ),
    onFailed: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  messenger.start();
  await call.runner.send('Order 4711, 20 euros, the lamp came broken.');
  expect(call.heard.at(-1)).toBe('Let me check that with my colleague. One moment, please.');
  await until(() => notices.length > 0, 'the notice');
  const [notice] = notices;
  expect(notice).toMatchObject({
    to: 'refunds',
    question: 'Refund 20 euros for order 4711?',
    facts: { order: 4711, amount: 20 },
    options: ['approve', 'reject'],
  });
  await call.runner.send('How long will it take?');
  expect(call.heard.at(-1)).toContain('A few minutes at most.');
  expect(paid).toEqual([]);

  const parts = { store, clock: systemClock, authority: null };
  const decided = { key: notice?.wait ?? '', resolution: { decision: 'approve' }, actor: { id: 'ada' } };
  expect(await resolveWait(parts, decided)).toEqual({ outcome: 'posted' });
  expect(await call.runner.ended).toBe('refunded');
  expect(paid).toEqual([{ order: 4711, amount: 20 }]);
  expect(call.heard.at(-1)).toBe('It is approved: 20 euros will be back on your card in two days. Goodbye!');
  expect(await resolveWait(parts, { ...decided, resolution: { decision: 'reject' } })).toEqual({ outcome: 'over' });
  await messenger.stop();
});
