import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FlowError } from '../model/errors.ts';

/** Throws `file-exists` if the file exists and `--force` is not given. */
export function refuseExisting(file: string | undefined, isForced: boolean): void {
  if (file !== undefined && !isForced && existsSync(file))
    throw new FlowError('file-exists', `${file} already exists. Name another file, or add --force to overwrite it.`);
}

/** Checks that an output file can be written before the work starts. Throws `file-unwritable`. */
export function assertWritable(file: string | undefined): void {
  if (file === undefined) return;
  if (existsSync(file) && statSync(file).isDirectory()) throw unwritable(file, 'it is a folder');
  let place = file;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  // `PLACE/.` exists only if the place is a folder.
  telling(file, () => accessSync(place === file ? file : `${place}/.`, constants.W_OK));
}

/** Writes a file and creates its folder. Throws `file-unwritable`. */
export function writeOut(file: string, text: string): void {
  telling(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  });
}

function telling(file: string, act: () => void): void {
  try {
    act();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw unwritable(file, code, cause);
  }
}

function unwritable(file: string, why: string, cause?: unknown): FlowError {
  return new FlowError(
    'file-unwritable',
    `${file} cannot be written (${why}). Name another file, or fix the permissions.`,
    {
      cause,
    },
  );
}
