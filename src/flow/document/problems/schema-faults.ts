import type { z } from 'zod';
import { faultText } from './fault-text.ts';
import { shapeAt } from './schema-shape.ts';
import { closestName } from './suggestion.ts';

/**
 * Returns the faults of a value by its schema, one text each, with its place, the fact and the remedy:
 * `hooks.timeoutMs: must be a number, but it is text.` The place of the whole value is `root`, or empty. Texts of the value
 * are not quoted.
 */
export function schemaFaults(
  schema: z.core.$ZodType,
  issues: readonly z.core.$ZodIssue[],
  given: unknown,
  root = '',
): readonly string[] {
  return issues.flatMap((issue) => {
    const path = issue.path.filter((key) => typeof key !== 'symbol');
    const place = path.join('.') || root;
    const texts = issue.code === 'unrecognized_keys' ? unknownKeys(schema, issue.keys, path) : [factOf(issue, given)];
    return texts.map((text) => (place === '' ? text : `${place}: ${text}`));
  });
}

/** Keys of other frameworks and their names here, and the places of keys that are a level too high. */
const otherNames: Readonly<Record<string, string>> = {
  beforeLLM: 'hooks.beforeLLM',
  beforeResponse: 'hooks.beforeResponse',
  onResponse: 'hooks.onResponse',
  flowRouter: 'router',
  systemPrompt: 'prompt',
  instructions: 'prompt',
};

function unknownKeys(
  schema: z.core.$ZodType,
  keys: readonly string[],
  path: readonly (string | number)[],
): readonly string[] {
  const known = new Set([...(shapeAt(schema, path).fields?.values() ?? [])].map(({ name }) => name));
  return keys.map((key) => {
    const meant = meantOption(key, known);
    return `there is no "${key}". ${meant === undefined ? 'Remove it.' : `Did you mean "${meant}"?`}`;
  });
}

/** Returns the option that a key probably means: its name in another framework, or a similar name. */
export function meantOption(key: string, known: ReadonlySet<string>): string | undefined {
  const other = Object.hasOwn(otherNames, key) ? otherNames[key] : undefined;
  return other !== undefined && known.has(other.replace(/\..*/, '')) ? other : closestName(key, known);
}

function factOf(issue: z.core.$ZodIssue, given: unknown): string {
  let value = given;
  for (const key of issue.path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  const isOwn = issue.code === 'custom' || (issue.code !== 'unrecognized_keys' && !ofZod.test(issue.message));
  // A map of a document is an object in code.
  const fact = isOwn
    ? `${issue.message.replace(/\.$/, '')}.`
    : faultText(issue, value).replaceAll('a map', 'an object');
  const isMissing = value === undefined && issue.path.length > 0 && isOfKind.test(fact);
  // A missing value has no type to name.
  return isMissing ? `is missing: it ${fact.replace(/, but it is [^,]*\.$/, '.')}` : fact;
}

/** The beginning of a fact about the required type. */
const isOfKind = /^must be (?:an? |text|true)/;

/** The beginning of zod's messages. Other messages are by a schema's author. */
const ofZod = /^(?:Invalid |Too (?:small|big)|Unrecognized )/;
