import { z } from 'zod';
import { FlowError } from '../../../model/errors.ts';
import { meantOption, schemaFaults } from './schema-faults.ts';

/** The check of an option: a description with a test, or a schema. null: the first use of the option checks it. */
export type OptionShape = null | z.ZodType | readonly [must: string, is: (value: unknown) => boolean];

/** The checks of all options, by name. */
export type OptionShapes<Options> = Readonly<Record<keyof Options, OptionShape>>;

/**
 * Returns the faults of options that no compiler may have checked, one text each. Unknown keys are allowed, because objects may
 * be spread, unless a key is nearly the name of an option.
 */
export function optionFaults<Options>(
  options: object,
  shapes: OptionShapes<Options>,
  required: readonly (keyof Options)[] = [],
): readonly string[] {
  const given = new Map<string, unknown>(Object.entries(options));
  const known = new Map<string, OptionShape>(Object.entries(shapes));
  const names: ReadonlySet<string> = new Set(known.keys());
  const needed: ReadonlySet<unknown> = new Set(required);
  const faults = [...known].flatMap(([name, shape]) => {
    const value = given.get(name);
    return shape === null || (value === undefined && !needed.has(name)) ? [] : faultsOf(name, shape, value);
  });
  for (const name of given.keys()) {
    const meant = names.has(name) ? undefined : meantOption(name, names);
    if (meant !== undefined && !given.has(meant))
      faults.push(`${name}: there is no such option. Did you mean "${meant}"?`);
  }
  return faults;
}

/** Throws `config-invalid`, or the given code, with all of these faults. */
export function assertOptions<Options>(
  options: unknown,
  shapes: OptionShapes<Options>,
  required: readonly (keyof Options)[] = [],
  code: 'config-invalid' | 'input-invalid' = 'config-invalid',
): void {
  if (!has(options)) throw new FlowError(code, 'the options must be one object.');
  const faults = optionFaults(options, shapes, required);
  if (faults.length > 0) throw new FlowError(code, faults.join('\n  '));
}

function faultsOf(name: string, shape: NonNullable<OptionShape>, value: unknown): readonly string[] {
  if (!(shape instanceof z.ZodType)) return shape[1](value) ? [] : [`${name}: must be ${shape[0]}.`];
  const whole = z.object({ [name]: shape });
  const given = { [name]: value };
  return schemaFaults(whole, whole.safeParse(given).error?.issues ?? [], given);
}

/** Checks whether a value is an object with these methods. */
export function has(value: unknown, ...methods: readonly string[]): value is object {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || Array.isArray(value))
    return false;
  return methods.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** Checks that several option objects share. */
export const optionShapes = {
  store: ['a store, or the address of one', (value) => typeof value === 'string' || has(value, 'watch', 'close')],
  session: ['a LiveKit AgentSession', (value) => has(value, 'generateReply')],
  clock: ['a clock with now and schedule', (value) => has(value, 'now', 'schedule')],
  method: ['a function', (value) => typeof value === 'function'],
  flag: z.boolean(),
  amount: ['a number of at least 0', (value) => typeof value === 'number' && value >= 0],
} satisfies Readonly<Record<string, OptionShape>>;
