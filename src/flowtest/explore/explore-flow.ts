import type { Scenario, Turn } from '../document/document.ts';
import type { OpenedFlow, OpenedTest } from '../opened-test.ts';
import { runScenario } from '../play/run-scenario.ts';
import { createPlaces } from './places.ts';
import { exploreStart, type Finding, walk, type Walk, type WayCounts } from './walk.ts';

/** The results of walks through a flow. */
export interface Explored {
  readonly walks: number;
  /** The walks have covered every node and transition, so no more were made for that. */
  readonly isAllKnown: boolean;
  /** Failing scenarios, each reduced to the turns that it needs to fail. */
  readonly findings: readonly { readonly seed: number; readonly finding: Finding; readonly scenario: Scenario }[];
  /** Scenarios that together cover everything that was covered. */
  readonly covering: readonly Scenario[];
}

/** Findings of one kind usually have one cause. */
const mostOfOneKind = 1;

/**
 * Walks through a flow at random, once for each seed from `firstSeed` on, or until every node and transition is
 * covered. It ends after `forMs` milliseconds: a walk in progress ends with its turn, and scenarios are not reduced
 * further.
 */
export async function exploreFlow(
  flow: OpenedFlow,
  { seeds, firstSeed, forMs }: { readonly seeds: number; readonly firstSeed: number; readonly forMs: number },
): Promise<Explored> {
  const counts: WayCounts = new Map();
  const walks: Walk[] = [];
  const places = createPlaces(flow, counts);
  const until = performance.now() + forMs;
  const isTimeLeft = (): boolean => performance.now() < until;
  for (let seed = firstSeed; seed < firstSeed + seeds && isTimeLeft() && !places.isAllKnown(); seed += 1) {
    const one = await walk(flow, seed, counts, seed % 4 === 0 ? null : places.next(seed), isTimeLeft);
    walks.push(one);
    if (one.finding === null) places.add(one);
  }
  const kinds = new Map<string, number>();
  const findings: Explored['findings'][number][] = [];
  for (const one of walks) {
    const { finding, seed } = one;
    if (finding === null) continue;
    const told = kinds.get(finding.message) ?? 0;
    kinds.set(finding.message, told + 1);
    if (told < mostOfOneKind)
      findings.push({ seed, finding, scenario: await shrink(flow, failing(one, finding), isTimeLeft) });
  }
  return {
    walks: walks.length,
    isAllKnown: places.isAllKnown(),
    findings,
    covering: covering(walks.filter(({ finding }) => finding === null)).map(toScenario),
  };
}

/** Walks that add coverage to those before them, the one with the most new coverage first. */
function covering(walks: readonly Walk[]): readonly Walk[] {
  const open = new Set(walks.flatMap(({ ways }) => [...ways]));
  const chosen: Walk[] = [];
  let rest = walks;
  while (open.size > 0) {
    const gain = ({ ways }: Walk): number => [...ways].filter((way) => open.has(way)).length;
    const best = rest.toSorted((one, other) => gain(other) - gain(one) || one.turns.length - other.turns.length)[0];
    if (best === undefined || gain(best) === 0) return chosen;
    for (const way of best.ways) open.delete(way);
    chosen.push(best);
    rest = rest.filter((one) => one !== best);
  }
  return chosen;
}

function base({ tools, seed }: Walk, turns: readonly Turn[]): Scenario {
  return {
    name: `walk ${seed}`,
    now: new Date(exploreStart).toISOString().replace(':00.000Z', 'Z'),
    tools: { ...tools },
    turns: [...turns],
  };
}

function failing(one: Walk, finding: Finding): Scenario {
  const name = `walk ${one.seed}: never should it be that ${finding.message}`;
  if (!('expect' in finding.shows)) return { ...base(one, one.turns), name, ...finding.shows };
  const { expect } = finding.shows;
  const last = one.turns.length - 1;
  return {
    ...base(
      one,
      one.turns.map((turn, index) => (index === last ? { ...turn, expect } : turn)),
    ),
    name,
  };
}

function toScenario(one: Walk): Scenario {
  const end = one.ended === null ? { node: one.node } : { outcome: one.ended };
  return { ...base(one, one.turns), name: `walk ${one.seed} comes to ${one.ended ?? one.node}`, finally: end };
}

/** Removes turns while the scenario still fails with the same result, and while there is time. */
async function shrink(flow: OpenedFlow, scenario: Scenario, isTimeLeft: () => boolean): Promise<Scenario> {
  let smallest = scenario;
  for (let index = (scenario.turns?.length ?? 0) - 2; index >= 0 && isTimeLeft(); index -= 1) {
    const turns = smallest.turns?.filter((_turn, at) => at !== index) ?? [];
    const smaller = { ...smallest, turns };
    if (await failsAlike(flow, smaller)) smallest = smaller;
  }
  return smallest;
}

/** Checks whether it fails with the result that it should show, and with nothing else. */
async function failsAlike(flow: OpenedFlow, scenario: Scenario): Promise<boolean> {
  const test: OpenedTest = {
    file: '<explored>',
    document: { flow: flow.file, scenarios: [scenario] },
    placeOf: () => null,
    flow,
    openModel: () => Promise.reject(new Error('No model is asked.')),
    warnings: [],
  };
  const { failures } = await runScenario(test, { scenario, index: 0, name: scenario.name, engine: 'scripted' }, {});
  return failures.length > 0 && failures.every(({ path }) => path[2] === 'never' || path.includes('expect'));
}
