import { type Logger, pino } from 'pino';
import { contentFreeLine, ownName } from '../livekit/guards/content-free-line.ts';
import { telephoneNames } from '../livekit/guards/telephone-names.ts';

/**
 * Creates a log without LiveKit: JSON lines on standard output. Telephone numbers are replaced by names, as in the log
 * of a worker.
 */
export function plainLog(level: string, env: NodeJS.ProcessEnv): Logger {
  const nameOf = telephoneNames(env);
  return pino({ name: ownName, level }, { write: (line) => void process.stdout.write(contentFreeLine(line, nameOf)) });
}
