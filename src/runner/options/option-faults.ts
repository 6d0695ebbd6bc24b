import { httpHostsSchema } from '../../livekit/tools/http/http-hosts.ts';
import { FlowError } from '../../model/errors.ts';
import {
  has,
  optionFaults,
  type OptionShape,
  optionShapes,
  type OptionShapes,
} from '../../flow/document/problems/option-faults.ts';
import { taskPolicySchema } from '../../flow/document/task-document.ts';
import { isTimeZone } from '../../people/schedules/time-zone.ts';
import { limitsSchema } from '../../engine/limits.ts';
import type { PlaceOf } from './flat-options.ts';
import type { RunOptions } from '../flow-run.ts';
import type { TaskInstanceOptions } from '../tasks/task-instance.ts';
import type { RunnerOptions } from './runner-options.ts';

export const catalogShape: OptionShape = ['a catalog, as createCatalog makes it', isCatalog];

type AllOptions = RunnerOptions & RunOptions & Pick<TaskInstanceOptions, 'calledBy'>;

/** All options; the compiler reports a missing one. An option without a shape fails at its first use. */
const shapes: OptionShapes<AllOptions> = {
  afterCall: null,
  begunBy: null,
  cache: null,
  catalog: catalogShape,
  calledBy: null,
  called: ['an object with the name of the flow', (value) => has(value)],
  channels: ['a list of channels', (value) => Array.isArray(value) && value.every(isChannel)],
  clock: optionShapes.clock,
  commands: null,
  context: null,
  correlation: null,
  fallback: null,
  flow: null,
  flows: ['an object of flows by name', (value) => has(value)],
  followUps: null,
  handlers: null,
  hooks: null,
  httpTools: httpHostsSchema,
  ids: null,
  input: ['an object, by the names of the flow’s input', (value) => has(value)],
  language: null,
  limits: limitsSchema,
  lines: null,
  log: null,
  metrics: null,
  model: null,
  models: null,
  moves: ['a list of moves', Array.isArray],
  onEnd: null,
  onFlowError: null,
  output: null,
  owner: null,
  policy: taskPolicySchema,
  prices: null,
  prompt: null,
  random: null,
  remoteSession: null,
  replyTarget: null,
  resources: ['an object', has],
  resume: null,
  retry: null,
  router: null,
  session: optionShapes.session,
  sessionId: ['a text that is not empty', (value) => typeof value === 'string' && value !== ''],
  shared: null,
  store: optionShapes.store,
  timeZone: ['an IANA time zone, such as Europe/Paris', (value) => typeof value === 'string' && isTimeZone(value)],
  tools: ['a list of tools', (value) => Array.isArray(value) && value.every((one) => has(one) && 'name' in one)],
  transfers: ['an object with the method begin', (value) => has(value, 'begin')],
  user: ['an object', has],
  writesTo: null,
};

/** Checks flat options from untyped code. Throws `config-invalid` with all invalid values, each with its place in what was given. */
export function assertRunOptions(
  options: unknown,
  placeOf: PlaceOf = (name) => name,
  ...required: readonly (keyof AllOptions)[]
): void {
  if (!has(options)) throw new FlowError('config-invalid', 'the options must be one object.');
  const faults = optionFaults(options, shapes, required).map((fault) =>
    fault.replace(/^\w+/, placeOf).replace(/(?<= Did you mean ")\w+/, placeOf),
  );
  if (Reflect.get(options, 'retry') === true && Reflect.get(options, 'store') === undefined)
    faults.push('retry: needs store, where the run is kept that is to go on.');
  if (faults.length > 0) throw new FlowError('config-invalid', faults.join('\n  '));
}

/** Checks whether a value is a channel. Only its name is required. */
export function isChannel(value: unknown): boolean {
  return has(value) && typeof Reflect.get(value, 'name') === 'string';
}

/** Checks whether a value is a catalog of node types. */
export function isCatalog(value: unknown): boolean {
  return has(value, 'get', 'values') && has((value as { readonly packs?: unknown }).packs, 'values');
}
