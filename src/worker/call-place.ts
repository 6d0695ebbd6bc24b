import { z } from 'zod';
import type { Json, JsonObject } from '../events/json.ts';
import { readState } from '../kernel/upgrade.ts';
import type { Store } from '../ports/store.ts';
import { type JobMetadata, parseMetadata } from './job-metadata.ts';

const placeSchema = z.strictObject({
  room: z.string(),
  /** The room's own id: a server that was started anew gives the same room another one. */
  roomId: z.string(),
  agentName: z.string(),
  /** The dispatch that called the agent, and the agent's identity in the room; null while none has come. */
  dispatch: z.string(),
  agent: z.string().nullable(),
  /** The identity of the participant who is listened to; null for the first who comes. */
  caller: z.string().nullable(),
  /** The metadata for the next job of the call. */
  metadata: z.string(),
});

/** The room and the agent of a call, as a worker keeps them beside the session. */
export type CallPlace = z.output<typeof placeSchema>;

/** Reads a kept place; null for what another release may have kept. */
export function readPlace(kept: Json): CallPlace | null {
  return placeSchema.safeParse(kept).data ?? null;
}

/** A place as a store keeps it. */
export function toKeptPlace(place: CallPlace): JsonObject {
  return { ...place };
}

/**
 * The session of a job: of the name that it is told, the conversation that has not ended, or else the next; without a name
 * one that is named after its dispatch, however often that is repeated.
 */
export async function sessionIdOf(
  store: Pick<Store, 'loadSnapshot'>,
  job: { readonly id: string; readonly dispatchId: string },
  { sessionId, again = false }: JobMetadata,
): Promise<string> {
  if (sessionId === undefined) return job.dispatchId === '' ? job.id : job.dispatchId;
  return again ? sessionId : await conversationOf(store, sessionId);
}

/** The conversation of a name, such as a telephone number: the one that has not ended, else the next. */
async function conversationOf(store: Pick<Store, 'loadSnapshot'>, name: string): Promise<string> {
  const idOf = (number: number): string => (number === 1 ? name : `${name}~${number}`);
  const hasEnded = async (number: number): Promise<boolean> => {
    const kept = await store.loadSnapshot(idOf(number));
    return kept !== null && readState(kept.state).status === 'ended';
  };
  // All but the last have ended, so that few have to be looked at.
  let [ended, next] = [0, 1];
  while (await hasEnded(next)) [ended, next] = [next, next * 2];
  while (next - ended > 1) {
    const middle = Math.floor((ended + next) / 2);
    if (await hasEnded(middle)) ended = middle;
    else next = middle;
  }
  return idOf(next);
}

/** The metadata of a dispatch; null where it is broken: its job only apologises, and keeps no call. */
export function metadataOf(text: string): JobMetadata | null {
  try {
    return parseMetadata(text);
  } catch {
    return null;
  }
}
