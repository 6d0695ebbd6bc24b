import { join } from 'node:path';
import { openTest } from '../../dist/flowtest/open-test.js';
import { runTests } from '../../dist/flowtest/run-tests.js';
import type { Measure } from './measure.ts';
import { rounds } from './rounds.ts';

const amount = rounds(1_000);
const flow = join(import.meta.dirname, '../../examples/refund-approval/flow.yaml');

/** Three turns that fill a form, wait for a person and pay: a typical test of a flow. */
const scenario = (index: number) => ({
  name: `refund ${index}`,
  tools: { refund_order: { returns: { paid: true } } },
  turns: [
    {
      user: `Order 4711, ${(index % 400) + 1} euros, it came broken.`,
      model: [{ record: { order: 4711, amount: (index % 400) + 1, reason: 'it came broken' } }],
      expect: { node: 'approve', wait: true },
    },
    { decide: 'approve', expect: { outcome: 'refunded', tool: { name: 'refund_order', effective: 1 } } },
  ],
});

export const measures: Measure[] = [
  {
    name: 'tests/thousand-scripted',
    unit: 's of user CPU',
    better: 'lower',
    limit: 30,
    async run() {
      const scenarios = Array.from({ length: amount }, (_, index) => scenario(index));
      const { test, diagnostics } = await openTest({ flow, scenarios });
      if (test === null) throw new Error(JSON.stringify(diagnostics));
      const before = process.cpuUsage();
      const [result] = await runTests([test], { atOnce: 32 });
      const { user } = process.cpuUsage(before);
      const failed = result?.scenarios.filter(({ status }) => status !== 'passed') ?? [];
      if (failed.length > 0) throw new Error(JSON.stringify(failed[0]?.failures[0]));
      return { value: user / 1e6, baseline: `${amount} conversations in one process`, runs: 1 };
    },
  },
];
