import type { z } from 'zod';
import { faultText } from './fault-text.ts';
import { shapeAt } from './schema-shape.ts';
import { closestName } from './suggestion.ts';

/**
 * What code has given that a schema does not take, one text each, with its place, the fact and the remedy:
 * `hooks.timeoutMs: must be a number, but it is text.` Where the whole value is meant, `root` stands for its place, or
 * nothing. Quotes no text of the value.
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

/** What keys of other frameworks are called in a configuration, and where those belong that stand a level too high. */
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

/** The option that a key is probably meant to be: what other frameworks call it, or nearly its name. */
export function meantOption(key: string, known: ReadonlySet<string>): string | undefined {
  const other = Object.hasOwn(otherNames, key) ? otherNames[key] : undefined;
  return other !== undefined && known.has(other.replace(/\..*/, '')) ? other : closestName(key, known);
}

function factOf(issue: z.core.$ZodIssue, given: unknown): string {
  let value = given;
  for (const key of issue.path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  const isOwn = issue.code === 'custom' || (issue.code !== 'unrecognized_keys' && !ofZod.test(issue.message));
  // What is a map in a document is an object in code.
  const fact = isOwn
    ? `${issue.message.replace(/\.$/, '')}.`
    : faultText(issue, value).replaceAll('a map', 'an object');
  const isMissing = value === undefined && issue.path.length > 0 && isOfKind.test(fact);
  // What is not there is no value of another kind.
  return isMissing ? `is missing: it ${fact.replace(/, but it is [^,]*\.$/, '.')}` : fact;
}

/** How a fact begins that says of what kind a value is to be. */
const isOfKind = /^must be (?:an? |text|true)/;

/** How zod's own messages begin; others are those of a schema's author. */
const ofZod = /^(?:Invalid |Too (?:small|big)|Unrecognized )/;
