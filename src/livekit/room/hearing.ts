import type { Room } from '@livekit/rtc-node';

/** Lets a participant hear tracks of others, or not. */
export type Hear = (listener: string, tracks: readonly string[], isOn: boolean) => Promise<void>;

/** Decides who hears whom while a person is briefed in the room of a call. */
export interface Hearing {
  /** Keeps caller and person apart. The person hears only `briefing`, a track of the agent. */
  separate(briefing: string | null): Promise<void>;
  /** Lets caller and person hear each other and the agent. */
  join(): Promise<void>;
}

/** Tracks that are published later need another call: participants hear new tracks by default. */
export function createHearing(room: Room, caller: string, person: string, hear: Hear): Hearing {
  const tracksOf = (identity: string): readonly string[] =>
    [...(room.remoteParticipants.get(identity)?.trackPublications.values() ?? [])].flatMap(({ sid }) => sid ?? []);
  const own = (): readonly string[] =>
    [...(room.localParticipant?.trackPublications.values() ?? [])].flatMap(({ sid }) => sid ?? []);
  const isThere = (identity: string): boolean => room.remoteParticipants.has(identity);
  const told = async (listener: string, tracks: readonly string[], isOn: boolean): Promise<void> => {
    if (tracks.length > 0 && isThere(listener)) await hear(listener, tracks, isOn);
  };
  return {
    async separate(briefing) {
      const others = own().filter((sid) => sid !== briefing);
      await Promise.all([
        told(caller, [...tracksOf(person), ...(briefing === null ? [] : [briefing])], false),
        told(person, [...tracksOf(caller), ...others], false),
      ]);
    },
    async join() {
      await Promise.all([told(caller, tracksOf(person), true), told(person, [...tracksOf(caller), ...own()], true)]);
    },
  };
}
