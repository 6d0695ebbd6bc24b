import { FlowError } from '../model/errors.ts';

/** Parses `--port`; undefined if it is not given. Throws `option-invalid`. */
export function portIn(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new FlowError('option-invalid', '--port must be a whole number from 0 to 65535.');
}
