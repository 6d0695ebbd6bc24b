import type { OpenedConfig } from '../config/config.ts';
import { errorKind, FlowError } from '../model/errors.ts';
import type { PlaceCall } from '../people/calls/call-out.ts';
import type { Store } from '../model/ports/store.ts';
import { createConfiguredClerk } from '../runner/clerk-of-config.ts';
import { systemClock, systemIds } from '../system.ts';
import { logTurn } from './log-events.ts';
import { createPlaceCall } from './calls/place-call.ts';
import { openServerRooms } from './server-rooms.ts';
import { serverAddress } from './server-address.ts';
import { openTelephoneLine } from './calls/telephone-line.ts';
import { telephoneNames } from '../livekit/guards/telephone-names.ts';
import { openModel } from '../livekit/plug-ins/models.ts';
import { plugInOf } from '../livekit/plug-ins/plug-in-choice.ts';
import { flowOf } from './jobs/prepare-job.ts';
import { followFlows } from './follow-flows.ts';
import type { WorkerLog } from './worker-log.ts';

/** Starts the clerk of a configuration. `file` is the default flow of its jobs. */
export async function startClerk(config: OpenedConfig, file: string | null, store: Store, logger: WorkerLog) {
  const nameOf = telephoneNames(process.env);
  const clerk = createConfiguredClerk({
    ...{ config, store, clock: systemClock, ids: systemIds },
    flowOf: (name) => flowOf(config, file, name),
    openModel: async () => (await openModel(await plugInOf(config.models?.llm), process.env)).model,
    placeCall: placeCallOf(config, logger),
    onTurn: (event) => logTurn(event, logger, nameOf),
    onCall: (note) => logger[note.event === 'call:placed' ? 'info' : 'warn'](note, 'clerk'),
    onOutcome: (note) => logger[note.event === 'outcome:delivered' ? 'info' : 'warn'](note, 'clerk'),
    // A key may contain a number.
    onFailed: ({ key: _key, ...note }) => logger.warn({ event: 'inbox:not-taken', ...note }, 'clerk'),
    onError: (error) => logger.warn({ event: 'clerk:away', code: errorKind(error) }, 'clerk'),
  });
  await clerk.start();
  const stopFollowing = followFlows({ config, file, clock: systemClock, renew: () => clerk.renewFlows(), logger });
  return {
    /** Makes new sessions read the flows and the declarations of their tools again. */
    renew: () => clerk.renewFlows(),
    async stop(): Promise<void> {
      stopFollowing();
      await clerk.stop();
    },
  };
}

/** Returns the function by which this process calls people; null if it cannot. */
function placeCallOf(config: OpenedConfig, logger: WorkerLog): PlaceCall | null {
  if (config.calls === undefined) return null;
  try {
    const address = serverAddress(process.env);
    const [rooms, line] = [openServerRooms(address), openTelephoneLine(address)];
    return createPlaceCall({ config, rooms, line, env: process.env, clock: systemClock });
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    logger.warn({ event: 'calls:off', code: error.code }, `This process makes no calls: ${error.message}`);
    return null;
  }
}
