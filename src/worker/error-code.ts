import { FlowError } from '../errors.ts';

/** The kind of an error, which is all that may be logged of one that is not ours. */
export function codeOf(error: unknown): string {
  if (error instanceof FlowError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
