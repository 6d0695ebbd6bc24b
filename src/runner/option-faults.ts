import { z } from 'zod';
import { FlowError } from '../errors.ts';
import { meantOption, schemaFaults } from '../flow/schema-faults.ts';
import { taskPolicySchema } from '../flow/task-document.ts';
import { isTimeZone } from '../people/schedules/cron.ts';
import { limitsSchema } from '../turn/engine/limits.ts';
import type { FlowRunOptions } from './flow-run.ts';
import type { FlowRunnerOptions } from './options.ts';

/** The shapes of options that would otherwise fail in the first line that uses them. */
const shapes: Readonly<Record<string, readonly [must: string, is: (value: unknown) => boolean]>> = {
  session: ['a LiveKit AgentSession', (value) => has(value, 'generateReply')],
  store: ['a store, or the address of one', (value) => typeof value === 'string' || has(value, 'commit')],
  catalog: ['a catalog, as createCatalog makes it', isCatalog],
  clock: ['a clock with now and schedule', (value) => has(value, 'now', 'schedule')],
  tools: ['a list of tools', (value) => Array.isArray(value) && value.every((one) => has(one) && 'name' in one)],
  channels: ['a list of channels', (value) => Array.isArray(value) && value.every((one) => has(one))],
  moves: ['a list of moves', Array.isArray],
  user: ['an object', has],
  resources: ['an object', has],
  input: ['an object, by the names of the flow’s input', (value) => has(value)],
  flows: ['an object of flows by name', (value) => has(value)],
  sessionId: ['a text that is not empty', (value) => typeof value === 'string' && value !== ''],
  policy: [
    'an object with failFast (true or false) or concurrency (a whole number from 1 to 1,000)',
    (value) => taskPolicySchema.safeParse(value).success,
  ],
  timeZone: ['an IANA time zone, such as Europe/Paris', (value) => typeof value === 'string' && isTimeZone(value)],
};

/** What takes no key that it does not know. */
const strictly = z.object({ limits: limitsSchema.optional() });

/** Every option there is; the compiler tells where one is missing. */
const names: Readonly<Record<keyof FlowRunnerOptions | keyof FlowRunOptions, true>> = {
  begunBy: true,
  cache: true,
  catalog: true,
  channels: true,
  clock: true,
  commands: true,
  context: true,
  correlation: true,
  fallback: true,
  flow: true,
  flows: true,
  followUps: true,
  handlers: true,
  hooks: true,
  ids: true,
  input: true,
  language: true,
  limits: true,
  lines: true,
  log: true,
  metrics: true,
  model: true,
  models: true,
  moves: true,
  onEnd: true,
  onFlowError: true,
  output: true,
  owner: true,
  policy: true,
  prices: true,
  prompt: true,
  random: true,
  remoteSession: true,
  replyTarget: true,
  resources: true,
  resume: true,
  retry: true,
  router: true,
  session: true,
  sessionId: true,
  shared: true,
  store: true,
  timeZone: true,
  tools: true,
  user: true,
  writesTo: true,
};

const known: ReadonlySet<string> = new Set(Object.keys(names));

/** Code that no compiler has seen may give anything. Throws `config-invalid` with what is none of these options' values. */
export function assertOptions(options: unknown, ...required: readonly (keyof typeof shapes)[]): void {
  if (!has(options)) throw new FlowError('config-invalid', 'the options must be one object.');
  const given = new Map<string, unknown>(Object.entries(options));
  const faults = Object.entries(shapes).flatMap(([name, [must, is]]) => {
    const value = given.get(name);
    return (value === undefined && !required.includes(name)) || is(value) ? [] : [`${name}: must be ${must}.`];
  });
  const strict = { limits: given.get('limits') };
  const read = strictly.safeParse(strict);
  if (!read.success) faults.push(...schemaFaults(strictly, read.error.issues, strict));
  if (given.get('retry') === true && given.get('store') === undefined)
    faults.push('retry: needs store, where the run is kept that is to go on.');
  // What is spread over the options may hold more; what is nearly called like one of them is a slip.
  for (const name of given.keys()) {
    const meant = known.has(name) ? undefined : meantOption(name, known);
    if (meant !== undefined && !given.has(meant))
      faults.push(`${name}: there is no such option. Did you mean "${meant}"?`);
  }
  if (faults.length > 0) throw new FlowError('config-invalid', faults.join('\n  '));
}

/** Whether a value is a catalog of node types. */
export function isCatalog(value: unknown): boolean {
  return has(value, 'get', 'values') && has((value as { readonly packs?: unknown }).packs, 'values');
}

/** Whether a value is an object that has these methods. */
function has(value: unknown, ...methods: readonly string[]): value is object {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || Array.isArray(value))
    return false;
  return methods.every((name) => typeof Reflect.get(value, name) === 'function');
}
