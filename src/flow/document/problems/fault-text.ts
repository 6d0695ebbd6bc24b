import type { z } from 'zod';
import { type Kind, kindOf } from './schema-shape.ts';

/** The name of each kind in messages. */
export const foundKinds: Readonly<Record<Kind, string>> = {
  text: 'text',
  number: 'a number',
  boolean: 'true or false',
  null: 'empty',
  list: 'a list',
  map: 'a map',
};

/** Describes a value that is out of range, such as `must be at least 1, but it is 0.` The value is quoted only if allowed. */
export function rangeText(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  value: unknown,
  isQuoted = true,
): string {
  const isSmall = issue.code === 'too_small';
  const limit = isSmall ? issue.minimum : issue.maximum;
  const isInclusive = issue.inclusive ?? true;
  if (typeof value === 'string' || Array.isArray(value)) {
    if (value.length === 0) return 'is empty.';
    const unit = typeof value === 'string' ? 'characters' : 'items';
    return `must have at ${isSmall ? 'least' : 'most'} ${limit} ${unit}, but it has ${value.length}.`;
  }
  const bound = isInclusive ? `at ${isSmall ? 'least' : 'most'}` : isSmall ? 'more than' : 'less than';
  return `must be ${bound} ${limit}${isQuoted ? `, but it is ${String(value)}` : ''}.`;
}

/** Describes a schema issue of another author's schema: `must be a list, but it is text.` Numbers may be quoted. */
export function faultText(issue: z.core.$ZodIssue, value: unknown, isQuoted = true): string {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = kindOf(value);
      if (kind === 'number' && issue.expected === 'int')
        return `must be a whole number${isQuoted ? `, but it is ${String(value)}` : ''}.`;
      const expected = Object.hasOwn(expectedTypes, issue.expected) ? expectedTypes[issue.expected] : undefined;
      if (expected === undefined) break;
      return `must be ${expected}, but it is ${kind === undefined ? noKind(value) : foundKinds[kind]}.`;
    }
    case 'invalid_value':
      return `is not one of ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
    case 'too_big':
      return rangeText(issue, value, isQuoted);
    case 'invalid_format':
      return issue.message.startsWith('Invalid')
        ? `is not a valid ${issue.format}.`
        : `${issue.message.replace(/\.$/, '')}.`;
    case 'invalid_union':
      return issue.message.startsWith('Invalid') ? 'is of a kind that is not taken here.' : `${issue.message}.`;
    default:
  }
  return `is not taken: ${issue.message}`;
}

/** Names a value that is not JSON, such as a function. */
function noKind(value: unknown): string {
  if (value === undefined) return 'missing';
  return typeof value === 'function' ? 'a function' : 'no data';
}

const expectedTypes: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
};

type Issues = readonly z.core.$ZodIssue[];

/**
 * Returns the issues of the union branch that the author probably meant: of the branches for the value's kind, the branch
 * with the fewest faults. Paths begin at the value. Returns undefined if no branch takes values of this kind.
 */
export function meantBranch({ errors }: z.core.$ZodIssueInvalidUnion, value: unknown): Issues | undefined {
  const fitting = errors.filter((issues) => !issues.some((issue) => isWrongKind(issue, value)));
  return fitting.toSorted((one, other) => faultsIn(one) - faultsIn(other))[0];
}

function isWrongKind(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_type') return true;
  return issue.code === 'invalid_value' && !issue.values.some((allowed) => typeof allowed === typeof value);
}

/** Counts faults. An unknown key weighs more than a wrong value, because it suggests another branch. */
function faultsIn(issues: Issues): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? 2 * issue.keys.length : 1), 0);
}
