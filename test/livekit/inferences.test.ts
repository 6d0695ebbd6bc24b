import { expect, it } from 'vitest';
import { countSession } from '../bench/counted-session.ts';
import { allAtOnce, branch, oneATurn } from '../bench/eight-fields.ts';
import { countShippedFlows, inferencesAt1c7851df } from '../bench/shipped-flows.ts';

it('eight facts, one a turn, cost no inference where rules read them whole', async () => {
  expect(await countSession(oneATurn)).toMatchObject({ inferences: 0, promptTokens: 0, ended: 'done' });
});

it('eight facts in one turn cost at most two inferences', async () => {
  const { inferences, ended } = await countSession(allAtOnce);
  expect(ended).toBe('done');
  expect(inferences).toBeLessThanOrEqual(2);
});

it('of a branch by a fact only the question of the caller costs an inference', async () => {
  expect(await countSession(branch)).toMatchObject({ inferences: 1, ended: 'done' });
});

it('the shipped flows take at most half of the inferences that they took before rules answered', async () => {
  expect(await countShippedFlows()).toBeLessThanOrEqual(inferencesAt1c7851df / 2);
});
