import { expect, test } from 'vitest';
import { play, type Played, type PlayedFlow } from './played.ts';
import { eighthHeldOut } from './eighth-held-out.ts';
import { ninthHeldOut } from './ninth-held-out.ts';
import { seventhHeldOut } from './seventh-held-out.ts';
import { sixthUnseen } from './sixth-unseen.ts';
import { tenthDev } from './tenth-dev.ts';
import { tenthHeldOut } from './tenth-held-out.ts';

async function playAll(
  flows: readonly PlayedFlow[],
): Promise<{ right: number; wrong: readonly string[]; all: number }> {
  const played = (await Promise.all(flows.map(play))).flat();
  const of = (verdict: Played['verdict']): readonly Played[] => played.filter((each) => each.verdict === verdict);
  return { right: of('right').length, wrong: of('wrong').map(({ words }) => words), all: played.length };
}

test('whole flows: what callers say changes what they meant and nothing else, or is asked about', async () => {
  const { right, wrong, all } = await playAll(sixthUnseen);
  expect(wrong).toEqual([]);
  expect(all).toBe(90);
  expect(right).toBeGreaterThanOrEqual(80);
});

test('flows for which no rule was made: most is understood or asked about', async () => {
  const { right, wrong, all } = await playAll(seventhHeldOut);
  expect(wrong).toEqual([
    // It is understood, and more than was expected: the expectation was written down wrongly, and stands.
    "it's for my daughter's birthday, we'd need a lane next Saturday",
    // The office is told at once; that the phone is noted as lost as well is wrong.
    "I've found a phone on the seat next to me",
  ]);
  expect(all).toBe(28);
  expect(right).toBeGreaterThanOrEqual(19);
});

test('flows whose kinds of mistakes were mended by general rules: nothing is taken for what it is not', async () => {
  const { right, wrong, all } = await playAll(eighthHeldOut);
  // The animal is noted, and the caller is asked on instead of being sent to the vet.
  expect(wrong).toEqual(['my dog has been limping since this morning']);
  expect(all).toBe(129);
  expect(right).toBeGreaterThanOrEqual(106);
});

test('more flows for which no rule was made', async () => {
  const { right, wrong, all } = await playAll(ninthHeldOut);
  expect(wrong).toEqual(['we would love to hang on to the skis for another two days', "I don't think so"]);
  expect(all).toBe(71);
  expect(right).toBeGreaterThanOrEqual(53);
});

test('a caller who tells details of a matter wants it, and words heard as a value stand against nothing', async () => {
  const { right, wrong, all } = await playAll(tenthDev);
  expect(wrong).toEqual([]);
  expect(all).toBe(90);
  expect(right).toBeGreaterThanOrEqual(75);
});

test('the same in flows for which no rule was made', async () => {
  const { right, wrong, all } = await playAll(tenthHeldOut);
  expect(wrong).toEqual([
    // The day of the old appointment, and the new one is begun instead of moving it.
    "I've got an appointment tomorrow but I can't make it, can we find another day?",
    "it's about five hundred more than last year",
  ]);
  expect(all).toBe(73);
  expect(right).toBeGreaterThanOrEqual(56);
});
