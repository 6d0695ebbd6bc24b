import { FlowError } from '../../model/errors.ts';

/** Parses a stored text. The caller reads it as the type it was written from. */
export function parsed(text: string | null, place: string): unknown {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch {
    throw corrupted(`${place} is not readable`);
  }
}

/** Returns the error for stored data that was altered. */
export function corrupted(fact: string): FlowError {
  return new FlowError(
    'store-corrupted',
    `${fact}: the store was damaged, or changed by hand. Restore it from a backup, or delete this session.`,
  );
}
