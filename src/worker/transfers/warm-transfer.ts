import { type RemoteParticipant, type Room, RoomEvent } from '@livekit/rtc-node';
import type { Clock } from '../../model/ports/time.ts';
import type { TransferOutcome, TransferPayload } from '../../model/transfer.ts';
import type { BriefingTrack } from '../../livekit/room/briefing.ts';
import type { Hearing } from '../../livekit/room/hearing.ts';
import type { HoldAudio } from '../../livekit/room/hold-audio.ts';
import { pause } from '../pause.ts';

export interface WarmParts {
  readonly room: Room;
  readonly clock: Clock;
  /** Identity of the person in the room. */
  readonly person: string;
  readonly hearing: Hearing;
  readonly dial: () => Promise<TransferOutcome>;
  readonly hangUp: () => Promise<void>;
  readonly openBriefing: () => Promise<BriefingTrack | null>;
  readonly openHold: () => Promise<HoldAudio | null>;
  /** Returns the words for the person; empty for none. */
  readonly words: () => Promise<string>;
  readonly onError: (error: unknown) => void;
}

/** A warm transfer under way. */
export interface WarmTransfer {
  /** Dials the person, unless a process before has done so, and briefs them. Resolves to the outcome. */
  begin(ringMs: TransferPayload['ringMs']): Promise<TransferOutcome>;
  /** Connects the person with the caller. May be called again. */
  connect(): Promise<void>;
  /** Hangs the person up and returns the caller to the agent. */
  abandon(): Promise<void>;
}

/**
 * When caller and person are kept apart again, in milliseconds after a new track or participant. The server subscribes
 * listeners to a track a moment after it has announced it, and a request before that has no effect.
 */
const againAfterMs = [50, 150, 400, 1_000] as const;
/** How long the words for the person wait for that, in milliseconds. */
const beforeWordsMs = 200;
/** How long an answered person may take to appear in the room, in milliseconds. */
const appearsWithinMs = 10_000;

export function createWarmTransfer(parts: WarmParts): WarmTransfer {
  const { room, clock, person, hearing, onError } = parts;
  let hold: HoldAudio | null = null;
  let briefing: BriefingTrack | null = null;
  let isApart = false;
  let separated: Promise<unknown> = Promise.resolve();
  let repeats: readonly (() => void)[] = [];
  const separate = (): void => {
    if (!isApart) return;
    separated = Promise.all([separated, hearing.separate(briefing?.sid ?? null).catch(onError)]);
  };
  const keepApart = (): void => {
    for (const cancel of repeats) cancel();
    repeats = againAfterMs.map((delayMs) => clock.schedule(delayMs, separate));
    separate();
  };
  const events = [RoomEvent.ParticipantConnected, RoomEvent.TrackPublished] as const;
  const release = async (): Promise<void> => {
    isApart = false;
    for (const cancel of repeats) cancel();
    for (const event of events) room.off(event, keepApart);
    const [music, track] = [hold, briefing];
    hold = briefing = null;
    await Promise.all([music?.stop(), track?.close()]);
  };
  const brief = async (): Promise<TransferOutcome> => {
    const words = await parts.words();
    if (words !== '') briefing = await parts.openBriefing();
    const left = whenGone(room, person);
    await hearing.separate(briefing?.sid ?? null);
    keepApart();
    if (briefing !== null) await pause(clock, beforeWordsMs);
    const said = Promise.resolve(briefing?.say(words)).then(() => 'answered' as const);
    return await Promise.race([said, left.then(() => 'refused' as const)]);
  };
  return {
    async begin(ringMs) {
      isApart = true;
      for (const event of events) room.on(event, keepApart);
      const known = room.remoteParticipants.get(person);
      // The events of a telephone that a process before has dialed are over.
      if (known !== undefined) keepApart();
      // The caller does not wait in silence, and a failing sound does not end the transfer.
      hold = await parts.openHold().catch((error: unknown) => (onError(error), null));
      const answered = known === undefined ? await parts.dial() : await whenAnswered(room, clock, known, ringMs);
      if (answered !== 'answered') return answered;
      if (!(await appears(room, clock, person))) return 'failed';
      return await brief();
    },
    async connect() {
      await release();
      // A request to separate them that arrives later would leave them apart.
      await separated;
      await hearing.join();
    },
    async abandon() {
      await release();
      await parts.hangUp();
    },
  };
}

/** Waits until a telephone that rings is answered, or hangs up. */
async function whenAnswered(
  room: Room,
  clock: Clock,
  person: RemoteParticipant,
  withinMs: number,
): Promise<TransferOutcome> {
  const isActive = (): boolean => (person.attributes['sip.callStatus'] ?? 'active') === 'active';
  const changed = until(room, clock, [RoomEvent.ParticipantAttributesChanged], isActive, withinMs);
  const gone = whenGone(room, person.identity).then(() => false);
  return (await Promise.race([changed, gone])) ? 'answered' : 'no_answer';
}

async function appears(room: Room, clock: Clock, person: string): Promise<boolean> {
  const isThere = (): boolean => room.remoteParticipants.has(person);
  return await until(room, clock, [RoomEvent.ParticipantConnected], isThere, appearsWithinMs);
}

/** Resolves when a participant has left the room. */
export function whenGone(room: Room, identity: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (one: RemoteParticipant): void => {
      if (one.identity !== identity) return;
      room.off(RoomEvent.ParticipantDisconnected, look);
      resolve();
    };
    room.on(RoomEvent.ParticipantDisconnected, look);
  });
}

/** Resolves to true once a condition holds, which is looked at after each event; to false if it does not in time. */
function until(
  room: Room,
  clock: Clock,
  events: readonly (RoomEvent.ParticipantConnected | RoomEvent.ParticipantAttributesChanged)[],
  holds: () => boolean,
  withinMs: number,
): Promise<boolean> {
  if (holds()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (did: boolean): void => {
      cancel();
      for (const event of events) room.off(event, look);
      resolve(did);
    };
    const look = (): void => {
      if (holds()) end(true);
    };
    const cancel = clock.schedule(withinMs, () => end(false));
    for (const event of events) room.on(event, look);
  });
}
