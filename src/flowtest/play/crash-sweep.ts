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

/** More differences of one sweep are not reported, because they have one cause. */
const mostTold = 3;

/**
 * Plays a scenario again with a crash of the process before and after each commit. It must reach the same end, and its
 * tools must have done every write as often as without a crash.
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

/** The state that must be the same with and without a crash: the session's data, and the effects outside. */
function endOf(world: ScenarioWorld): Readonly<Record<string, Json>> {
  const { status } = world.lastState;
  const { flow, node, stack } = world.lastState.position;
  const { slots, variables, outputs, input } = world.lastState.knowledge;
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
  return JSON.parse(JSON.stringify(end)) as Readonly<Record<string, Json>>; // Plain data created just before.
}

/** A new process may repeat a read, but not a write. */
function writesOnly({ writing }: ScenarioWorld, done: readonly string[]): readonly string[] {
  return done.filter((text) => writing.has(text.split(' ', 1)[0] ?? ''));
}

/**
 * The turn in which a value was said is not part of the result: a new process greets, and its greeting counts as a
 * turn.
 */
function withoutTurns(slots: SessionState['knowledge']['slots']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(slots).map(([name, { source, ...slot }]) => {
      const from = source !== undefined && 'turn' in source ? source.kind : source;
      return [name, { ...slot, source: from }];
    }),
  );
}
