import type { FlowErrorCode } from './error-codes.ts';
import { type ErrorKind, kindOfCode } from './error-kinds.ts';

export type { FlowErrorCode } from './error-codes.ts';

/** Any string, typed so that an editor still offers the codes of the table. */
type OwnCode = string & Record<never, never>;

/**
 * A failure in the world around a flow (a store, a model, a call of the API), with a stable code. A fault of a flow
 * itself is a `Diagnostic`. The message contains the thing, the fact and the remedy.
 *
 * `code` is one of `FlowErrorCode`, or the code of a custom node type or store.
 *
 * @example
 * try {
 *   await openStore('postgres://localhost/calls');
 * } catch (error) {
 *   if (error instanceof FlowError && error.code === 'store-unreachable') console.error(error.message);
 * }
 */
export class FlowError extends Error {
  readonly code: FlowErrorCode | OwnCode;

  constructor(code: FlowErrorCode | OwnCode, message: string, options?: { cause?: unknown }) {
    super(`${code}: ${message}`, options);
    this.name = 'FlowError';
    this.code = code;
  }

  /** The origin of the failure. */
  get kind(): ErrorKind {
    return kindOfCode(this.code);
  }

  /** The page that explains the code, relative to the documentation: `reference/errors.md#store-busy`. */
  get page(): string {
    return `reference/errors.md#${this.code}`;
  }
}

/** Returns the message of an error without the code in front. */
export function factOf({ code, message }: FlowError): string {
  return message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message;
}

/**
 * Returns what may be reported of a foreign error: its kind with its code or status (`APIStatusError 401`,
 * `ECONNREFUSED`), else where it was thrown (`Error at lookup.ts:14`). Never its text, which may quote the caller.
 */
export function errorKind(error: unknown): string {
  if (error instanceof FlowError) return error.code;
  if (!(error instanceof Error)) return `a thrown ${error === null ? 'null' : typeof error}`;
  const given = error.name === 'Error' ? error.constructor.name : error.name;
  const name = /^[\w.]{1,60}$/.test(given) ? given : 'Error';
  const code = codeIn(error);
  if (code !== null) return name === 'Error' ? code : `${name} ${code}`;
  return name === 'Error' ? `Error${placeIn(error)}` : name;
}

/** Returns the code of the system or a driver, or the status of an answer, which LiveKit calls `statusCode` and OpenAI `status`. */
function codeIn(error: Error): string | null {
  const fields = error as { readonly code?: unknown; readonly statusCode?: unknown; readonly status?: unknown };
  for (const status of [fields.statusCode, fields.status])
    if (typeof status === 'number' && status > 0) return String(status);
  return typeof fields.code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(fields.code) ? fields.code : null;
}

/** Returns the file and line that threw an error; empty if unknown. */
function placeIn({ stack = '', message }: Error): string {
  // A message of several lines may contain what looks like a position.
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  for (const frame of frames) {
    const [, file = '', line] = /^\s+at .*?([^\s()/\\]+):(\d+):\d+\)?$/.exec(frame) ?? [];
    if (line !== undefined && /^[\w.@-]{1,80}$/.test(file)) return ` at ${file}:${line}`;
  }
  return '';
}
