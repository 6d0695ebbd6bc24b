import type { Room } from '@livekit/rtc-node';
import { RoomServiceClient } from 'livekit-server-sdk';
import { errorKind } from '../model/errors.ts';
import type { ParticipantRecogniser } from '../livekit/speech/participant-recogniser.ts';
import { attendOperators, type Operator } from '../livekit/room/operators.ts';
import { createAuthority } from '../people/authority.ts';
import { createTakeOver, type OperatorAct, readTyped } from '../people/take-over.ts';
import type { AgentConfig } from '../config/config.ts';
import type { Store } from '../model/ports/store.ts';
import type { FlowRunner } from '../runner/flow-runner.ts';
import { systemClock, systemIds } from '../system.ts';
import { apiAddress, serverAddress } from './server-address.ts';
import type { WorkerLog } from './worker-log.ts';

export interface RoomOperatorsOptions {
  readonly room: Room;
  readonly roomName: string;
  readonly runner: FlowRunner;
  readonly store: Store;
  readonly config: AgentConfig;
  readonly openEar: () => Promise<ParticipantRecogniser | null>;
  readonly onCallerText: (identity: string, text: string, id: string) => void;
  readonly logger: WorkerLog;
}

/**
 * Lets operators in the room take over the call, by joining with an operator
 * token, until they leave or hand it back. Returns a function that stops it.
 */
export function serveOperators(options: RoomOperatorsOptions): () => void {
  const { room, roomName, runner, store, config, openEar, onCallerText, logger } = options;
  const { sessionId } = runner;
  const { can } = config;
  const authority = can === undefined ? null : createAuthority({ can, clock: systemClock });
  const takeOver = createTakeOver({ store, clock: systemClock, sessionId, authority });
  const onError = (error: unknown): void =>
    logger.warn({ event: 'operator:failed', sessionId, code: errorKind(error) }, 'operators');
  /** Operators who were allowed to take over. */
  const allowed = new Set<string>();

  const actorOf = ({ id, identity }: Operator) => ({ id, room: roomName, identity });
  const act = (operator: Operator, what: OperatorAct, id: string): Promise<boolean> =>
    takeOver.act(actorOf(operator), what, `room/${id}`);
  const start = async (operator: Operator, id: string): Promise<void> => {
    // A participant who may change their own attributes may have set this one themselves.
    const isOwn = await mayRename(roomName, operator.identity);
    if (isOwn) logger.warn({ event: 'operator:refused', sessionId, reason: 'token' }, 'operators');
    if (isOwn || !(await act(operator, { do: 'start', participant: operator.identity }, id))) return;
    allowed.add(operator.identity);
    attended.listen(operator.identity);
  };
  const end = async (operator: Operator): Promise<void> => {
    const { takeover } = runner.state.people;
    // The entry that started the takeover may not have been taken yet.
    const isTheirs = takeover === null ? allowed.has(operator.identity) : takeover.participant === operator.identity;
    allowed.delete(operator.identity);
    if (isTheirs) await act(operator, { do: 'end' }, `${operator.stay}/left`);
  };
  const type = async (operator: Operator, text: string, id: string): Promise<void> => {
    const what = readTyped(text, (name) => runner.hasNode(name));
    if (what.do === 'take') return await start(operator, id);
    if (!allowed.has(operator.identity) || !(await act(operator, what, id)) || what.do !== 'end') return;
    allowed.delete(operator.identity);
    attended.deafen(operator.identity);
  };
  const attended = attendOperators({
    ...{ room, clock: systemClock, openEar, onError },
    onOtherText: onCallerText,
    onJoined: (operator) => void start(operator, operator.stay).catch(onError),
    onLeft: (operator) => void end(operator).catch(onError),
    onTyped: (operator, text, id) => void type(operator, text, id).catch(onError),
    onHeard(operator, text) {
      if (runner.state.people.takeover !== null)
        takeOver.heard(actorOf(operator), text, systemIds.create('heard')).catch(onError);
    },
  });
  // The operator left while no process had the call.
  const { participant = null, actor = null } = runner.state.people.takeover ?? {};
  if (participant !== null && actor !== null && !attended.has(participant))
    end({ identity: participant, id: actor.id, stay: `${participant}/${runner.state.turn.number}` }).catch(onError);
  return () => attended.end();
}

async function mayRename(room: string, identity: string): Promise<boolean> {
  const { url, apiKey, apiSecret } = serverAddress(process.env);
  const rooms = new RoomServiceClient(apiAddress(url), apiKey, apiSecret, { requestTimeout: 5 });
  const { permission } = await rooms.getParticipant(room, identity);
  return permission?.canUpdateMetadata !== false;
}
