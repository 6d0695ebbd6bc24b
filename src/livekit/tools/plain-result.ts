import { FlowError } from '../../errors.ts';
import type { Json } from '../../events/json.ts';

/** A handler's return as JSON; undefined becomes null. Throws where JSON cannot hold it. */
export function toJson(value: unknown): Json {
  if (value === undefined) return null;
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null') as Json;
  } catch (cause) {
    throw new FlowError('result-not-json', 'a function returned what JSON cannot hold, such as a cycle.', { cause });
  }
}
