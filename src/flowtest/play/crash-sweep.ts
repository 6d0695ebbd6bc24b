import type { Json } from '../../model/json.ts';
import { sameValue } from '../../flow/expression/same-value.ts';
import type { SessionState } from '../../kernel/state/state.ts';
import { type CrashPoint, crashPoints, type Writes } from './crash-point.ts';
import { type Broken, playTurns } from './play-scenario.ts';
import type { ScenarioToRun } from './run-scenario.ts';
import type { ScenarioWorld } from './scenario-world.ts';

export interface Swept {
  readonly tried: number;
  readonly broken: readonly Broken[];
}

/** More differences of one sweep are not told: they have one cause. */
const mostTold = 3;

/**
 * Plays a scenario again with a death of the process before and after each commit: it must come to the same end, with every
 * write of its tools done as often as without a death.
 */
export async function sweepCrashes(
  uncrashed: ScenarioWorld,
  writes: Writes,
  { scenario, engine }: ScenarioToRun,
  open: (crash: CrashPoint) => Promise<ScenarioWorld>,
): Promise<Swept> {
  const expected = endOf(uncrashed);
  const broken: Broken[] = [];
  const points = crashPoints(writes);
  for (const point of points) {
    const world = await open(point);
    const of = point.by === 'clerk' ? ' of the clerk' : '';
    const at = `a death ${point.when} write ${point.nth} of ${writes[point.by]}${of}`;
    const tell = (found: string, wanted: string | null): void =>
      void broken.push({
        ...{ path: ['crash'], turn: null, message: at, expected: wanted, found, record: world.record },
        about: { kind: 'way' },
      });
    try {
      const { broken: during } = await playTurns(world, scenario, { engine, judge: null, checksTurns: false });
      const [first] = during;
      if (first !== undefined) tell(first.message, null);
      else if (!world.hasDied) tell('it did not come to that write', null);
      else {
        const found = endOf(world);
        for (const key of Object.keys(expected))
          if (!sameValue(found[key], expected[key]))
            tell(`${key}: ${textOf(found[key])}`, `${key}: ${textOf(expected[key])}`);
      }
    } finally {
      await world.close();
    }
    if (broken.length >= mostTold) break;
  }
  return { tried: points.length, broken };
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

/** All that must be the same with and without a death: what the session knows, and what was done in the world. */
function endOf(world: ScenarioWorld): Readonly<Record<string, Json>> {
  const { status, flow, node, slots, variables, outputs, input, stack } = world.lastState;
  const done = world.ledger.runs.filter(({ outcome }) => outcome === 'returned');
  const keys = new Map(done.map(({ name, args, key }) => [`${name} ${key}`, `${name} ${JSON.stringify(args)}`]));
  const end = {
    outcome: world.lastEnded,
    status,
    flow: flow.id,
    node,
    slots: withoutTurns(slots),
    variables,
    outputs,
    input,
    stack: stack.length,
    'effects of tools': writesOnly(world, [...keys.values()]).toSorted(),
  };
  return JSON.parse(JSON.stringify(end)) as Readonly<Record<string, Json>>; // What was just made of plain data.
}

/** A read may be made again by a new process; what writes may not. */
function writesOnly({ writing }: ScenarioWorld, done: readonly string[]): readonly string[] {
  return done.filter((text) => writing.has(text.split(' ', 1)[0] ?? ''));
}

/** In which turn a value was said is no part of the end: a new process greets, and its greeting counts as a turn. */
function withoutTurns(slots: SessionState['slots']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(slots).map(([name, { source, ...slot }]) => {
      const from = source !== undefined && 'turn' in source ? source.kind : source;
      return [name, { ...slot, source: from }];
    }),
  );
}
