import { describe, expect, it } from 'vitest';
import { failuresOf, runScenarios, runText } from './flowtests.ts';

const tulips = [
  { expect: { node: 'details', said: 'Roses or tulips' } },
  {
    user: 'tulips please',
    model: { record: { flowers: 'tulips' } },
    expect: { slots: { flowers: 'tulips' }, said: 'How many' },
  },
  { user: 'twelve', model: { record: { count: 12 } }, expect: { node: 'pay', said: '12 tulips. Shall I order them?' } },
];
const placed = { place_order: { returns: { status: 'placed' } } };

describe.concurrent('a scenario', () => {
  it('holds where all that it expects holds', async () => {
    const results = await runScenarios([
      {
        name: 'an order is placed once',
        tools: placed,
        turns: [
          ...tulips,
          {
            user: 'yes please',
            expect: [
              { edge: 'pay -> done', llmCalls: 0 },
              { tool: { name: 'place_order', args: { count: 12 }, times: 1, effective: 1 } },
            ],
          },
        ],
        never: [{ node: 'sorry' }, { said: 'wholesale' }],
        finally: { outcome: 'ordered', path: ['details', 'pay', 'done'], llmCalls: { max: 2 } },
      },
    ]);
    expect(failuresOf(results)).toEqual([]);
    expect(results.map(({ status }) => status)).toEqual(['passed']);
  });

  it('fails with what was expected and found, the line of the test and the line of the flow', async () => {
    const { scenarios } = await runText(`flow: order.yaml
scenarios:
  - name: many flowers are placed as well
    turns:
      - user: forty tulips
        model: { record: { flowers: tulips, count: 40 } }
        expect:
          - said: Shall I order
          - node: pay
`);
    expect(scenarios[0]?.failures).toMatchObject([
      {
        turn: 1,
        message: 'this was not said',
        expected: 'Shall I order',
        found: 'For so many our wholesale desk calls you.',
        place: { line: 8 },
        flowPlace: { line: 29 },
      },
      {
        turn: 1,
        message: 'another node',
        expected: 'pay',
        found: 'wholesale',
        place: { line: 9 },
        flowPlace: { line: 35 },
      },
    ]);
  });

  it('survives a death before and after each commit', async () => {
    const results = await runScenarios([
      {
        name: 'an order survives',
        crash: 'sweep',
        tools: placed,
        turns: [...tulips, { user: 'yes please' }],
        finally: { outcome: 'ordered' },
      },
    ]);
    expect(failuresOf(results)).toEqual([]);
    expect(results[0]?.crashes).toBeGreaterThan(10);
  });
});
