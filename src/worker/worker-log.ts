import { initializeLogger, log } from '@livekit/agents';
import type { AgentConfig } from '../config/config.ts';
import { ownName } from '../livekit/guards/content-free-line.ts';
import { withholdLogContent } from '../livekit/guards/log-content.ts';

/** LiveKit's logger, as a worker uses it. */
export type WorkerLog = ReturnType<typeof log>;

/** Starts LiveKit's logger: readable lines on a terminal, JSON elsewhere. Neither contains anything of a call. */
export function startLogging(level: NonNullable<AgentConfig['worker']>['logLevel'], pretty: boolean): WorkerLog {
  initializeLogger({ pretty, level: level ?? 'info' });
  withholdLogContent();
  return workerLog();
}

/** Returns the logger for our own lines, which contain nothing of a call. */
export function workerLog(): WorkerLog {
  return log().child({ name: ownName });
}
