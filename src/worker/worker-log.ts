import { initializeLogger, log } from '@livekit/agents';
import type { AgentConfig } from '../config.ts';
import { contentFreeLine, ownName } from './content-free-line.ts';
import { telephoneNames } from './telephone-names.ts';

/** A log of a worker, as LiveKit has it. */
export type WorkerLog = ReturnType<typeof log>;

/** Starts LiveKit's logger: lines for people on a terminal, JSON elsewhere; nothing of a call in either. */
export function startLogging(level: NonNullable<AgentConfig['worker']>['logLevel'], pretty: boolean): WorkerLog {
  initializeLogger({ pretty, level: level ?? 'info' });
  withholdContent();
  return workerLog();
}

/** The log for lines of our own, which hold nothing of a call. */
export function workerLog(): WorkerLog {
  return log().child({ name: ownName });
}

const guarded = new WeakSet<object>();

/**
 * Lets nothing of a call pass LiveKit's logger any more, at no level: its own lines and those of the plug-ins go the same
 * way. What was said and done is in the store, for those who may see it.
 */
export function withholdContent(env: NodeJS.ProcessEnv = process.env): void {
  const stream = streamOf(log());
  if (stream === null || guarded.has(stream)) return;
  guarded.add(stream);
  const write = stream.write.bind(stream);
  const nameOf = telephoneNames(env);
  stream.write = (line, ...rest) => write(typeof line === 'string' ? contentFreeLine(line, nameOf) : line, ...rest);
}

interface LogStream {
  write(line: unknown, ...rest: readonly unknown[]): unknown;
}

/** The stream that a logger and its children share. A symbol of pino's, found by its name: LiveKit may have its own copy. */
function streamOf(logger: WorkerLog): LogStream | null {
  for (let at: object | null = logger; at !== null; at = Object.getPrototypeOf(at) as object | null)
    for (const symbol of Object.getOwnPropertySymbols(at))
      if (symbol.description === 'pino.stream') {
        const stream: unknown = Reflect.get(at, symbol);
        return isStream(stream) ? stream : null;
      }
  return null;
}

function isStream(value: unknown): value is LogStream {
  return typeof value === 'object' && value !== null && 'write' in value && typeof value.write === 'function';
}
