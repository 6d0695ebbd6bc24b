import { existsSync } from 'node:fs';
import { FlowError } from '../errors.ts';

/** Throws `file-exists`. */
export function refuseExisting(file: string | undefined, isForced: boolean): void {
  if (file !== undefined && !isForced && existsSync(file))
    throw new FlowError('file-exists', `${file} is there already. Name another file, or add --force to write over it.`);
}
