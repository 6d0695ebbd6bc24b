import { z } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { FlowError, type FlowErrorCode } from '../model/errors.ts';

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

/** The body of a refusal. */
const problemSchema = z
  .object({
    code: z.string().openapi({ description: 'A stable code; docs/reference/errors.md lists all.' }),
    message: z.string(),
  })
  .openapi('Problem');

const meanings: Readonly<Record<ProblemStatus, string>> = {
  400: 'The request does not match this document.',
  401: 'The sender of this request is unknown.',
  403: 'The actor may not do this, or the request comes from a foreign page.',
  404: 'It does not exist.',
  409: 'It has changed meanwhile, or is over.',
  410: 'The link has expired.',
  413: 'The body is larger than 1 MB.',
  415: 'The content type of the body is not supported.',
  421: 'The request was meant for another host.',
  429: 'Too many entries wait for the session.',
  500: 'An unexpected error occurred.',
  503: 'The server is stopping or busy, or its store cannot be reached.',
};

/** Returns the documented refusals of a route: those of every request, and `more`. */
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
  'takeover-missing': 409,
  'node-unknown': 409,
  'session-kind-wrong': 409,
  'wait-unknown': 404,
  'session-taken': 409,
  'schedule-unknown': 404,
  'campaign-unknown': 404,
  'campaign-running': 409,
  'state-not-json': 400,
};

/** Converts an error to a refusal. The answer to an unexpected error contains no details; the log has its kind. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof HTTPException) return foreignProblem(error.status);
  if (error instanceof FlowError) {
    const { code } = error;
    const status = statusOfCodes[code] ?? (code.startsWith('store-') ? 503 : 500);
    const known = code as FlowErrorCode; // Codes of node types cannot occur here.
    if (status === 503) return new HttpProblem(503, known, 'The store is not available. Try again later.');
    // The rest of the message may name a session, but the request named it itself.
    const message = error.message.replace(`${code}: `, '');
    return new HttpProblem(status, known, `${message.charAt(0).toUpperCase()}${message.slice(1)}`);
  }
  return new HttpProblem(500, 'internal', 'The server is in an unexpected state. See its log.');
}

/** Refusals by hono itself. */
function foreignProblem(status: number): HttpProblem {
  if (status === 413) return new HttpProblem(413, 'body-too-large', 'The body is larger than 1 MB.');
  if (status === 415)
    return new HttpProblem(
      415,
      'request-invalid',
      'Send the body as application/json, and the form of a link as application/x-www-form-urlencoded.',
    );
  if (status >= 500) return new HttpProblem(500, 'internal', 'The server is in an unexpected state.');
  return new HttpProblem(400, 'request-invalid', 'The body cannot be read.');
}
