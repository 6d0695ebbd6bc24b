import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Describes the faults of a request by place and fact. Values are left out, because they may be words of a caller. */
export function invalidRequest(issues: readonly Issue[]): string {
  const [issue] = issues;
  const place = issue?.path.map(String).join('.').slice(0, mostOfPlace) ?? '';
  const subject = place === '' ? 'the request' : `"${place}"`;
  return `${subject} is not as it should be: ${issue === undefined ? 'it cannot be read' : factOf(issue)}. See /openapi.json.`;
}

const mostOfPlace = 100;

function factOf(issue: Issue): string {
  switch (issue.code) {
    // The name of an unknown key may be personal too.
    case 'unrecognized_keys':
      return 'it holds a key that is not known here';
    case 'invalid_union':
      return `it is not one of the known kinds${kindsOf(issue)}`;
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'it is missing' : plainly(issue);
    // These messages name the expected value, and at most the type of the sent one.
    default:
      return plainly(issue);
  }
}

function plainly({ message }: Issue): string {
  const fact = message.replace(/^Invalid input: /, '');
  return `${fact.charAt(0).toLowerCase()}${fact.slice(1)}`;
}

/** Returns the allowed values of a discriminator, if the schema has them. */
function kindsOf(issue: Issue): string {
  const options: unknown = 'options' in issue ? issue.options : [];
  return Array.isArray(options) && options.length > 0
    ? `: ${options.map((one) => JSON.stringify(one)).join(', ')}`
    : '';
}
