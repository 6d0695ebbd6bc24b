import type { Draft } from './draft.ts';
import { isRecord } from './pipecat/rewrite.ts';

/** Arguments that are kept get the names of our variables. */
export function keptArguments(
  draft: Draft,
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [draft.name(name, 'set'), value])),
    ...(required.length === 0 ? {} : { required: required.map((name) => draft.name(name, 'set')) }),
  };
}
