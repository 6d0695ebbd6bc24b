import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** What of a request is not as the document of the server tells: its place and the fact, without the value, which may be what somebody said. */
export function invalidRequest(issues: readonly Issue[]): string {
  const [issue] = issues;
  const place = issue?.path.map(String).join('.').slice(0, mostOfPlace) ?? '';
  const subject = place === '' ? 'the request' : `"${place}"`;
  return `${subject} is not as it should be: ${issue === undefined ? 'it cannot be read' : factOf(issue)}. See /openapi.json.`;
}

const mostOfPlace = 100;

function factOf(issue: Issue): string {
  switch (issue.code) {
    // The name of a key may be anything as well.
    case 'unrecognized_keys':
      return 'it holds a key that is not known here';
    case 'invalid_union':
      return `it is none of the kinds that there are${kindsOf(issue)}`;
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'it is missing' : plainly(issue);
    // These name what is expected, and of what was sent at most its kind.
    default:
      return plainly(issue);
  }
}

function plainly({ message }: Issue): string {
  const fact = message.replace(/^Invalid input: /, '');
  return `${fact.charAt(0).toLowerCase()}${fact.slice(1)}`;
}

/** What a discriminator may be, where the schema says so. */
function kindsOf(issue: Issue): string {
  const options: unknown = 'options' in issue ? issue.options : [];
  return Array.isArray(options) && options.length > 0
    ? `: ${options.map((one) => JSON.stringify(one)).join(', ')}`
    : '';
}
