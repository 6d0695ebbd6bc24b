import { type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';
import type { InboxEntry } from '../../model/inbox.ts';
import type { Store } from '../../model/ports/store.ts';
import type { Clock } from '../../model/ports/time.ts';
import type { FlowRunner } from '../../runner/flow-runner.ts';
import type { RoomTransfers } from './room-transfers.ts';

export interface ServeTransferOptions {
  readonly room: Room;
  readonly runner: FlowRunner;
  readonly store: Store;
  readonly clock: Clock;
  readonly transfers: RoomTransfers;
  readonly onError: (error: unknown) => void;
}

/** When the caller and the person are connected again after a failed request, in milliseconds. */
const againMs = 1_000;

/**
 * Connects the caller with the person of a transfer once the session has stored that, ends the takeover when that person
 * leaves, and hangs up a person whose transfer is over. Returns a function that stops it.
 */
export function serveTransfers({ room, runner, store, clock, transfers, onError }: ServeTransferOptions): () => void {
  /** The person or agent that the caller talks to since a transfer; null if there is none. */
  const partner = (): string | null => {
    const { participant, actor } = runner.state.people.takeover ?? {};
    return participant !== undefined && actor === null ? participant : null;
  };
  const goOn = (person: string): void => {
    const { sessionId } = runner;
    const entry: InboxEntry = {
      ...{ key: `takeover:end/${sessionId}/${person}`, sessionId, dueAt: clock.now(), actor: null, reach: 'wait' },
      ...{ signal: { type: 'takeover:ended' }, correlation: {} },
    };
    store.inbox.post([entry]).catch(onError);
  };
  let isStopped = false;
  const connect = (): void => {
    const person = partner();
    if (person === null) return;
    // The person may have left before the session knew of the answer, or while no process had the call.
    if (!room.remoteParticipants.has(person)) return goOn(person);
    transfers.connect(person).catch((error: unknown) => {
      onError(error);
      // Both wait for each other until they are connected.
      if (!isStopped) stops.push(clock.schedule(againMs, connect));
    });
  };
  const left = ({ identity }: RemoteParticipant): void => {
    if (identity === partner()) goOn(identity);
  };
  const abandon = (): void => void transfers.abandon().catch(onError);
  const stops = [
    runner.on('takeover:started', connect),
    runner.on('wait:cancelled', ({ data }) => {
      if (data.wait === 'transfer') abandon();
    }),
    runner.on('transfer:ended', ({ data }) => {
      if (data.outcome !== 'answered') abandon();
    }),
  ];
  room.on(RoomEvent.ParticipantDisconnected, left);
  // Another process may have put the caller through.
  connect();
  void runner.ended.then((reason) => {
    if (reason !== 'left') abandon();
  });
  return () => {
    isStopped = true;
    for (const stop of stops) stop();
    room.off(RoomEvent.ParticipantDisconnected, left);
  };
}
