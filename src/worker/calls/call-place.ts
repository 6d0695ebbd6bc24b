import { z } from 'zod';
import type { Json, JsonObject } from '../../model/json.ts';
import { readState } from '../../kernel/state/upgrade.ts';
import type { Store } from '../../model/ports/store.ts';
import { type JobMetadata, parseMetadata } from '../jobs/job-metadata.ts';

const placeSchema = z.strictObject({
  room: z.string(),
  /** The room's own id: a restarted server gives the same room another id. */
  roomId: z.string(),
  agentName: z.string(),
  /** The dispatch of the agent, and the agent's identity in the room; null until an agent has joined. */
  dispatch: z.string(),
  agent: z.string().nullable(),
  /** Identity of the caller; null for the first participant who comes. */
  caller: z.string().nullable(),
  /** The metadata for the next job of the call. */
  metadata: z.string(),
});

/** The room and agent of a call, stored by a worker beside the session. */
export type CallPlace = z.output<typeof placeSchema>;

/** Reads a stored place; null if another release stored it in a different form. */
export function readPlace(kept: Json): CallPlace | null {
  return placeSchema.safeParse(kept).data ?? null;
}

/** Converts a place for the store. */
export function toKeptPlace(place: CallPlace): JsonObject {
  return { ...place };
}

/**
 * Returns the session id of a job. For a named session, returns the conversation that is still open, else starts the
 * next one. Without a name, derives the id from the dispatch, so that a repeated dispatch has the same session.
 */
export async function sessionIdOf(
  store: { readonly sessions: Pick<Store['sessions'], 'get'> },
  job: { readonly id: string; readonly dispatchId: string },
  { sessionId, again = false }: JobMetadata,
): Promise<string> {
  if (sessionId === undefined) return job.dispatchId === '' ? job.id : job.dispatchId;
  return again ? sessionId : await conversationOf(store, sessionId);
}

/** Returns the conversation of a name, such as a telephone number: the one still open, else the next. */
async function conversationOf(
  store: { readonly sessions: Pick<Store['sessions'], 'get'> },
  name: string,
): Promise<string> {
  const idOf = (number: number): string => (number === 1 ? name : `${name}~${number}`);
  const hasEnded = async (number: number): Promise<boolean> => {
    const kept = await store.sessions.get(idOf(number));
    return kept !== null && readState(kept.state).status === 'ended';
  };
  // All but the last have ended, so a binary search reads few of them.
  let [ended, next] = [0, 1];
  while (await hasEnded(next)) [ended, next] = [next, next * 2];
  while (next - ended > 1) {
    const middle = Math.floor((ended + next) / 2);
    if (await hasEnded(middle)) ended = middle;
    else next = middle;
  }
  return idOf(next);
}

/** Returns the metadata of a dispatch. Null if it is invalid: such a job only apologises and stores no call. */
export function metadataOf(text: string): JobMetadata | null {
  try {
    return parseMetadata(text);
  } catch {
    return null;
  }
}
