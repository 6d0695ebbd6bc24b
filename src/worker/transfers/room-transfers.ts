import { ParticipantKind, type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';
import type { voice } from '@livekit/agents';
import type { Clock } from '../../model/ports/time.ts';
import type { TransferEnd, Transfers } from '../../model/ports/transfers.ts';
import type { TransferOutcome, TransferPayload } from '../../model/transfer.ts';
import { openBriefing } from '../../livekit/room/briefing.ts';
import { createHearing } from '../../livekit/room/hearing.ts';
import { playHold } from '../../livekit/room/hold-audio.ts';
import { transferAttribute, transferIdentity } from '../../livekit/room/transferred.ts';
import { pause } from '../pause.ts';
import type { ServerRooms } from '../server-rooms.ts';
import { roomKeyOf, type TransferLine } from './transfer-line.ts';
import { createWarmTransfer, type WarmTransfer, whenGone } from './warm-transfer.ts';

export interface RoomTransferOptions {
  readonly room: Room;
  readonly roomName: string;
  readonly session: voice.AgentSession;
  readonly clock: Clock;
  readonly line: TransferLine;
  readonly rooms: Pick<ServerRooms, 'dispatches' | 'dispatch' | 'revoke'>;
  /** The trunk for dialing; absent if there is none. */
  readonly trunk: string | undefined;
  readonly from: string | undefined;
  /** Identity of the caller. Null before they have come. */
  readonly caller: () => string | null;
  /** Summarises the conversation by a prompt. */
  readonly summarise: (prompt: string) => Promise<string>;
  readonly onTrouble: (code: 'trunk-missing' | 'caller-missing') => void;
  readonly onError: (error: unknown) => void;
}

/** The transfers of one call. */
export interface RoomTransfers extends Transfers {
  /** The person of this identity and the caller talk: connects both. May be called again, also in another process. */
  connect(participant: string): Promise<void>;
  /** Hangs up the person of a transfer that is over. */
  abandon(): Promise<void>;
}

export function createRoomTransfers(options: RoomTransferOptions): RoomTransfers {
  const { room, clock, line, onError, onTrouble } = options;
  let warm: WarmTransfer | null = null;
  const hearingOf = (caller: string, person: string) =>
    createHearing(room, caller, person, (...asked) => line.hear(...asked));

  const refer = async ({ wait, ringMs }: TransferPayload, to: string, caller: string): Promise<TransferEnd> => {
    const key = roomKeyOf(wait);
    const isAsked = room.remoteParticipants.get(caller)?.attributes[transferAttribute] === key;
    if (!isAsked) {
      await line.mark(caller, key);
      return { outcome: await line.refer(caller, to, ringMs) };
    }
    // A process that died has asked for it, and asking twice might connect the caller twice. The caller leaves if it succeeds.
    const hasLeft = whenGone(room, caller).then((): TransferOutcome => 'answered');
    return { outcome: await Promise.race([hasLeft, pause(clock, ringMs).then((): TransferOutcome => 'failed')]) };
  };

  const dial = async (request: TransferPayload, to: string, caller: string): Promise<TransferEnd> => {
    const { trunk, from } = options;
    const { wait, ringMs, hold } = request;
    const key = roomKeyOf(wait);
    const person = transferIdentity(key);
    if (trunk === undefined) {
      onTrouble('trunk-missing');
      return { outcome: 'failed' };
    }
    const begun = createWarmTransfer({
      ...{ room, clock, person, onError, hearing: hearingOf(caller, person) },
      dial: () => line.dial({ trunk, from, to, identity: person, key, ringMs }),
      hangUp: () => line.hangUp(person),
      openBriefing: () => openBriefing(room, options.session),
      openHold: () => playHold(room, hold),
      words: () => wordsFor(request, options),
    });
    warm = begun;
    const outcome = await begun.begin(ringMs);
    if (outcome === 'answered') return { outcome, participant: person };
    await begun.abandon();
    return { outcome };
  };

  const call = async ({ wait, ringMs }: TransferPayload, name: string): Promise<TransferEnd> => {
    const { rooms, roomName } = options;
    const metadata = JSON.stringify({ transfer: roomKeyOf(wait) });
    const asked = await rooms.dispatches(roomName);
    if (!asked.some((one) => one.agentName === name && one.metadata === metadata))
      await rooms.dispatch(roomName, name, metadata);
    const agent = await Promise.race([otherAgent(room), pause(clock, ringMs).then(() => null)]);
    if (agent !== null) return { outcome: 'answered', participant: agent.identity };
    for (const { id, ...one } of await rooms.dispatches(roomName))
      if (one.agentName === name && one.metadata === metadata) await rooms.revoke(roomName, id);
    return { outcome: 'no_answer' };
  };

  const attempt = async (request: TransferPayload): Promise<TransferEnd> => {
    const { to, mode } = request;
    if (to.kind === 'agent') return await call(request, to.name);
    const caller = options.caller();
    if (caller === null) {
      onTrouble('caller-missing');
      return { outcome: 'failed' };
    }
    return await (mode === 'cold' ? refer(request, to.address, caller) : dial(request, to.address, caller));
  };

  return {
    begin(request, end) {
      attempt(request)
        .catch((error: unknown): TransferEnd => (onError(error), { outcome: 'failed' }))
        .then(end)
        .catch(onError);
    },
    async connect(participant) {
      if (warm !== null) return await warm.connect();
      const caller = options.caller();
      if (caller !== null) await hearingOf(caller, participant).join();
    },
    async abandon() {
      const open = warm;
      warm = null;
      await open?.abandon();
    },
  };
}

async function wordsFor({ brief }: TransferPayload, { summarise }: RoomTransferOptions): Promise<string> {
  if (brief === null) return '';
  return 'text' in brief ? brief.text : await summarise(brief.prompt);
}

/** Resolves to another agent in the room, now or later. */
function otherAgent(room: Room): Promise<RemoteParticipant> {
  const isAgent = ({ info }: RemoteParticipant): boolean => info.kind === ParticipantKind.AGENT;
  const present = [...room.remoteParticipants.values()].find(isAgent);
  if (present !== undefined) return Promise.resolve(present);
  return new Promise((resolve) => {
    const look = (one: RemoteParticipant): void => {
      if (!isAgent(one)) return;
      room.off(RoomEvent.ParticipantConnected, look);
      resolve(one);
    };
    room.on(RoomEvent.ParticipantConnected, look);
  });
}
