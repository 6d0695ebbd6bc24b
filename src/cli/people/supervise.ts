import { defineCommand } from 'citty';
import { FlowError } from '../../model/errors.ts';
import { planParts, syncPlans } from '../../runner/plans.ts';
import { systemClock, systemIds } from '../../system.ts';
import { openCallStore } from '../../worker/calls/call-store.ts';
import { reachServer } from '../../worker/reach-server.ts';
import { serverAddress } from '../../worker/server-address.ts';
import { openServerRooms } from '../../worker/server-rooms.ts';
import { supervise } from '../../worker/supervisor.ts';
import { sendMessages } from '../../worker/send-messages.ts';
import { startClerk } from '../../worker/start-clerk.ts';
import { startLogging } from '../../worker/worker-log.ts';
import { complain } from '../output.ts';
import { signalled } from '../signalled.ts';
import { flowsAreSound } from '../run/sound-flows.ts';
import { configFile, openConfig } from '../flows/sources.ts';

export const superviseCommand = defineCommand({
  args: {
    config: {
      type: 'string',
      description: 'The configuration of the worker. Default: ./agent.config.ts if it exists.',
    },
  },
  run: ({ args }) => watchOver(args.config),
});

async function watchOver(file: string | undefined): Promise<void> {
  const config = (await openConfig(configFile(file))) ?? {};
  if (!(await flowsAreSound(config))) {
    process.exitCode = 2;
    return;
  }
  const { worker = {} } = config;
  try {
    const address = serverAddress(process.env);
    const logger = startLogging(worker.logLevel, process.stdout.isTTY);
    const store = await openCallStore(config, process.env, complain);
    if (store === null)
      throw new FlowError(
        'store-invalid',
        'calls are stored in memory, which other processes cannot read. Set store or ROOMFLOW_STORE to the store of the workers.',
      );
    await reachServer(address, worker.connectAttempts, systemClock, complain);
    await syncPlans(config, planParts(config, { store, clock: systemClock, ids: systemIds }));
    const agentName = worker.agentName ?? '';
    const rooms = openServerRooms(address);
    const supervisor = supervise({ store, rooms, agentName, clock: systemClock, ids: systemIds, logger });
    const stopMessages = sendMessages(config, store, process.env, logger);
    const clerk = await startClerk(config, null, store, logger);
    logger.info({ event: 'supervisor:started' }, 'supervisor');
    await signalled();
    await Promise.all([stopMessages(), clerk.stop(), supervisor.stop()]);
    await store.close();
    process.exit(0);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    complain(error.message);
    process.exit(1);
  }
}
