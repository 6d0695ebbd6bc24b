import type { RemoteParticipant } from '@livekit/rtc-node';

/** The attribute of a participant who was dialed for a transfer, or who is handed over; its value identifies the transfer. */
export const transferAttribute = 'roomflow.transfer';

/** The beginning of the identity of a person who was dialed for a transfer. */
const identityStart = 'transfer-';

/** Returns the identity of the person of a transfer, the same in each process: a room has it at most once. */
export function transferIdentity(key: string): string {
  return `${identityStart}${key}`;
}

/** Checks whether a participant was dialed for a transfer. Such a person is not the caller. */
export function isTransferred({ identity, attributes }: Pick<RemoteParticipant, 'identity' | 'attributes'>): boolean {
  return identity.startsWith(identityStart) && (attributes[transferAttribute] ?? '') !== '';
}
