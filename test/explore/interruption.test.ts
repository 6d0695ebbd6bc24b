import { expect, it } from 'vitest';
import { interruptAll } from './interruption.ts';
import type { InterruptionFault } from './interrupted-call.ts';

it('a flow recovers from an interruption at any await of a turn', { timeout: 300_000 }, async () => {
  expect(await interruptAll(30)).toEqual([]);
});

it.each<[string, InterruptionFault, string]>([
  ['does things twice', { doubles: true }, 'nothing is done twice'],
  [
    'forgets what a function has brought',
    {
      store: (store) => ({
        ...store,
        steps: {
          ...store.steps,
          create: async (commit) =>
            await store.steps.create({
              ...commit,
              signals: commit.signals.map((one) =>
                one.signal.type === 'batch:settled' ? { ...one, signal: { ...one.signal, calls: [] } } : one,
              ),
            }),
        },
      }),
    },
    'what was done is kept',
  ],
])('it is noticed where one %s', { timeout: 300_000 }, async (_what, fault, invariant) => {
  const found = await interruptAll(24, fault, invariant);
  expect(found.map((finding) => finding.invariant)).toContain(invariant);
});
