import { type LocalParticipant, ParticipantKind, Room } from '@livekit/rtc-node';
import { expect, it } from 'vitest';
import { guardLastWords } from '../../../src/livekit/guards/last-words.ts';

/** A room whose participants answer by `answer`. The fault is reproduced in test/rooms/faults.test.ts. */
function roomOf(participants: Readonly<Record<string, ParticipantKind>>, answer: () => Promise<string>) {
  const did: string[] = [];
  const localParticipant = {
    async performRpc({ destinationIdentity }: { readonly destinationIdentity: string }) {
      did.push(`asks ${destinationIdentity}`);
      const text = await answer();
      did.push(`hears ${destinationIdentity}`);
      return text;
    },
  } as unknown as LocalParticipant; // Only this method is called.
  const room = new Room();
  const remoteParticipants = new Map(
    Object.entries(participants).map(([identity, kind]) => [identity, { identity, info: { kind } }]),
  );
  Object.defineProperty(room, 'isConnected', { value: true });
  Object.assign(room, { localParticipant, remoteParticipants, disconnect: async () => void did.push('leaves') });
  return { room, did };
}

const { STANDARD, SIP, AGENT } = ParticipantKind;

it('an agent leaves after the readers in the room have answered; telephones and agents are not asked', async () => {
  const { room, did } = roomOf({ caller: STANDARD, telephone: SIP, other: AGENT }, () => Promise.resolve(''));
  guardLastWords(room);
  guardLastWords(room);
  await room.disconnect();
  expect(did).toEqual(['asks caller', 'hears caller', 'leaves']);
});

it('an agent leaves although a reader does not answer or refuses the method', async () => {
  const silent = roomOf({ caller: STANDARD }, () => new Promise(() => undefined));
  guardLastWords(silent.room, 10);
  await silent.room.disconnect();
  const refusing = roomOf({ caller: STANDARD }, () => Promise.reject(new Error('Method not supported at destination')));
  guardLastWords(refusing.room);
  await refusing.room.disconnect();
  const alone = roomOf({}, () => Promise.resolve(''));
  guardLastWords(alone.room);
  await alone.room.disconnect();
  expect([silent.did, refusing.did, alone.did]).toEqual([
    ['asks caller', 'leaves'],
    ['asks caller', 'leaves'],
    ['leaves'],
  ]);
});
