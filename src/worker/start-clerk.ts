import type { OpenedConfig } from '../config.ts';
import { errorKind } from '../errors.ts';
import type { Store } from '../ports/store.ts';
import { createConfiguredClerk } from '../runner/clerk-of-config.ts';
import { systemClock, systemIds } from '../system.ts';
import { openModel } from '../livekit/plug-ins/models.ts';
import { plugInOf } from '../livekit/plug-ins/plug-in-choice.ts';
import { flowOf } from './prepare-job.ts';
import type { WorkerLog } from './worker-log.ts';

/** Starts a clerk of a configuration; `file` is the flow that its jobs run where they name none. */
export async function startClerk(config: OpenedConfig, file: string | null, store: Store, logger: WorkerLog) {
  const clerk = createConfiguredClerk({
    ...{ config, store, clock: systemClock, ids: systemIds },
    flowOf: (name) => flowOf(config, file, name),
    openModel: async () => (await openModel(await plugInOf(config.models?.llm), process.env)).model,
    // A key may hold a number.
    onFailed: ({ key: _key, ...note }) => logger.warn({ event: 'inbox:not-taken', ...note }, 'clerk'),
    onError: (error) => logger.warn({ event: 'clerk:away', code: errorKind(error) }, 'clerk'),
  });
  await clerk.start();
  return clerk;
}
