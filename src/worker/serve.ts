import { AgentServer, ServerOptions } from '@livekit/agents';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { AgentConfig } from '../config/config.ts';
import { FlowError } from '../model/errors.ts';
import { spareTurnProcess } from '../livekit/guards/spare-process.ts';
import { measureCall } from '../livekit/traces/call-metrics.ts';
import type { Clock } from '../model/ports/time.ts';
import { assertFree, healthAddress } from './health-address.ts';
import { pause } from './pause.ts';
import { createPlaces } from './calls/places.ts';
import type { ServerAddress } from './server-address.ts';
import type { RunningJob } from './jobs/watch-jobs.ts';
import { workerLog } from './worker-log.ts';

export interface Serving {
  runningJobs(): readonly RunningJob[];
  /** Resolves when the server has registered the worker, so that jobs may come. */
  readonly registered: Promise<void>;
  /** Resolves when the worker has stopped; rejects with `server-lost` if the server stays unreachable. */
  readonly over: Promise<void>;
  /** Accepts no more calls, waits up to `timeoutMs` for running ones, runs `beforeStop`, and stops. */
  drain(timeoutMs: number, beforeStop?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const defaultMaxJobs = 8;
/** How long a job's process may take to be ready, in milliseconds. */
const processStartMs = 60_000;
/** How long idle processes may take to end, in milliseconds. */
const idleEndMs = 2_000;
/** How often to check whether the last call has ended, in milliseconds. */
const drainEveryMs = 100;
/** How long calls may continue after SIGTERM by default, in milliseconds. */
export const defaultDrainTimeoutMs = 60_000;
/** How long a job may take to release its call, in milliseconds: longer than a running write is awaited. */
export const jobEndMs = 15_000;

/** Starts LiveKit's worker with the jobs of a configuration. Throws what `assertFree` throws. */
export async function serve(address: ServerAddress, config: AgentConfig, clock: Clock): Promise<Serving> {
  const { worker = {} } = config;
  const { maxJobs = defaultMaxJobs } = worker;
  const { host, port } = healthAddress(worker);
  await assertFree(host, port);
  const runningJobs = (): string[] => server.activeJobs.map(({ job }) => job.id);
  const places = createPlaces(maxJobs, runningJobs, clock, processStartMs);
  spareTurnProcess();
  const server: AgentServer = new AgentServer(
    new ServerOptions({
      agent: fileURLToPath(new URL('job.js', import.meta.url)),
      agentName: worker.agentName ?? '',
      wsURL: address.url,
      apiKey: address.apiKey,
      apiSecret: address.apiSecret,
      host,
      port,
      numIdleProcesses: worker.idleProcesses ?? Math.min(maxJobs, availableParallelism(), 4),
      initializeProcessTimeout: processStartMs,
      shutdownProcessTimeout: jobEndMs,
      sessionEndTimeout: jobEndMs,
      loadFunc: () => Promise.resolve(loadOf(places.taken(), maxJobs)),
      loadThreshold: 1,
      requestFunc: async (request) => {
        if (await places.give(request.id, () => request.accept())) return;
        measureCall({ event: 'refused' });
        workerLog().warn(
          { job: request.id, maxJobs },
          'a call is refused: the worker is full. Raise worker.maxJobs, or start another worker.',
        );
        await request.reject();
      },
    }),
  );
  const registered = new Promise<void>((resolve) => void server.event.once('worker_registered', () => resolve()));
  const over = server.run().catch((cause: unknown) => {
    throw new FlowError(
      'server-lost',
      'the LiveKit server stayed unreachable. Start the worker again when it is available.',
      {
        cause,
      },
    );
  });
  over.catch(() => undefined);
  return {
    runningJobs: () => server.activeJobs.map(({ job: { id, dispatchId, metadata } }) => ({ id, dispatchId, metadata })),
    registered,
    over,
    async drain(timeoutMs, beforeStop) {
      // LiveKit's own drain fails while a process is starting; only the jobs matter here.
      server.drain(timeoutMs).catch(() => undefined);
      for (const until = clock.now() + timeoutMs; server.activeJobs.length > 0 && clock.now() < until;)
        await pause(clock, drainEveryMs);
      await beforeStop?.();
      // A starting process does not receive the shutdown, and would be awaited as long as one with a call.
      await Promise.race([server.close(), whenIdle(server, clock)]);
    },
    stop: () => server.close(),
  };
}

/** Resolves shortly after the last job has ended. */
async function whenIdle(server: AgentServer, clock: Clock): Promise<void> {
  while (server.activeJobs.length > 0) await pause(clock, drainEveryMs);
  await pause(clock, idleEndMs);
}

/** Returns the load of a worker. LiveKit's server skips workers from 0.7 on, so only a full worker reaches that. */
function loadOf(activeJobs: number, maxJobs: number): number {
  return activeJobs >= maxJobs ? 1 : (0.65 * activeJobs) / maxJobs;
}
