import { compileWhen, whenSchema, type CompiledWhen, type When } from '../expression/when.ts';

/** A condition in a node's input. Its faults are schema issues, so they are reported before any run. */
export const conditionSchema: typeof whenSchema = whenSchema.superRefine((when, context) => {
  for (const { at, reason, hint } of compiledOnce(when).problems)
    context.addIssue({ code: 'custom', path: [...at], message: hint === undefined ? reason : `${reason} ${hint}` });
});

/** Compiles a validated condition once. */
export function compiledOnce(when: When): CompiledWhen {
  let result = compiled.get(when);
  if (result === undefined) compiled.set(when, (result = compileWhen(when)));
  return result;
}

const compiled = new WeakMap<When, CompiledWhen>();
