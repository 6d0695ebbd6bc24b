import type { AgentConfig } from '../../config/config.ts';
import { summarise } from '../../livekit/context/summarise.ts';
import { modelPort } from '../../livekit/model/model-port.ts';
import { systemClock } from '../../system.ts';
import { serverAddress } from '../server-address.ts';
import { openServerRooms } from '../server-rooms.ts';
import type { WorkerLog } from '../worker-log.ts';
import { createRoomTransfers, type RoomTransferOptions, type RoomTransfers } from './room-transfers.ts';
import { openTransferLine } from './transfer-line.ts';

export interface OpenTransferOptions extends Pick<
  RoomTransferOptions,
  'room' | 'roomName' | 'session' | 'caller' | 'onError'
> {
  readonly config: AgentConfig;
  readonly logger: WorkerLog;
  readonly sessionId: string;
}

/** Opens the transfers of a call on the LiveKit server of the environment. Throws `server-unset`. */
export function openTransfers({ config, logger, sessionId, ...call }: OpenTransferOptions): RoomTransfers {
  const address = serverAddress(process.env);
  const { session } = call;
  return createRoomTransfers({
    ...call,
    clock: systemClock,
    line: openTransferLine(address, call.roomName),
    rooms: openServerRooms(address),
    trunk: trunkOf(config, process.env),
    from: config.calls?.from ?? named(process.env['LIVEKIT_SIP_NUMBER']),
    async summarise(prompt) {
      const { llm: model } = session;
      if (model === undefined) return '';
      return (await summarise(modelPort(model), session.history, prompt, systemClock)) ?? '';
    },
    onTrouble: (code) => logger.warn({ event: 'transfer:failed', sessionId, code }, 'transfers'),
  });
}

/** Returns the outbound trunk of the configuration or the environment; undefined if there is none. */
export function trunkOf({ calls }: AgentConfig, env: NodeJS.ProcessEnv): string | undefined {
  return calls?.trunk ?? named(env['LIVEKIT_SIP_TRUNK']);
}

function named(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
