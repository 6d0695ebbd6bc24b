import type { Lookup } from '../../src/flow/expression/path.ts';
import { normalizeSpelling } from '../../src/flow/document/problems/spelling.ts';
import type { Evaluation } from '../../src/flow/graph/nodes/node-type.ts';
import { builtinCatalog } from '../../src/flow/nodes/builtin.ts';

/** Evaluates a pure node with an input in either spelling of keys. */
export function evaluate(type: string, input: unknown, lookup: Lookup = () => undefined): Evaluation {
  const node = builtinCatalog.get(type);
  if (node === undefined || !('evaluate' in node)) throw new Error(`${type} is no pure node`);
  return node.evaluate(node.input.parse(normalizeSpelling(node.input, input).value), { lookup });
}

/** Returns the code of a pure node's failure, or its output. */
export function outcome(type: string, input: unknown, lookup?: Lookup): unknown {
  const result = evaluate(type, input, lookup);
  return result.ok ? result.output : result.code;
}

/** Returns a lookup with these values. */
export function names(values: Readonly<Record<string, unknown>>): Lookup {
  return (name) => (Object.hasOwn(values, name) ? values[name] : undefined);
}

/** Returns the faults of an input by the type's schema: place and message. */
export function issuesOf(type: string, input: unknown): readonly (readonly [path: string, message: string])[] {
  const issues = builtinCatalog.get(type)?.input.safeParse(input).error?.issues ?? [];
  return issues.map(({ path, message }) => [path.join('.'), message]);
}
