import { FlowError } from '../../model/errors.ts';
import { has } from '../../flow/document/problems/option-faults.ts';
import type { Store } from '../../model/ports/store.ts';
import { type FlatStore, storeOf } from '../../store/flat-store.ts';
import type { AgentOptions, FlowRunnerOptions, HostOptions, SettingsOptions } from './flow-runner-options.ts';
import type { RunnerOptions } from './runner-options.ts';

const agent = named<AgentOptions>({
  prompt: true,
  context: true,
  router: true,
  commands: true,
  hooks: true,
  output: true,
  fallback: true,
  followUps: true,
});
const host = named<HostOptions>({ user: true, replyTarget: true, resources: true, correlation: true, called: true });
const settings = named<SettingsOptions>({
  catalog: true,
  moves: true,
  httpTools: true,
  timeZone: true,
  limits: true,
  prices: true,
  lines: true,
  onEnd: true,
  remoteSession: true,
  onFlowError: true,
  transfers: true,
  clock: true,
  ids: true,
  random: true,
});

/** The groups of options, with their members. */
export const optionGroups = { agent, host, settings } as const;

type Group = keyof typeof optionGroups;

/** The group of each option that earlier releases took beside the others. */
const groupOf: ReadonlyMap<string, Group> = new Map(
  (Object.keys(optionGroups) as Group[]).flatMap((group) => optionGroups[group].map((name) => [name, group] as const)),
);

/** Options of earlier releases that only a worker sets, which has its own door. */
const withdrawn: ReadonlyMap<string, string> = new Map([
  ['owner', 'The runner names itself. Remove it.'],
  ['resume', 'A stored conversation resumes with a recap. Remove it.'],
  ['afterCall', 'A worker or clerk sets it. Remove it.'],
  ['begunBy', 'A worker or clerk sets it. Remove it.'],
  ['shared', 'A worker or clerk sets it. Remove it.'],
  ['writesTo', 'A worker or clerk sets it. Remove it.'],
]);

/**
 * Returns the options of a runner without their groups. Throws `config-invalid` for options of an earlier release, with their
 * new place, and for a group that is not an object. `own` names options that stand outside their group here.
 */
export function flatOptions(given: object, own: ReadonlySet<string> = new Set()): RunnerOptions {
  const faults = oldOptions(given, own);
  const flat = new Map<string, unknown>();
  for (const [name, value] of Object.entries(given)) {
    if (!isGroup(name)) flat.set(name, value);
    else if (value !== undefined && !has(value)) faults.push(`${name}: must be an object.`);
  }
  for (const name of Object.keys(optionGroups)) {
    const group: unknown = Reflect.get(given, name);
    if (has(group)) for (const [member, value] of Object.entries(group)) flat.set(member, value);
  }
  if (faults.length > 0) throw new FlowError('config-invalid', faults.join('\n  '));
  const store = flat.get('store');
  if (has(store)) flat.set('store', storeOf(store as unknown as Store | FlatStore)); // The form is checked with the other options.
  return Object.fromEntries(flat) as unknown as RunnerOptions; // Each value is checked by its shape.
}

function oldOptions(given: object, own: ReadonlySet<string>): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const group = groupOf.get(name);
    if (value === undefined || own.has(name)) return [];
    if (group !== undefined) return [`${name}: this option is a part of ${group}. Write ${group}: { ${name}: … }.`];
    const remedy = withdrawn.get(name);
    return remedy === undefined ? [] : [`${name}: this option is not open to code outside Roomflow. ${remedy}`];
  });
}

function isGroup(name: string): name is Group {
  return Object.hasOwn(optionGroups, name);
}

/** Lists the names of an interface; the compiler reports a missing name. */
function named<Options>(names: Readonly<Record<keyof Options, true>>): readonly string[] {
  return Object.keys(names);
}

/** Returns the place of an option in what was given, such as `agent.hooks`. */
export type PlaceOf = (name: string) => string;

/** Returns the places of grouped options. `own` names options that stand outside their group here. */
export function placesIn(given: unknown, own: ReadonlySet<string> = new Set()): PlaceOf {
  if (!has(given) || inside.has(given)) return (name) => name;
  const holding = (name: string): Group | undefined =>
    (Object.keys(optionGroups) as Group[]).find((group) => {
      const members: unknown = Reflect.get(given, group);
      return has(members) && Object.hasOwn(members, name);
    });
  return (name) => {
    const group = own.has(name) ? undefined : (groupOf.get(name) ?? holding(name));
    return group === undefined ? name : `${group}.${name}`;
  };
}

/** Options that code of this package gave, by the object that stands for them. */
const inside = new WeakMap<object, RunnerOptions>();

/** Returns an argument for `new FlowRunner` that stands for flat options: the door for code of this package. */
export function insideOptions(options: RunnerOptions): FlowRunnerOptions {
  const door = { session: options.session };
  inside.set(door, options);
  return door;
}

/** Returns the options of a runner, given by either door. Throws `config-invalid`. */
export function runnerOptions(given: unknown): RunnerOptions {
  if (!has(given)) throw new FlowError('config-invalid', 'the options must be one object.');
  return inside.get(given) ?? flatOptions(given);
}
