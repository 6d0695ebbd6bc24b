import type { JsonObject } from '../../model/json.ts';
import type { GraphFunction } from '../../flow/graph/graph.ts';
import { targetFor } from '../../kernel/move/ways-out.ts';

/**
 * Returns the result of a function without code: its arguments and `ok: true`. If the result selects the next node, it
 * has the value of the first case.
 */
export function pretendedResult(functions: readonly GraphFunction[], input: JsonObject): JsonObject {
  let result: JsonObject = { ...input, ok: true };
  for (const { target } of functions) {
    if (target?.kind !== 'branch' || targetFor({ ...target, otherwise: null }, result) !== null) continue;
    const [first] = target.cases.keys();
    if (first === undefined || target.otherwise !== null) continue;
    const value = target.field.reduceRight<JsonObject | string>((inner, key) => ({ [key]: inner }), first);
    if (typeof value === 'object') result = { ...result, ...value };
  }
  return result;
}
