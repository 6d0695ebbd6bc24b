import { expect, it } from 'vitest';
import { countSession } from '../bench/counted-session.ts';
import { allAtOnce, branch, oneATurn } from '../bench/eight-fields.ts';
import { countShippedFlows, inferencesAt1c7851df } from '../bench/shipped-flows.ts';

it('eight facts, one per turn, cost no inference if the rules understand them', async () => {
  expect(await countSession(oneATurn)).toMatchObject({ inferences: 0, promptTokens: 0, ended: 'done' });
});

it('eight facts in one turn cost at most two inferences', async () => {
  const { inferences, ended } = await countSession(allAtOnce);
  expect(ended).toBe('done');
  expect(inferences).toBeLessThanOrEqual(2);
});

it('in a branch by a fact, only the caller’s question costs an inference', async () => {
  expect(await countSession(branch)).toMatchObject({ inferences: 1, ended: 'done' });
});

it('the shipped flows take at most half of the inferences from before the rules', async () => {
  expect(await countShippedFlows()).toBeLessThanOrEqual(inferencesAt1c7851df / 2);
});
