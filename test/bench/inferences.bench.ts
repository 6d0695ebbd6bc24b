import { type Counted, countSession } from './counted-session.ts';
import { allAtOnce, branch, oneATurn } from './eight-fields.ts';
import { type Measure, median, type Reading } from './measure.ts';
import { countShippedFlows, inferencesAt1c7851df } from './shipped-flows.ts';
import { rounds } from './rounds.ts';

const eightFieldsAt1c7851df = { inferences: 9, allAtOnce: 2, branch: 6, promptTokens: 8_450 };
const sessions = rounds(20);

async function done(counting: Promise<Counted>): Promise<Counted> {
  const counted = await counting;
  if (counted.ended !== 'done') throw new Error(`The session ended "${counted.ended}" and not "done".`);
  return counted;
}

/** A count is the same in each run. */
const exact = (value: number, before: number): Reading => ({ value, baseline: `${before} at 1c7851df`, runs: 1 });

async function firstWord(): Promise<Reading> {
  const took: number[] = [];
  for (let session = 0; session <= sessions; session += 1) {
    const { firstWordMs } = await done(countSession(oneATurn));
    // The first session compiles the code for the others.
    if (session > 0) took.push(...firstWordMs);
  }
  return { value: median(took), baseline: null, runs: took.length };
}

const rehearsedBy = 'test/livekit/inferences.test.ts';
const lower = { better: 'lower' } as const;

export const measures: Measure[] = [
  {
    ...{ name: 'inferences.eight_fields/one_a_turn', unit: 'requests', limit: 3, ...lower, rehearsedBy },
    run: async () => exact((await done(countSession(oneATurn))).inferences, eightFieldsAt1c7851df.inferences),
  },
  {
    ...{ name: 'inferences.eight_fields/all_at_once', unit: 'requests', limit: 2, ...lower, rehearsedBy },
    run: async () => exact((await done(countSession(allAtOnce))).inferences, eightFieldsAt1c7851df.allAtOnce),
  },
  {
    ...{ name: 'inferences.branch_and_digression', unit: 'requests', limit: 3, ...lower, rehearsedBy },
    run: async () => exact((await done(countSession(branch))).inferences, eightFieldsAt1c7851df.branch),
  },
  {
    ...{ name: 'inferences.shipped_flows', unit: 'times', limit: 0.5, ...lower, rehearsedBy },
    run: async () => exact((await countShippedFlows()) / inferencesAt1c7851df, inferencesAt1c7851df),
  },
  {
    ...{ name: 'inferences.prompt_tokens/one_a_turn', unit: 'times', limit: 0.333, ...lower, rehearsedBy },
    run: async () => {
      const { promptTokens } = await done(countSession(oneATurn));
      return exact(promptTokens / eightFieldsAt1c7851df.promptTokens, eightFieldsAt1c7851df.promptTokens);
    },
  },
  {
    ...{ name: 'inferences.prompt_tokens/all_at_once', unit: 'times', limit: 0.333, ...lower, rehearsedBy },
    run: async () => {
      const { promptTokens } = await done(countSession(allAtOnce));
      return exact(promptTokens / eightFieldsAt1c7851df.promptTokens, eightFieldsAt1c7851df.promptTokens);
    },
  },
  { ...{ name: 'inferences.first_word_by_rules', unit: 'ms', limit: 30, ...lower }, run: firstWord },
];
