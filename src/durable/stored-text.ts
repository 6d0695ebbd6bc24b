import { FlowError } from '../errors.ts';

/** Each text was written from a value of the type that the caller reads it as. */
export function parsed(text: string | null, place: string): unknown {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch {
    throw corrupted(`${place} is not readable`);
  }
}

/** What was kept is not what was written. */
export function corrupted(fact: string): FlowError {
  return new FlowError(
    'store-corrupted',
    `${fact}: the store was damaged, or changed by hand. Restore it from a backup, or delete this session.`,
  );
}
