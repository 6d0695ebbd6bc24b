import { type Json, jsonObjectOf } from '../model/json.ts';
import { FlowError } from '../model/errors.ts';
import { hasType } from '../flow/graph/compile/compile.ts';
import type { Graph } from '../flow/graph/graph.ts';

/** Throws `input-missing` or `input-invalid` if the input does not match the flow's declared `input`. */
export function assertInput(graph: Pick<Graph, 'name' | 'input'>, given: Json): void {
  // A value that is not an object has no members.
  const input = jsonObjectOf(given);
  const missing: string[] = [];
  for (const { name, type, required } of graph.input.values()) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined) {
      if (required) missing.push(`"${name}" (${type})`);
    } else if (!hasType(value, type))
      throw new FlowError('input-invalid', `input "${name}" of flow "${graph.name}" must be of type ${type}.`);
  }
  if (missing.length > 0)
    throw new FlowError(
      'input-missing',
      `flow "${graph.name}" needs the input ${missing.join(', ')}. Pass it as input, or give it a default in the flow.`,
    );
}

/** Checks words from untyped code. Throws `input-invalid` if the words or their id are not strings. */
export function assertWords(words: unknown, eventId: unknown): void {
  if (typeof words === 'string' && typeof eventId === 'string') return;
  const what = typeof words === 'string' ? 'the eventId' : 'the text of the caller';
  throw new FlowError('input-invalid', `${what} must be text. Give a string to send().`);
}
