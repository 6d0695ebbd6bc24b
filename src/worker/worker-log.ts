import { initializeLogger, log } from '@livekit/agents';
import type { AgentConfig } from '../config.ts';
import { ownName } from '../livekit/guards/content-free-line.ts';
import { withholdLogContent } from '../livekit/guards/log-content.ts';

/** A log of a worker, as LiveKit has it. */
export type WorkerLog = ReturnType<typeof log>;

/** Starts LiveKit's logger: lines for people on a terminal, JSON elsewhere; nothing of a call in either. */
export function startLogging(level: NonNullable<AgentConfig['worker']>['logLevel'], pretty: boolean): WorkerLog {
  initializeLogger({ pretty, level: level ?? 'info' });
  withholdLogContent();
  return workerLog();
}

/** The log for lines of our own, which hold nothing of a call. */
export function workerLog(): WorkerLog {
  return log().child({ name: ownName });
}
