import { defineCommand } from 'citty';
import { resolve } from 'node:path';
import type { OpenedConfig } from '../../config/config.ts';
import { FlowError } from '../../model/errors.ts';
import type { HttpServer } from '../../http/server.ts';
import type { Store } from '../../model/ports/store.ts';
import { connected } from '../../config/connected-config.ts';
import { planParts, syncPlans } from '../../runner/plans.ts';
import { systemClock, systemIds } from '../../system.ts';
import { openCallStore } from '../../worker/calls/call-store.ts';
import { measureActiveCalls, measureCall } from '../../livekit/traces/call-metrics.ts';
import { measureTurn } from '../../livekit/traces/turn-metrics.ts';
import { hearTurns } from '../../worker/jobs/job-turns.ts';
import { passOn } from '../../worker/jobs/job-settings.ts';
import { closeOffline, openModels } from '../../worker/open-models.ts';
import { flowOf } from '../../worker/jobs/prepare-job.ts';
import { reachServer } from '../../worker/reach-server.ts';
import { recoverJobs } from '../../worker/jobs/recover-jobs.ts';
import { healthAddress, isHiddenFromProbes } from '../../worker/health-address.ts';
import { defaultDrainTimeoutMs, serve } from '../../worker/serve.ts';
import { serverAddress } from '../../worker/server-address.ts';
import { openServerRooms } from '../../worker/server-rooms.ts';
import { serveHttp } from '../../worker/serve-http.ts';
import { sendMessages } from '../../worker/send-messages.ts';
import { startClerk } from '../../worker/start-clerk.ts';
import { startLogging, type WorkerLog } from '../../worker/worker-log.ts';
import { complain } from '../output.ts';
import { signalled } from '../signalled.ts';
import { flowsAreSound } from './sound-flows.ts';
import { configFile, openConfig } from '../flows/sources.ts';

export const workerCommand = defineCommand({
  args: {
    flow: { type: 'string', description: 'The flow file. Default: the initial flow of the configuration.' },
    config: {
      type: 'string',
      description: 'Flows, tools, models and the worker. Default: ./agent.config.ts if it exists.',
    },
  },
  run: ({ args }) => work(args),
});

async function work(args: { readonly flow?: string | undefined; readonly config?: string | undefined }): Promise<void> {
  const file = configFile(args.config);
  const opened = (await openConfig(file)) ?? {};
  const { worker = {} } = opened;
  await flowOf(opened, args.flow ?? null, undefined);
  let renew = (): void => undefined;
  let logger: WorkerLog | null = null;
  const { config, close } = await connected(opened, {
    ...{ env: process.env, clock: systemClock, onTools: () => renew() },
    note: (note) => logger?.warn(note, 'mcp'),
  });
  if (!(await flowsAreSound(config, args.flow))) {
    await close();
    process.exitCode = 2;
    return;
  }
  try {
    const address = serverAddress(process.env);
    logger = startLogging(worker.logLevel, process.stdout.isTTY);
    // Opens and closes the models so that missing parts are reported before the first call.
    await closeOffline(await openModels(config, process.env, logger));
    await reachServer(address, worker.connectAttempts, systemClock, (line) => complain(line));
    passOn(
      { config: file === undefined ? null : resolve(file), flow: args.flow === undefined ? null : resolve(args.flow) },
      process.env,
    );
    const log = logger;
    const store = await openCallStore(config, process.env, (reason) =>
      log.warn(`${reason} Without a store a call ends with its process.`),
    );
    if (store !== null) await syncPlans(config, planParts(config, { store, clock: systemClock, ids: systemIds }));
    const { host } = healthAddress(worker);
    if (isHiddenFromProbes(host, process.env))
      logger.warn(
        `Health is served at ${host}, which probes of a container cannot reach. Set worker.healthHost to 0.0.0.0.`,
      );
    // Calls run in their own processes; /metrics is served by this one.
    if (config.http !== undefined) hearTurns(measureTurn, measureCall);
    const serving = await serve(address, config, systemClock);
    const asked = signalled();
    await Promise.race([serving.registered, serving.over, asked]);
    const rooms = openServerRooms(address);
    const options = { rooms, agentName: worker.agentName ?? '', clock: systemClock, ids: systemIds, logger };
    const stopRecovering = store === null ? undefined : recoverJobs(() => serving.runningJobs(), { ...options, store });
    const stopMessages = store === null ? undefined : sendMessages(config, store, process.env, logger);
    const clerk = store === null ? null : await startClerk(config, args.flow ?? null, store, logger);
    if (clerk !== null) ({ renew } = clerk);
    const http = config.http === undefined ? null : await serveBeside(config, store, logger);
    if (http !== null) measureActiveCalls(() => serving.runningJobs().length);
    const drainTimeoutMs = worker.drainTimeoutMs ?? defaultDrainTimeoutMs;
    await Promise.race([serving.over, asked.then(() => serving.drain(drainTimeoutMs, stopRecovering))]);
    await Promise.all([stopMessages?.(), clerk?.stop(), http?.stop()]);
    await close();
    process.exit(0);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    complain(error.message);
    // Prewarmed processes end with this one.
    process.exit(1);
  }
}

async function serveBeside(config: OpenedConfig, store: Store | null, logger: WorkerLog): Promise<HttpServer> {
  if (store === null)
    throw new FlowError('store-invalid', 'http needs a store, but calls are stored in memory. Set store.');
  const server = await serveHttp(config, store, process.env, logger);
  logger.info({ event: 'http:listening', url: server.url }, 'http');
  return server;
}
