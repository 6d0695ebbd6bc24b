import { z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { FlowError, type FlowErrorCode } from '../errors.ts';

/** The status codes of refusals. */
export type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 421 | 429 | 500 | 503;

/** A refusal: the answer's status, and a code and message that quote nothing of the request. */
export class HttpProblem extends Error {
  readonly status: ProblemStatus;
  readonly code: FlowErrorCode;

  constructor(status: ProblemStatus, code: FlowErrorCode, message: string) {
    super(message);
    this.name = 'HttpProblem';
    this.status = status;
    this.code = code;
  }
}

/** The body of every refusal. */
const problemSchema = z
  .object({
    code: z.string().openapi({ description: 'Stable: docs/reference/errors.md has each.' }),
    message: z.string(),
  })
  .openapi('Problem');

const meanings: Readonly<Record<ProblemStatus, string>> = {
  400: 'The request is not of the form that this document tells.',
  401: 'Nobody is known by this request.',
  403: 'The actor may not do this, or the request comes from a foreign page.',
  404: 'There is no such thing.',
  409: 'What it is about has changed meanwhile, or is over.',
  410: 'The link has expired.',
  413: 'The body is larger than 1 MB.',
  415: 'The body is of another content type.',
  421: 'The request was meant for another host.',
  429: 'As much waits for the session as it may hold.',
  500: 'Something failed that should not.',
  503: 'The server is stopping or busy, or its store cannot be reached.',
};

/** What any request may be refused by, for the document; with `more` of one route. */
export function refusals(...more: readonly ProblemStatus[]) {
  const always = [400, 413, 415, 421, 403, 503] as const;
  const statuses = [...new Set<ProblemStatus>([...always, ...more])];
  const content = { 'application/json': { schema: problemSchema } };
  return Object.fromEntries(statuses.map((status) => [status, { description: meanings[status], content }]));
}

const statusOfCodes: Readonly<Record<string, ProblemStatus>> = {
  'links-off': 409,
  'wait-over': 409,
  'session-unknown': 404,
  'session-over': 409,
  'takeover-none': 409,
  'node-unknown': 409,
  'session-unfit': 409,
  'wait-unknown': 404,
  'session-taken': 409,
  'schedule-unknown': 404,
  'campaign-unknown': 404,
  'campaign-running': 409,
  'state-not-json': 400,
};

/** The refusal that an error becomes. What nobody has foreseen is told by its kind only in the log. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof HTTPException) return foreignProblem(error.status);
  if (error instanceof FlowError) {
    const { code } = error;
    const status = statusOfCodes[code] ?? (code.startsWith('store-') ? 503 : 500);
    const known = code as FlowErrorCode; // Codes of node types do not come here.
    if (status === 503) return new HttpProblem(503, known, 'The store cannot be had. Try again later.');
    // Behind its code a message of ours may name a session, which the caller has named themselves.
    const message = error.message.replace(`${code}: `, '');
    return new HttpProblem(status, known, `${message.charAt(0).toUpperCase()}${message.slice(1)}`);
  }
  return new HttpProblem(500, 'internal', 'The server met what it does not expect; its log tells more.');
}

/** What hono itself refuses. */
function foreignProblem(status: number): HttpProblem {
  if (status === 413) return new HttpProblem(413, 'body-too-large', 'The body is larger than 1 MB.');
  if (status === 415)
    return new HttpProblem(
      415,
      'request-invalid',
      'Send the body as application/json, and the form of a link as application/x-www-form-urlencoded.',
    );
  if (status >= 500) return new HttpProblem(500, 'internal', 'The server met what it does not expect.');
  return new HttpProblem(400, 'request-invalid', 'The body cannot be read.');
}
