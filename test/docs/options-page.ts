import { z } from 'zod';
import { optionGroups } from '../../src/runner/options/flat-options.ts';
import { configSchema } from '../../src/config/config.ts';
import { declarationsOf, type Member } from './declarations.ts';

/** Renders `docs/reference/options.md`: the keys of `agent.config.ts` and the options of runs, from the schema and the types. */
export function optionsPage(): string {
  const shape = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) as Shape; // The part of the schema that is read here.
  const runner = runnerOptions();
  const own = [
    ...membersOf('src/runner/flow-run.ts', 'RunOptions'),
    ...membersOf('src/runner/tasks/task-world.ts', 'TaskWorldOptions'),
  ];
  const run = own.filter(({ name }, place) => own.findIndex((one) => one.name === name) === place);
  return [
    head,
    table('key', keysOf(shape, '')),
    '## FlowRunner',
    'The options of `new FlowRunner(options)` of `roomflow/livekit`. An option with a dot is inside the option before it.',
    table('option', runner.map(optionRow)),
    '## createFlowRun',
    'The second argument of `createRun(flow, options)`. A conversation also takes `store`, `handlers`, `agent`, `host` and\n`settings` of a `FlowRunner`.',
    table('option', run.map(optionRow)),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The schema of hooks has only functions, so their type describes them. */
const hookTexts: ReadonlyMap<string, string> = new Map(
  membersOf('src/engine/policy/hooks.ts', 'Hooks').map(({ name, says }) => [`hooks.${name}`, says]),
);

interface Shape {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
}

/** Returns the keys of an object by their paths, nested keys included. */
function keysOf({ properties = {} }: Shape, path: string): readonly (readonly [name: string, what: string])[] {
  return Object.entries(properties).flatMap(([name, shape]) => {
    const key = `${path}${name}`;
    const inner = keysOf(shape, `${key}.`);
    const description = shape.description ?? hookTexts.get(key) ?? '';
    if (description === '' && inner.length === 0)
      throw new Error(`agent.config.ts: the schema says nothing of "${key}". Add describe() to it.`);
    return [...(description === '' ? [] : [[key, description] as const]), ...inner];
  });
}

/** Returns the options of a runner, each group followed by its members. */
function runnerOptions(): readonly Member[] {
  const all = [
    ...membersOf('src/runner/options/runner-options.ts', 'RunnerOptions'),
    ...membersOf('src/livekit/agent/agent-policy.ts', 'AgentPolicy'),
  ];
  return membersOf('src/runner/options/flow-runner-options.ts', 'FlowRunnerOptions').flatMap((option) => {
    const group = Object.entries(optionGroups).find(([name]) => name === option.name)?.[1] ?? [];
    const members = group.map((name) => all.find((one) => one.name === name));
    return [
      option,
      ...members.flatMap((one) => (one === undefined ? [] : { ...one, name: `${option.name}.${one.name}` })),
    ];
  });
}

function membersOf(file: string, name: string): readonly Member[] {
  const found = declarationsOf(file).find((one) => one.name === name);
  if (found === undefined) throw new Error(`${file} does not declare ${name}.`);
  return found.members;
}

const said: Readonly<Record<string, string>> = {
  clock: 'The clock, for tests. Default: the clock of the machine.',
  ids: 'Creates ids, for tests. Default: random ids.',
  random: 'The random source, for tests. Default: that of the machine.',
  hooks: 'Functions that decide about turns and replies, as `hooks` of the configuration.',
  replyTarget: 'The value of `ctx.replyTarget` in generators and hooks.',
  resources: 'The value of `ctx.resources` in generators and hooks.',
  channels: 'Channels to attach, in this order.',
  prices: 'Prices of a million tokens of each model, as `prices` of the configuration.',
  limits: 'Limits of each turn, as `limits` of the configuration.',
};

function optionRow({ name, says, isOptional }: Member): readonly [string, string] {
  const what = says === '' ? said[name.split('.').at(-1) ?? ''] : says;
  if (what === undefined) throw new Error(`The option "${name}" has no sentence above it.`);
  return [name, isOptional ? what : `**Required.** ${what}`];
}

function table(label: string, rows: readonly (readonly [name: string, what: string])[]): string {
  const lines = rows.map(([name, what]) => `| \`${name}\` | ${what.replaceAll('|', String.raw`\|`)} |`);
  return [`| ${label} | what it is |`, '| --- | --- |', ...lines].join('\n');
}

const head = `# Options

<!-- Written by \`npm run docs\` from the schema of the configuration and the types of the options. -->

## agent.config.ts

The keys of \`defineConfig({ … })\`. A key with a dot is inside the key before it. [Default limits](limits.md) lists the
default numbers.`;
